import { does, raise, signal } from '../../effects.js'
import { actsOnPath, losesPath } from '../../objects.js'
import { noteChange, noteLoosened, wordsOfName } from '../../limits/names-of-change.js'
import { PATH_KINDS, isPeoplesRecord, isRecord, pathKindOf } from '../../paths.js'
import { fromFolder } from '../../world/known-world.js'
import { isThrownAway } from '../../world/thrown-away.js'
import { type Call, type ShellContext, type Special, hasOption, isOpen, operandsOf } from '../call.js'
import { mayBeNew } from '../new-names.js'
import { asEntered, isMadeHere, noteDoubtful, noteEdited, noteOwn, ownNames } from '../own-folders.js'
import { COMMAND_LABELS } from './commands.js'
import { patternOf, readTable, longPattern } from '../../../text/data.js'

const { WRITE } = COMMAND_LABELS

export function deletes(reason: string, effects: ShellContext['effects'], isDisposable = false): void {
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, reason)
  does(effects, 'delete', isDisposable)
}
/** Plain paths in the working folder: no pattern, nothing hidden, nothing above it. */
const WORKING = longPattern('deletions.WORKING')
/** Folders that a build, test or experiment creates and can create again. */
const MADE = longPattern('deletions.MADE')

/** A path of the working folder whose only unknown part is that folder. */
const OF_FOLDER = longPattern('deletions.OF_FOLDER')

/** Hidden folders of caches and builds in the working folder. */
const MADE_HIDDEN = longPattern('deletions.MADE_HIDDEN')

/** Below the home of a user, in a workspace or in the working folder by a variable: where projects lie. */
const PROJECTS = longPattern('deletions.PROJECTS')

/** Whether an absolute path is what a build, test or experiment of a project made: `/home/ann/app/dist`. */
function isMade(path: string): boolean {
  const project = PROJECTS.exec(path)?.[0]
  if (project === undefined || path.length > 512 || path.includes('..')) return false
  const parts = path.replace(/\/$/, '').split('/')
  const name = (parts.at(-1) ?? '').replace(/(?<=.)\.\w{1,12}$/, '')
  const isIn = REBUILT.test(path.slice(project.length))
  return (MADE.test(name) || MADE_HIDDEN.test(name) || isIn) && !isRecord(path)
}

/** Databases that a developer or a test makes again, by their names. */
const OF_TRIAL = longPattern('deletions.OF_TRIAL')

/** Folders whose files can all be made again. */
const REBUILT = patternOf(readTable<string>('paths', 'rebuilt'))
/** Caches of systems and package managers. */
const CACHES = patternOf(readTable<string>('paths', 'caches'))

/** Files in the working folder that compilers and typesetters make. */
const MADE_GLOB = longPattern('deletions.MADE_GLOB')

/** Folders of packages and caches in every part of a project, by a pattern. */
const MADE_BELOW = longPattern('deletions.MADE_BELOW')

/** Whether a path lies in a folder whose files can all be made again, or is a cache. */
const isRebuilt = (path: string): boolean =>
  !path.includes('..') &&
  path.length <= 512 &&
  !isRecord(path) &&
  (CACHES.test(path) || (!/^[/~$]/.test(path) && REBUILT.test(path)))

/** Whether a path is an agent's own work by its name: a file that may be new and has no records, or what can be created again. */
export const isWorking = (path: string, isRecursive: boolean): boolean =>
  isMadeAgain(path, isRecursive) || mayBeWork(path)

/** Whether a file of the working folder may be the work of an agent: only who sees it can tell. */
function mayBeWork(path: string): boolean {
  const name = nameOf(path)
  if (!WORKING.test(path) || !/\.\w{1,16}$/.test(name) || isPeoplesRecord(name)) return false
  return isRecord(name) ? OF_TRIAL.test(path) : REPEATED.test(name) || mayBeNew(path)
}

/** What programs write again. */
const REPEATED = longPattern('deletions.REPEATED')

const nameOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? ''

/** Records a deleted file that is the agent's work by its name alone. */
export function noteWorkDeleted(path: string, isRecursive: boolean, effects: ShellContext['effects']): void {
  if (!isMadeAgain(path, isRecursive) && mayBeWork(path)) noteDoubtful(path, effects)
}

