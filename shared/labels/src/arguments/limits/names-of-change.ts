import type { Effects } from '../effects.js'
import type { Call } from '../shell/call.js'
import { PATH_KINDS, foldersOf, pathKindOf } from '../paths.js'
import { readSet, longPattern } from '../../text/data.js'
import { wordsOf } from '../../tools/words-of.js'

/** Things that one step reports as changed, and names of one. */
const CHANGES_MAX = 8
const NAMES_MAX = 64
const PATH_MAX = 512
/** Names of a path, from its end. */
const PARTS_MAX = 16
/** Stands for what separates the parts of a limit's name; no file is called so. */
const BORDER = 'zqz'

/**
 * What a limit of a task is about.
 * - `place`: a folder or file, by one or two of its names
 * - `word`: what has the word in its name
 * - `kind`: `scratch`, which no limit means; what lies `outside` the project; checks that are `loosened`; a step that is `acting`
 * - `act`: an act that a task may forbid
 * - `object`: what an act is done to, by a word of its name
 */
export type LimitKind = 'place' | 'word' | 'kind' | 'act' | 'object'

/** The name of a limit, and of a change that it is about. It is no text that a task could have. */
export const limitName = (kind: LimitKind, of: string): string =>
  `limit${BORDER}${kind}${BORDER}${of.replaceAll(/[^a-z0-9.]+/g, BORDER)}`

export const OUTSIDE = limitName('kind', 'outside')
export const SCRATCH = limitName('kind', 'scratch')
export const LOOSENED = limitName('kind', 'loosened')

const TESTS = readSet('limits', 'tests')

/** Records that the step changes what is at `path`. */
export function noteChange(path: string, effects: Effects): void {
  if (path === '' || pathKindOf(path) === PATH_KINDS.sink) return
  if (RUNNER_SETTINGS.test(path)) noteLoosened(effects)
  addChange(
    path.length > PATH_MAX || UNKNOWN.test(path) ? [] : namesOfChange(inFolder(path, effects)),
    effects,
  )
}

/** Begins with what is known only at run time, but for the working folder. */
const UNKNOWN = longPattern('names-of-change.UNKNOWN')

/** Adds a change unless it is known. What does not fit has no names: it may be of anything. */
export function addChange(names: readonly string[], { changes }: Effects): void {
  const last = changes[CHANGES_MAX - 1]
  if (last?.length === 0) return
  const key = names.join(' ')
  if (changes.some((each) => each.join(' ') === key)) return
  if (last === undefined) changes.push(names)
  else changes[CHANGES_MAX - 1] = []
}

/** Files that say which tests run and when they pass. */
const RUNNER_SETTINGS = longPattern('names-of-change.RUNNER_SETTINGS')

/** Records that the step loosens what checks the work. */
export const noteLoosened = (effects: Effects): void => addChange([LOOSENED, SCRATCH], effects)

/** Records a change of the system that names no file. */
export const noteSystemChange = (effects: Effects): void => addChange([OUTSIDE], effects)

/** By which a limit knows whatever changes a database. */
export const OF_DATABASE = limitName('word', 'database')

/** Records that the step changes rows of a database, and what `words` name beside them. No limit to files means it. */
export const noteDatabaseChange = (effects: Effects, ...words: readonly string[]): void =>
  addChange([SCRATCH, OF_DATABASE, ...words.map((word) => limitName('word', word))], effects)

/** Records that a command brings a database to another version: `prisma migrate deploy`, `alembic upgrade head`. */
export function noteMigration({ name, args }: Pick<Call, 'name' | 'args'>, effects: Effects): void {
  if (MIGRATES.test(`${name} ${args.slice(0, MIGRATION_WORDS).join(' ')}`.slice(0, PATH_MAX)))
    noteDatabaseChange(effects, 'schema', 'migration')
}
const MIGRATION_WORDS = 6
const MIGRATES = longPattern('names-of-change.MIGRATES')

const inFolder = (path: string, { folder }: Effects): string =>
  !folder || /^(?:[/~\\]|[A-Za-z]:)/.test(path) ? path : `${folder}/${path}`

/**
 * Names by which limits know a path: its folders and its name, alone and in pairs, and their words. None if they are too many.
 *
 * @example namesOfChange('src/auth/user_test.py') // place src, place src/auth, …, word user, word test
 */
export function namesOfChange(path: string): string[] {
  const kind = pathKindOf(path)
  const parts = foldersOf(path).slice(-PARTS_MAX)
  const names = new Set<string>(kind === PATH_KINDS.temp ? [SCRATCH] : [])
  if (isOutside(path.replaceAll('\\', '/'), kind.name)) names.add(OUTSIDE)
  for (const [i, part] of parts.entries()) {
    names.add(limitName('place', part))
    const next = parts[i + 1]
    if (next !== undefined) names.add(limitName('place', `${part}/${next}`))
  }
  for (const word of wordsOfName(path)) names.add(limitName('word', word))
  return names.size > NAMES_MAX ? [] : [...names]
}

const OF_SYSTEM: ReadonlySet<string> = new Set([
  PATH_KINDS.system.name,
  PATH_KINDS.device.name,
  PATH_KINDS.startup.name,
])

/** Whether a path lies in no project: in the system, beside the working folder, in the home itself. */
const isOutside = (path: string, kind: string): boolean =>
  path.startsWith('~') || leaves(path) || (OF_SYSTEM.has(kind) && /^(?:\/|[A-Za-z]:)/.test(path))

/** Whether a relative path leads above where it begins. */
function leaves(path: string): boolean {
  let depth = 0
  for (const part of path.startsWith('/') ? [] : path.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}

/** Content words of a name in the singular, without numbers behind them; those of tests are also called so. */
export function wordsOfName(name: string): string[] {
  const words = wordsOf(name, PATH_MAX)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word.length >= WORD_MIN)
  return words.some((word) => TESTS.has(word)) ? [...words, 'test'] : words
}

const WORD_MIN = 3

/** Whether a place is within another, both by their names. */
export const isWithin = (place: string, other: string): boolean => place.startsWith(other + BORDER)

/** Whether the last part of a place, in the singular, is one of these words. */
export const isCalled = (place: string, words: ReadonlySet<string>): boolean =>
  words.has((place.split(BORDER).at(-1) ?? '').replace(/s$/, ''))
