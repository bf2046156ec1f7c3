import { longPattern } from '../../text/data.js'
import type { LossAt } from '../../observer-views.js'
import type { Effects } from '../effects.js'
import { type Call, type ShellContext, hasOption, isOpen, operandsOf } from './call.js'
import { mayBeNew, tailsOf } from './new-names.js'
import { oneByProgram } from './programs/command-table.js'

/** Folders that one step reports as made. */
const MADE_MAX = 8
const PATH_MAX = 256
/** Folders above an object that may be own. */
const ABOVE_MAX = 4
/** The first words by which a program makes the folder that its last argument names; none: always. */
const MAKERS = oneByProgram<string>('makesFolder')
/** Options by which a program names a file that it makes, and makes again whenever it runs. */
const OUTPUTS = oneByProgram<string>('makesFile')
/** Stands for the end of a folder's name in a name of own things; no folder is called so. */
const BORDER = 'zqz'

/** Follows `cd`, and records the folders that a command makes: `mkdir`, a clone, a virtual environment. */
export function noteFolders(call: Call, { effects, whole }: ShellContext): void {
  if (call.name === 'cd' || call.name === 'pushd') return enter(call, effects)
  if (isOpen(call)) return
  if (call.name === 'cp') for (const path of backupOf(call)) noteOwn(path, effects)
  if (call.name === 'touch') for (const path of operandsOf(call)) noteProbe(path, effects)
  for (const path of outputsOf(call)) {
    noteOwn(path, effects)
    note(path, effects.fresh, effects)
  }
  const folders = madeBy(call)
  if (folders.length === 0) return
  // `mkdir -p` takes a folder that is there already; without it a failure shows that, if the step fails with it.
  const takesOld = call.name === 'mkdir' && hasOption(call, 'p', '--parents')
  const isShown = !takesOld && failsWith(call, whole)
  for (const folder of folders) {
    if (isShown) noteOwn(folder, effects)
    else noteClaimed(folder, effects)
    if (isShown || (!takesOld && mayBeNew(folder))) note(folder, effects.fresh, effects)
  }
}

/** What a compiler or profiler makes: `gcc bst.c -o bst`, `go test -cpuprofile c.out ./render`, which also leaves `render.test`. */
function outputsOf({ name, args }: Call): readonly string[] {
  const options = OUTPUTS.get(name)?.split(' ')
  if (options === undefined) return []
  const outputs = args.filter((_, i) => options.includes(args[i - 1] ?? ''))
  const isProfile = name === 'go' && args[0] === 'test' && outputs.length > 0
  const tested = isProfile ? (/^[./]*(?:[\w-]+\/){0,8}([\w-]+)$/.exec(args.at(-1) ?? '')?.[1] ?? '') : ''
  return tested === '' ? outputs : [...outputs, `${tested}.test`]
}

/** The copy that a command puts beside a file by its name: `cp app.yml app.yml.bak`. What was there before is lost by the copy. */
function backupOf(call: Call): readonly string[] {
  const [from = '', to = '', ...more] = operandsOf(call)
  if (more.length > 0 || !to.startsWith(from) || hasOption(call, 'nirRa', '--no-clobber', '--interactive'))
    return []
  return BACKUP.test(to.slice(from.length)) ? [to] : []
}
const BACKUP = longPattern('own-folders.BACKUP')

/** Names of files by which one tries whether a folder takes any: `.w`, `.probe`, `__write_test`. */
const PROBE = longPattern('own-folders.PROBE')

/** Records a file that is only to show whether a folder can be written, so that the same step may take it away again. */
export function noteProbe(path: string, effects: Effects): void {
  if (PROBE.test(path.slice(path.lastIndexOf('/') + 1))) note(path, effects.fresh, effects)
}

/** Whether a step fails if this command of it does: only what runs after its success follows. Too long a text is not searched. */
function failsWith({ name }: Pick<Call, 'name'>, whole: string): boolean {
  if (whole.length > LINE_MAX) return false
  return !AFTER_FAILURE.test(whole.slice(Math.max(0, whole.indexOf(name))))
}
const LINE_MAX = 16_384
/** Ends of a command behind which the text goes on whether or not it succeeded. */
const AFTER_FAILURE = longPattern('own-folders.AFTER_FAILURE')

/** Records that what is at `path` once the step is over is the session's own. */
export const noteOwn = (path: string, effects: Effects): void => note(path, effects.made, effects)

/** Records the same of what may have been there before: only who sees the files can tell. */
export const noteClaimed = (path: string, effects: Effects): void => note(path, effects.claimed, effects)

/** Records that the step changes the file: to go back to what was committed then drops the session's own work. What runs elsewhere changes none here. */
export function noteEdited(path: string, effects: Effects): void {
  if (!effects.isAway) note(path, effects.edited, effects)
}

/** Records that what others made is moved into a folder: it is no longer the session's own. */
export function noteFilled(path: string, effects: Effects): void {
  const known = pathFrom(path, effects)
  if (known === undefined) return
  for (const list of [effects.fresh, effects.made, effects.claimed]) {
    const at = list.findIndex((folder) => known === folder || known.startsWith(`${folder}/`))
    if (at >= 0) list.splice(at, 1)
  }
}

/** Records that a file is deleted that is the agent's work by its name alone. */
export function noteDoubtful(path: string, effects: Effects): void {
  if (!effects.isAway && !isMadeHere(path, effects)) note(path, effects.doubtful, effects)
}

function note(path: string, list: string[], effects: Effects): void {
  const known = pathFrom(path, effects)
  if (known !== undefined && list.length < MADE_MAX && !list.includes(known)) list.push(known)
}

