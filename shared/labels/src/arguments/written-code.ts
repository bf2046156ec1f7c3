import { type Effects, signal } from './effects.js'
import { pathKindOf, PATH_KINDS, isDataFile, isRunnerFile } from './paths.js'
import { understandPython } from './understood-code.js'

const PYTHON = /\.py$/i

/**
 * Sets the signal `code` if a step writes what a later step may run: a definition of the project's targets, a startup file, or a program.
 * An understood Python program does not count.
 *
 * @param text the whole written text; undefined if it is not in the arguments, or is only a part of the file
 */
export function noteWritten(path: string, text: string | undefined, effects: Effects): void {
  if (path.length < 1) return
  const kind = pathKindOf(path)
  if (kind === PATH_KINDS.sink) return
  if (isDataFile(path) && kind !== PATH_KINDS.startup && !text?.startsWith('#!')) return
  const isTarget = isRunnerFile(path) || kind === PATH_KINDS.startup
  const program = text !== undefined && PYTHON.test(path) && !isTarget && understandPython(text, false)
  if (!program || program.writesCode) signal(effects, 'code', 1)
}
