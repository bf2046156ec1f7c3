import type { Effects } from '../effects.js'
import { PATH_KINDS, pathKindOf } from '../paths.js'
import { readSet } from '../../text/data.js'

/** Things that one step reports as changed, and names of one. */
const CHANGES_MAX = 8
const NAMES_MAX = 32
const PATH_MAX = 512
/** Folders of a path, from its end, that are named. */
const PARTS_MAX = 8
/** Stands for what separates the parts of a limit's name; no file is called so. */
const BORDER = 'zqz'

/**
 * What a limit of a task is about.
 * - `place`: a folder or file, by one or two of its names
 * - `word`: what has the word in its name
 * - `kind`: `scratch`, which no limit means; what lies `outside` the project; checks that are `loosened`
 */
export type LimitKind = 'place' | 'word' | 'kind'

/** The name of a limit, and of a change that it is about. It is no text that a task could have. */
export const limitName = (kind: LimitKind, of: string): string =>
  `limit${BORDER}${kind}${BORDER}${of.replaceAll(/[^a-z0-9.]+/g, BORDER)}`

export const OUTSIDE = limitName('kind', 'outside')
export const SCRATCH = limitName('kind', 'scratch')
export const LOOSENED = limitName('kind', 'loosened')

const TESTS = readSet('limits', 'tests')

/** Records that the step changes what is at `path`. */
export function noteChange(path: string, effects: Effects): void {
  if (effects.changes.length >= CHANGES_MAX || path === '' || path.length > PATH_MAX) return
  if (pathKindOf(path) === PATH_KINDS.sink) return
  const names = namesOfChange(inFolder(path, effects))
  if (RUNNER_SETTINGS.test(path)) noteLoosened(effects)
  const known = names.join(' ')
  if (!effects.changes.some((each) => each.join(' ') === known)) effects.changes.push(names)
}

/** Files that say which tests run and when they pass. */
const RUNNER_SETTINGS =
  /(?:^|[\\/])(?:pytest\.ini|tox\.ini|\.coveragerc|\.nycrc(?:\.json)?|codecov\.ya?ml|(?:jest|vitest|cypress|playwright|karma|mocharc)\.(?:config|conf)\.[cm]?[jt]s)$/i

/** Records that the step loosens what checks the work. */
export function noteLoosened(effects: Effects): void {
  if (effects.changes.length < CHANGES_MAX) effects.changes.push([LOOSENED, SCRATCH])
}

/** Records a change of the system that names no file. */
export function noteSystemChange(effects: Effects): void {
  if (effects.changes.length < CHANGES_MAX) effects.changes.push([OUTSIDE])
}

const inFolder = (path: string, { folder }: Effects): string =>
  !folder || /^(?:[/~\\]|[A-Za-z]:)/.test(path) ? path : `${folder}/${path}`

/**
 * Names by which limits know a path: its folders and its name, alone and in pairs, and their words.
 *
 * @example namesOfChange('src/auth/user_test.py') // place src, place src/auth, …, word user, word test
 */
export function namesOfChange(path: string): string[] {
  const plain = path.toLowerCase().replaceAll('\\', '/')
  const kind = pathKindOf(path)
  const parts = partsOf(plain).slice(-PARTS_MAX)
  const names = new Set<string>(kind === PATH_KINDS.temp ? [SCRATCH] : [])
  if (isOutside(plain, kind.name)) names.add(OUTSIDE)
  for (const [i, part] of parts.entries()) {
    names.add(limitName('place', part))
    const next = parts[i + 1]
    if (next !== undefined) names.add(limitName('place', `${part}/${next}`))
  }
  for (const part of path.replaceAll('\\', '/').split('/').slice(-PARTS_MAX))
    for (const word of wordsOfName(part)) names.add(limitName('word', word))
  return [...names].slice(0, NAMES_MAX)
}

/** The parts of a path, `.` and `..` resolved. */
export const partsOf = (path: string): string[] => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.' && part !== '~') parts.push(part)
  }
  return parts
}

const OF_SYSTEM: ReadonlySet<string> = new Set([
  PATH_KINDS.system.name,
  PATH_KINDS.device.name,
  PATH_KINDS.startup.name,
])

/** Whether a path lies in no project: in the system, beside the working folder, in the home itself. */
const isOutside = (path: string, kind: string): boolean =>
  path.startsWith('~') || path.startsWith('../') || (OF_SYSTEM.has(kind) && /^(?:\/|[a-z]:)/.test(path))

/** Content words of a name in the singular; those of tests are also called so. */
export function wordsOfName(name: string): string[] {
  const words = (name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]{3,32}|e2e/g) ?? []).map(singular)
  return words.some((word) => TESTS.has(word)) ? [...words, 'test'] : words
}

export const singular = (word: string): string =>
  word
    .toLowerCase()
    .replace(/(?<=[a-z]{3})ies$/, 'y')
    .replace(/(?<=[a-z]{2}[^s])s$/, '')