function enter(call: Call, effects: Effects): void {
  const [to = '~'] = operandsOf(call)
  effects.folder = isOpen(call) ? undefined : pathFrom(to, effects)
  effects.entered = isOpen(call) || to === '-' ? '' : asEntered(to, effects).slice(-PATH_MAX)
}

/** A path with the folder that its command has entered before it. */
export const asEntered = (path: string, { entered }: Pick<Effects, 'entered'>): string =>
  entered === '' || /^(?:[~/$\\]|[A-Za-z]:)/.test(path) ? path : `${entered.replace(/\/$/, '')}/${path}`

function madeBy(call: Call): readonly string[] {
  const operands = operandsOf(call)
  if (call.name === 'mkdir') return hasOption(call, 'm', '--mode') ? operands.slice(1) : operands
  if (call.name === 'git' && operands[0] === 'clone') return cloneOf(after(call, 'clone'))
  if (call.name === 'git' && operands[0] === 'worktree' && operands[1] === 'add') return operands.slice(2, 3)
  if (call.name === 'gh' && operands[0] === 'repo' && operands[1] === 'clone')
    return cloneOf(after(call, 'clone'))
  const by = MAKERS.get(call.name)
  if (by === '' || by?.split(' ').includes(operands[0] ?? '') === true) return operands.slice(-1)
  if (LAUNCHERS.has(call.name)) return startedBy(operands)
  if (call.name === 'python' && call.args[0] === '-m' && call.args[1] === 'venv') return call.args.slice(-1)
  return []
}

/** Runners of packages that start a project: `npx create-next-app web`, `npm create vite@latest web`. They refuse a folder that holds files. */
const LAUNCHERS: ReadonlySet<string> = new Set('npx bunx npm pnpm yarn'.split(' '))

function startedBy(operands: readonly string[]): readonly string[] {
  if (/^(?:create|init)$/.test(operands[0] ?? '')) return operands.slice(2, 3)
  const at = operands.slice(0, 2).findIndex((word) => /^(?:@[\w-]{1,64}\/)?create-[\w@./-]{1,64}$/.test(word))
  return at < 0 ? [] : operands.slice(at + 1, at + 2)
}

const after = ({ args }: Call, word: string): readonly string[] => args.slice(args.indexOf(word) + 1)

/** Options of a clone that take the next word. */
const OF_CLONE = longPattern('own-folders.OF_CLONE')

/** The folder of a clone: as it is given, or the name of the repository. An unknown option with a value makes it unknown. */
function cloneOf(args: readonly string[]): readonly string[] {
  const [from = '', to, ...more] = args.filter(
    (arg, i) => !arg.startsWith('-') && !OF_CLONE.test(args[i - 1] ?? ''),
  )
  if (more.length > 0) return []
  const name =
    from
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  return [to ?? name]
}

/** The path as seen from where the step began, without `.`; undefined if it is not known, is a pattern, or lies above that. */
export function pathFrom(path: string, { folder }: Pick<Effects, 'folder'>): string | undefined {
  if (folder === undefined || path.length > PATH_MAX || /[*?[\]{}$`~\\]|(?:^|\/)\.\.(?:\/|$)/.test(path))
    return undefined
  const whole = path.startsWith('/') ? path : `${folder}/${path}`
  const parts = whole.split('/').filter((part) => part !== '' && part !== '.')
  const root = path.startsWith('/') || folder.startsWith('/') ? '/' : ''
  return parts.length === 0 ? undefined : root + parts.join('/')
}

/** Whether this very step made the folder for sure, or a folder that it lies in. */
export function isMadeHere(path: string, effects: Effects): boolean {
  const known = pathFrom(path, effects)
  return (
    known !== undefined && effects.fresh.some((folder) => known === folder || known.startsWith(`${folder}/`))
  )
}

/** Names under which a path and the folders that it lies in would be own. */
export function ownNames(path: string, effects: Effects): string[] {
  // A pattern is what its folder holds of it.
  const plain = path.replace(/\/[^/]*[*?][^/]*$/, '')
  const below = plain.startsWith('~/') ? pathFrom(plain.slice(2), { folder: '' }) : undefined
  const known = below === undefined ? pathFrom(plain, effects) : `/~/${below}`
  if (known === undefined) return []
  const names: string[] = []
  for (let end = known.length; end > 0 && names.length < ABOVE_MAX; end = known.lastIndexOf('/', end - 1))
    names.push(ownName(known.slice(0, end)))
  return names
}

/**
 * The names under which things are own once a step is over. What may have been there before is own if nothing is at its path yet, or, where
 * nobody can look, if its name says that it may be new.
 */
export function ownNamesOf(
  { made, claimed, edited }: Readonly<Record<'made' | 'claimed' | 'edited', readonly string[]>>,
  isThere?: (path: string) => boolean | undefined,
  lossAt?: LossAt,
): string[] {
  const names = [...made]
  for (const path of claimed) if (!(isThere?.(path) ?? !mayBeNew(path))) names.push(ownName(path))
  // What was changed before may be the user's.
  for (const path of edited)
    if (lossAt?.(path, 'restore') !== true) names.push(editedName(path), ...tailsOf(path).map(editedName))
  return names.slice(0, MADE_MAX)
}

/** The name under which a file is own that was there, and that the session has changed. */
export const editedName = (path: string): string => `ownthing:edited:${path}`

/** Names under which changes of a file would be own. */
export function editedNames(path: string, effects: Effects): string[] {
  const known = pathFrom(path, effects)
  return known === undefined ? [] : [editedName(known)]
}

/** The name under which a made folder is own. It is no name that a task could have for it. */
export const ownName = (path: string): string =>
  path.startsWith('ownthing:') ? path : `own${BORDER}${path.replace(HOME, '/~').replaceAll('/', BORDER)}`
/** The home of a user, which a shell calls `~`. */
const HOME = longPattern('own-folders.HOME')
