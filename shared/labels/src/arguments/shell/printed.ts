import type { Effects } from '../effects.js'
import { isNamedScript, mayBeScript } from '../scripts.js'
import type { Call } from './call.js'
import { programsThat } from './programs/command-table.js'

/** Commands that print files, as they are or in part. */
const PRINTERS = programsThat('prints')
/** Scripts of one step, and words of one command that may name them. */
const SCRIPTS_MAX = 4
const WORDS_MAX = 64
/** Longer paths are not kept, in characters. */
const PATH_MAX = 256

/** Records the scripts whose text a command prints. */
export function notePrinted(call: Call, effects: Effects): void {
  const { name, args } = call
  const isGit = name === 'git'
  if (!(isGit ? args.some(showsFile) : PRINTERS.has(name.toLowerCase()) && !args.some(changesFile))) return
  for (const arg of args.slice(0, WORDS_MAX))
    noteReading(isGit ? arg.replace(/^[^:]*(?::|$)/, '') : arg, name === 'cat', effects)
}

/** Git shows a file of a commit by `show`. */
const showsFile = (arg: string): boolean => arg === 'show' || arg === 'cat-file'
/** A stream editor that changes the file prints none. */
const changesFile = (arg: string): boolean => arg.startsWith('-i') || arg === '--in-place'

/**
 * Records that the result of the step shows `word` if it is the path of a script.
 *
 * @param isPath whether it is surely a path; a name without an ending may be any word
 */
export function noteReading(word: string, isPath: boolean, { reads }: Effects): void {
  if (word === '' || word.length > PATH_MAX || reads.length >= SCRIPTS_MAX || /[\s*?]|^-/.test(word)) return
  const isScript = isNamedScript(word) || ((isPath || word.includes('/')) && mayBeScript(word))
  if (isScript && !reads.includes(word)) reads.push(word)
}