/** Whether a path is what a build, a test or an experiment creates and can create again. */
export function isMadeAgain(path: string, isRecursive: boolean): boolean {
  if (MADE_GLOB.test(path) || MADE_BELOW.test(path)) return true
  if (!WORKING.test(path)) return MADE_HIDDEN.test(path) || isMade(path) || isRebuilt(path)
  const name = nameOf(path)
  if (isRecord(name) || /\.\w{1,16}$/.test(name)) return isRebuilt(path)
  const [first = ''] = path.replace(/^\.\//, '').split('/')
  return isRecursive && (MADE.test(first) || MADE.test(name))
}

/** Names of files that compilers, tests and editors make: `*.pyc`, `.DS_Store`. */
const MADE_FILES = longPattern('deletions.MADE_FILES')

/** Whether a `find` below the working folder deletes only files that can be made again, by their names. */
export function findsMade(call: Call): boolean {
  const names = call.args.filter((_, i) => /^-i?name$/.test(call.args[i - 1] ?? ''))
  const places = call.args.slice(
    0,
    call.args.findIndex((arg) => arg.startsWith('-')),
  )
  return (
    !isOpen(call) &&
    names.length > 0 &&
    names.every((name) => MADE_FILES.test(name)) &&
    places.every((place) => !/^[/~]|\.\./.test(place)) &&
    !call.args.some((arg) => /^(?:!|-not|,|-o|-or)$/.test(arg))
  )
}

/** Whether a file is a database: not of tests, of what a build makes, nor of what can be made again. */
export const isDatabase = (path: string): boolean => DATABASE.test(path)
const DATABASE = longPattern('deletions.DATABASE')

/** Records that a file of records is emptied: `> customers.csv`, `cp /dev/null customers.db`, `sed -i d customers.csv`. */
export function noteEmptied(path: string, effects: ShellContext['effects']): void {
  if (!isRecord(path)) return
  if (pathKindOf(path) === PATH_KINDS.temp) return
  losesPath(effects, path, (isDisposable) => deletes('a file of records is emptied', effects, isDisposable))
}

/** Whether a word is a variable that holds what `mktemp` made, and nothing else in the text. */
function isTemporary(word: string, text: string): boolean {
  const name = /^\$\{?(\w{1,64})\}?(?:\/[\w./*-]{0,128})?$/.exec(word)?.[1]
  if (name === undefined || word.includes('..') || text.length > 32_768) return false
  const assigned = text.match(new RegExp(`(?<![\\w$])${name}=\\S{0,16}`, 'g')) ?? []
  if (
    new RegExp(
      `\\b(?:read|for|select|mapfile|readarray|getopts)\\b[^;\\n]{0,128}?(?<![\\w$\{])${name}\\b`,
    ).test(text)
  )
    return false
  return assigned.length === 1 && /=["']?(?:\$\(|`)mktemp/.test(assigned[0])
}

/** Whether `xargs` is fed by a `find` of files that can be made again, by their names. */
function isFedMade(text: string): boolean {
  const [, found = ''] = /\bfind\s([^|;&]{1,512})\|\s{0,4}xargs\b/.exec(text) ?? []
  const names = [...found.matchAll(/-i?name\s{1,4}['"]?([^\s'"]{1,64})/g)].map(([, name = '']) => name)
  return (
    names.length > 0 && names.every((name) => MADE_FILES.test(name)) && !/(?:^|\s)(?:!|-not)\s/.test(found)
  )
}

/** Packages that the same text fetches again. */
const FETCHES_DEPS = /\bmix deps\.get\b/

/** Paths that one command loses without a question on a disposable machine. */
const LOST_MAX = 8

/** Reads deletions. Any but of temporary files is irreversible; deleting the agent's own work is no `delete` act. */
export const remove: Special = (call, { effects, whole: text }) => {
  const operands = operandsOf(call)
  for (const path of operands) {
    noteChange(path, effects)
    noteEdited(path, effects)
    if (wordsOfName(path.slice(-256)).includes('test')) noteLoosened(effects)
  }
  const temporary =
    operands.length > 0 &&
    !isOpen(call) &&
    operands.every((operand) => pathKindOf(operand) === PATH_KINDS.temp)
  raise(
    effects,
    temporary ? WRITE : { capability: 'write', reversibility: 'irreversible' },
    temporary ? 'temporary files are deleted' : 'files are deleted',
  )
  if (temporary) return
  const isRecursive = hasOption(call, 'rR', '--recursive')
  if (isRecursive || hasOption(call, 'f', '--force')) signal(effects, 'destructive', 1)
  if (operands.includes('$') && isFedMade(text)) return
  const isKnown = call.args.every(
    (arg, i) => call.open[i] !== true || OF_FOLDER.test(arg) || isTemporary(arg, text),
  )
  // The settings of an agent are no work of it, also from within their folder.
  const isOfAgent = (path: string): boolean => pathKindOf(asEntered(path, effects)) === PATH_KINDS.guard
  const lost = operands.filter(
    (operand) =>
      isOfAgent(operand) ||
      (!isWorking(fromFolder(operand, effects), isRecursive) &&
        !isMadeHere(operand, effects) &&
        !(operand === 'deps' && FETCHES_DEPS.test(text)) &&
        !isTemporary(operand, text)),
  )
  const isLost = new Set(lost)
  for (const path of operands)
    if (!isLost.has(path)) noteWorkDeleted(fromFolder(path, effects), isRecursive, effects)
  if (isKnown && lost.length === 0) return
  // Beyond the objects that are kept, nobody could tell the losses apart.
  does(
    effects,
    'delete',
    isKnown && lost.length <= LOST_MAX && lost.every((path) => isThrownAway(path, effects)),
  )
  if (!isKnown) return
  for (const path of lost) {
    const isDisposable = lost.length <= LOST_MAX && isThrownAway(path, effects)
    const named = isOfAgent(path) ? asEntered(path, effects) : path
    actsOnPath(effects, 'delete', named, ownNames(path, effects), isDisposable)
    // Whatever is there later was made after this.
    if (isRecursive) noteOwn(path, effects)
  }
}

/** Reads `rimraf`, which deletes whole folders whatever its options. */
export const rimraf: Special = (call, context, run) =>
  remove(
    {
      ...call,
      name: 'rm',
      args: ['-rf', ...call.args],
      open: [false, ...call.open],
      loose: [undefined, ...call.loose],
    },
    context,
    run,
  )
