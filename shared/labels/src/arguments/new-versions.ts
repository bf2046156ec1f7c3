import { longPattern } from '../text/data.js'
import { wordsIn } from './objects.js'

/** Characters of an edit, and lines of it, that are read. */
const TEXT_MAX = 4_096
const LINES_MAX = 8

/** What an edit sets to another version: words of what has it, and the version itself. */
export interface NewVersion {
  readonly of: readonly string[]
  readonly versions: readonly string[]
}

/**
 * The versions that an edit changes, if it changes nothing else: *node-version: 22* to *node-version: 24*. Undefined for other edits.
 * O(characters).
 */
export function newVersions(before: string, after: string): NewVersion | undefined {
  if (before.length > TEXT_MAX || after.length > TEXT_MAX || before === after) return undefined
  if (withoutNumbers(before) !== withoutNumbers(after)) return undefined
  const old = before.split('\n')
  const changed = after.split('\n').filter((line, i) => line !== old[i])
  if (changed.length > LINES_MAX || !changed.every((line) => OF_VERSION.test(line))) return undefined
  const text = changed.join('\n')
  return {
    of: wordsIn(text.replaceAll(GENERIC, ' ').replaceAll(NUMBERS, ' ')),
    versions: text.match(NUMBERS) ?? [],
  }
}

/** The same for a program of `sed` that replaces one text: `s/22/24/`, with any delimiter. */
export function newVersionsOfSed(args: readonly string[]): NewVersion | undefined {
  const programs = args.filter((arg) => /^s([^\w\s\\])/.test(arg))
  const [program = ''] = programs
  const parts = program.slice(2).split(program[1] ?? '/')
  const [before = '', after = '', flags = ''] = parts
  if (programs.length !== 1 || parts.length !== 3 || !/^g?$/.test(flags)) return undefined
  return newVersions(before.replaceAll('\\.', '.'), after)
}

const NUMBERS = /\d[\d.]*/g
const withoutNumbers = (text: string): string => text.replaceAll(NUMBERS, '0')
/** A line that says which version of what is used. Times, counts and permissions are none. */
const OF_VERSION = longPattern('new-versions.OF_VERSION')
const GENERIC = longPattern('new-versions.GENERIC')
