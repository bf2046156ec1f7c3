import { patternOf, readTable, longPattern } from '../text/data.js'

/** Longer texts are not read, in characters. */
const TEXT_MAX = 65_536

/** Source files of languages in which nothing but a word reaches out. In a shell, Perl, PHP or Ruby, marks can do so. */
const SOURCE = longPattern('code-reach.SOURCE')

/**
 * Parts of words and marks by which code can reach another host or a file, start a program, or make code out of text. Parts, as
 * `HttpTransport` and `sendReport` are names of a project.
 */
const REACHING = new RegExp(readTable<readonly string[]>('code', 'reaching').join('|'), 'i')

/** Takes in a library, which may do any of that. A part of the project is named by a path. */
const LIBRARY = patternOf(readTable<string>('code', 'library'))

/**
 * Whether a text that is put into a source file gives it no way out by itself: no word of it reaches a host or a file, starts a program, makes
 * code or takes in a library. What it calls of the project can do what the project could before.
 */
export const staysIn = (path: string, text: string): boolean =>
  path.length <= 512 &&
  text.trim() !== '' &&
  text.length <= TEXT_MAX &&
  SOURCE.test(path) &&
  !REACHING.test(text) &&
  !LIBRARY.test(text)
