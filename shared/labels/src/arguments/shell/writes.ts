import { newVersionsOfSed } from '../new-versions.js'
import { longPattern } from '../../text/data.js'
import { type Effects, raise } from '../effects.js'
import { noteRewritten } from '../scripts.js'
import { isPipeline, noteLooser, noteLooserText, noteWritten, replacesCheck } from '../written-code.js'
import { noteOwnSettings } from '../own-settings.js'
import { type Call, type ShellContext, hasOption, isOpen, operandsOf } from './call.js'
import { losesPath } from '../objects.js'
import { PATH_KINDS, pathKindOf } from '../paths.js'
import { asEntered, isMadeHere, noteEdited, noteFilled, ownNames } from './own-folders.js'
import { noteDoor, noteMoved } from './programs/doors.js'
import { deletes, isDatabase, isWorking, noteEmptied } from './programs/deletions.js'
import { noteForbiddenTarget } from './programs/forbidden.js'
import { noteFilledFolder, noteFilledSettings } from './programs/settings-folders.js'
import { noteWrittenText, printedBy } from './redirects.js'
import { oneByProgram } from './programs/command-table.js'

/** How a command names the files that it writes. `elsewhere`: on another host or this one; `unnamed`: its input names them. */
type Manner =
  | 'all'
  | 'first'
  | 'last'
  | 'second'
  | 'option'
  | 'fetched'
  | 'of'
  | 'inPlace'
  | 'scripted'
  | 'elsewhere'
  | 'unnamed'

const WRITERS = oneByProgram<Manner>('writes')
/** Programs whose first words say whether they write: `docker cp`. */
const BY_WORDS = new Map(
  [...oneByProgram<Readonly<Record<string, Manner>>>('writesBy')].map(([name, rows]) => [
    name,
    Object.entries(rows).map(([words, manner]) => ({ manner, words: words.split(' ') })),
  ]),
)

/** How a command names its files, and its operands without the words that say so; undefined if it writes none. */
function mannerOf(call: Call): { readonly manner: Manner; readonly operands: readonly string[] } | undefined {
  const manner = WRITERS.get(call.name)
  if (manner !== undefined) return { manner, operands: operandsOf(call) }
  const rows = BY_WORDS.get(call.name)
  const operands = rows ? operandsOf(call) : []
  const row = rows?.find(({ words }) => words.every((word, i) => word === operands[i]))
  return row && { manner: row.manner, operands: operands.slice(row.words.length) }
}
/** Files of one command that are recorded. */
const FILES_MAX = 64
const IN_PLACE_MAX = 8

/** Whether a command writes its last operand alone. */
export const writesLast = ({ name }: Pick<Call, 'name'>): boolean => WRITERS.get(name) === 'last'

/** The files that a command writes by its options and operands: one answer for all who ask. O(arguments). */
export function writesOf(call: Call): readonly string[] {
  const { manner, operands = [] } = mannerOf(call) ?? {}
  if (manner === undefined || manner === 'unnamed') return []
  const last = operands.at(-1) ?? ''
  // A target folder receives files with the names of the sources.
  const isFolder = /\/$|^\.+$/.test(last)
  if (manner === 'all') return operands.slice(0, FILES_MAX)
  if (manner === 'last' && isFolder)
    return operands
      .slice(0, -1)
      .slice(0, FILES_MAX)
      .map((path) => `${last.replace(/\/$/, '')}/${baseOf(path)}`)
  if (manner === 'last') return operands.slice(-1)
  if (manner === 'elsewhere') return operands.slice(-1)
  if (manner === 'first') return operands.slice(0, 1)
  // An editor that is given its commands.
  if (manner === 'scripted') return call.args.some((arg) => SCRIPTED.test(arg)) ? operands.slice(-1) : []
  // `-` is what it prints, and a number the value of an option.
  if (manner === 'second')
    return operands
      .filter((word) => !/^\d+$/.test(word))
      .slice(1, 2)
      .filter((word) => word !== '-')
  if (manner === 'of')
    return call.args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice('of='.length)] : []))
  if (manner === 'inPlace') {
    const isEdited = call.name.endsWith('awk')
      ? call.args.some((arg, i) => arg === 'inplace' && call.args[i - 1] === '-i')
      : hasOption(call, 'i', '--in-place', '--inplace')
    return isEdited ? operands.slice(-IN_PLACE_MAX) : []
  }
  const into = call.args.findIndex((arg) => INTO.test(arg))
  if (into >= 0) {
    const folder = (call.args[into + 1] ?? '').replace(/\/$/, '')
    return operands.slice(0, FILES_MAX).map((url) => `${folder}/${baseOf(url)}`)
  }
  const option =
    call.name === 'wget' ? /^(?:-[a-zA-Z]*O|--output-document=?)(.*)$/s : /^(?:-[a-zA-Z]*o|--o[a-z]*=?)(.*)$/s
  return call.args.flatMap((arg, i) => {
    const [, joined] = option.exec(arg) ?? []
    return joined === undefined ? [] : [joined === '' ? (call.args[i + 1] ?? '') : joined]
  })
}

const SCRIPTED = /^(?:-(?:c|es|s|S|W)$|\+.)/
/** Options of what fetches that name a folder. */
const INTO = longPattern('writes.INTO')

const baseOf = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? path

