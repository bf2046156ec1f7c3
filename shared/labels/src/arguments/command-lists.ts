import { longPattern } from '../text/data.js'
import { valuesOf } from '../tools/values.js'
import { quoted } from './shell/call.js'
import { COMMANDS } from './shell/programs/commands.js'

/** Names of arguments that hold several command lines: `commands`. */
const OF_LINES = longPattern('command-lists.OF_LINES')
/** Programs whose words are text. */
const TAKES_TEXT: ReadonlySet<string> = new Set('echo printf grep egrep fgrep rg ag ack'.split(' '))
const BLANK = /[\s;&|]/

/**
 * The command lines that a list may be, each run by itself: the words of one command, several command lines, or both where it may
 * be either. A member that is a record or a list is the words of a command. O(characters).
 *
 * @param name the argument's name, which may say that each member is a command line
 * @example commandLinesOf(['cd app', 'npm test'], 'command') // ['cd app', 'npm test']
 */
export function commandLinesOf(list: readonly unknown[], name = ''): readonly string[] {
  const members = list.map((member) => {
    const words = valuesOf(member).scalars.map(String)
    return typeof member === 'object' ? lineOf(words) : (words[0] ?? '')
  })
  const isOfWords = list.every((member) => typeof member !== 'object')
  const asWords = quoted(members)
  if (members.length < 2) return members
  if (!isOfWords) return members
  const hasOption = members.some((member) => member.startsWith('-'))
  if (OF_LINES.test(name) || BLANK.test(members[0] ?? '')) return hasOption ? [asWords, ...members] : members
  return hasOption || !mayBeLines(members) ? [asWords] : [asWords, ...members]
}

/** The words of a command. A single word may be a whole line, and stays as it is. */
const lineOf = (words: readonly string[]): string => (words.length === 1 ? (words[0] ?? '') : quoted(words))

/** Whether a list that begins like the words of a command may be command lines: each single word is a program. */
const mayBeLines = ([first = '', ...rest]: readonly string[]): boolean =>
  !TAKES_TEXT.has(first) &&
  rest.some((member) => BLANK.test(member)) &&
  rest.every((member) => (BLANK.test(member) ? /^[\w./~$({"'-]/.test(member) : COMMANDS.has(member)))
