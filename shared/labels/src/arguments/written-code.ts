import { signal, type Effects, type Call } from './effects.js'
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

/**
 * Does the same for a tool that writes files. Its arguments without paths are the text. Two paths without text are a copy, whose text is
 * unknown; one path alone is a folder or a deletion.
 */
export function readWrittenCode(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (call.worst?.capability !== 'write') return
  const values = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const paths = values.filter(isPath).map(([, path]) => path)
  const texts = values.filter((value) => !isPath(value)).map(([, text]) => text)
  if (texts.length === 0 && paths.length < 2) return
  // Of several texts one usually replaces another, so the rest of the file is unknown.
  const written = texts.length === 1 && !values.some(([name]) => PART_NAME.test(name)) ? texts[0] : undefined
  for (const path of paths.length > 0 ? paths : [UNKNOWN_PATH]) noteWritten(path, written, call.effects)
}

const PART_NAME = /old|new|insert|append|patch|diff|line|range|mode/i
const PATH_NAME = /path|file|source|dest|target|folder|dir/i
/** Whether an argument is a path. The text of a notebook cell is also named `source`, so values with white space are text. */
const isPath = ([name, value]: readonly [string, string]): boolean =>
  PATH_NAME.test(name) && !/\s/.test(value)
const UNKNOWN_PATH = 'unknown'