/** Records what a command writes: code that runs later, files that let others in, disks and logs that it goes over. */
export function noteWrites(call: Call, context: ShellContext): void {
  noteFilledSettings(call, context.effects)
  const manner = mannerOf(call)?.manner
  if (manner === undefined) return
  const { effects } = context
  if (manner === 'unnamed' || manner === 'first') noteWritten('unpacked', undefined, effects)
  const paths = writesOf(call)
  const isAppended = hasOption(call, 'a', '--append')
  const printed = manner === 'all' ? printedBy(call) : undefined
  for (const path of paths) {
    noteDoor(path, effects)
    const isAway = manner === 'elsewhere' && /^[^/]*:/.test(path)
    if (!isAway && BY_WORDS.has(call.name)) noteFilledFolder(asEntered(path, effects), effects)
    // A copy beside the logs goes over none, and what goes to another host over nothing here.
    if (!isAppended && call.name !== 'cp' && !isAway) noteForbiddenTarget(path, effects)
    if (manner === 'elsewhere' || manner === 'fetched') continue
    if (manner === 'option' || manner === 'second' || manner === 'scripted')
      raise(effects, { capability: 'write', reversibility: 'partial' }, 'a command that writes a file', true)
    const version = call.name === 'sed' && !isOpen(call) ? newVersionsOfSed(call.args) : undefined
    noteWritten(path, printed, effects, true, undefined, version)
    if (manner === 'all') noteWrittenText(path, printed, !isAppended, context)
    else noteRewritten(path, effects)
    if (manner !== 'inPlace') continue
    if (isPipeline(path)) {
      noteLooserText(call.args.join('\n'), effects)
      if (call.args.some((arg) => TAKES_LINES.test(arg) || replacesCheck(arg))) noteLooser(effects)
    }
    for (const arg of call.args) noteOwnSettings(path, arg, effects)
  }
  noteLost(call, context)
}

/** A program of `sed` that takes lines out: `/gitleaks/d`, `12,18d`. */
const TAKES_LINES = longPattern('writes.TAKES_LINES')

/** Records what a command takes away from where it was, and records that it empties. */
function noteLost(call: Call, { effects, whole }: ShellContext): void {
  const operands = operandsOf(call)
  if (call.name === 'mv')
    for (const path of operands.slice(0, -1).slice(-FILES_MAX)) {
      noteMoved(path, effects)
      noteEdited(path, effects)
      if (!isMadeHere(path, effects) && !isWorking(path, true)) noteFilled(operands.at(-1) ?? '', effects)
    }
  if (call.name === 'mv' && isPutAside(call, operands, whole))
    for (const path of operands.slice(0, -1).slice(-FILES_MAX)) noteMovedAway(path, effects)
  if (!empties(call, operands)) return
  for (const path of call.name === 'sed' ? operands.slice(-IN_PLACE_MAX) : writesOf(call)) {
    noteForbiddenTarget(path, effects)
    noteEmptied(path, effects)
  }
}

/** Whether files go to where they are lost, and the same text does not bring them back. */
const isPutAside = ({ open }: Call, operands: readonly string[], whole: string): boolean =>
  !open.includes(true) &&
  operands.length > 1 &&
  (pathKindOf(operands.at(-1) ?? '') === PATH_KINDS.temp || operands.at(-1) === '/dev/null') &&
  !MOVES_ASIDE.test(whole)

function noteMovedAway(path: string, effects: Effects): void {
  if (pathKindOf(path) === PATH_KINDS.temp || isWorking(path, true)) return
  losesPath(
    effects,
    path,
    (isDisposable) => deletes('files go to where they are lost', effects, isDisposable),
    ownNames(path, effects),
  )
}

/** `cp /dev/null X` and its like, what is no database in the place of one, and a program of `sed` that deletes every line. */
const empties = (call: Call, operands: readonly string[]): boolean =>
  (COPIES.test(call.name) && operands[0] === '/dev/null') ||
  (call.name === 'dd' && call.args.includes('if=/dev/null')) ||
  replacesDatabase(call, operands) ||
  (call.name === 'sed' &&
    call.args.some((arg) => /^-[nErsz]*i/.test(arg)) &&
    call.args.some((arg) => /^(?:1,\$)?\s?d$/.test(arg)))

const COPIES = /^(?:cp|mv|install|sort)$/

/** By a copy of one other file, by lines, or by the input: `dd of=X`, `sort -o X`, `tee X`. */
function replacesDatabase(call: Call, operands: readonly string[]): boolean {
  const manner = WRITERS.get(call.name)
  if (manner === undefined || !REPLACES.has(manner)) return false
  const paths = writesOf(call)
  if (!paths.some(isDatabase)) return false
  if (manner === 'all') return !hasOption(call, 'a', '--append')
  const sources = manner === 'of' ? call.args.filter((arg) => arg.startsWith('if=')) : operands
  const others = sources.filter((source) => !paths.includes(source))
  return others.length <= 1 && !others.some((source) => OF_DATABASE.test(source))
}
const REPLACES: ReadonlySet<Manner> = new Set(['last', 'elsewhere', 'of', 'option', 'all'])
/** A database, its copy, a new one beside it, or a file whose name only the run knows. */
const OF_DATABASE = longPattern('writes.OF_DATABASE')

const MOVES_ASIDE = longPattern('writes.MOVES_ASIDE')
