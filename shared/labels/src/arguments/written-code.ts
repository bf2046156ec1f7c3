import { signal, type Effects, type Call } from './effects.js'
import { pathKindOf, PATH_KINDS, isDataFile, isRunnerFile } from './paths.js'
import { understandPython } from './understood-code.js'

const PYTHON = /\.py$/i

/**
 * Raises `code` where a step writes what a later step may run, unless it is a program of Python that is understood: the definition of a
 * runner's targets, a file that is run or trusted later, a program of any other language.
 *
 * @param text all of what is written; undefined where it does not stand in the arguments, or is only a part of the file
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
 * The same for a tool that writes files. What its arguments hold beside paths is what it writes; two paths and no text are a copy whose
 * text is not seen, one path alone is a folder or a deletion.
 */
export function readWrittenCode(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (call.worst?.capability !== 'write') return
  const values = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const paths = values.filter(isPath).map(([, path]) => path)
  const texts = values.filter((value) => !isPath(value)).map(([, text]) => text)
  if (texts.length === 0 && paths.length < 2) return
  // Of several texts one is replaced by another, and the file is made of more than they tell.
  const written = texts.length === 1 && !values.some(([name]) => PART_NAME.test(name)) ? texts[0] : undefined
  for (const path of paths.length > 0 ? paths : [UNKNOWN_PATH]) noteWritten(path, written, call.effects)
}

const PART_NAME = /old|new|insert|append|patch|diff|line|range|mode/i
const PATH_NAME = /path|file|source|dest|target|folder|dir/i
/** Of a cell of a notebook the text is its `source`, too: what holds white space counts as text. */
const isPath = ([name, value]: readonly [string, string]): boolean =>
  PATH_NAME.test(name) && !/\s/.test(value)
const UNKNOWN_PATH = 'unknown'
