import { longPattern, readSet } from '../text/data.js'
import type { Act, EffectAct, ObjectKind, Reach } from '@plimsoll/contracts'
import { type ActedOn, type Effects, signal } from './effects.js'
import { fileName } from '../acts/product-words.js'
import { meaningsOf } from '../text/short-forms.js'
import { PATH_KINDS, pathKindOf } from './paths.js'
import { isOfFolder } from './world/known-world.js'
import { isThrownAway } from './world/thrown-away.js'

/** Objects kept per call, and texts kept per object. */
const OBJECTS_MAX = 8
const TEXTS_MAX = 14
const FILE_WORDS_MAX = 5
const PATH_MAX = 512
/** Characters of a name for people. */
const THING_MAX = 200

/** Words for any file or folder; a text with one names those of the working folder. */
const OF_FOLDER = ['file', 'folder', 'directory']

/** What `actsOn` records besides the act: what is left out is not known. */
type Given = Pick<ActedOn, 'names'> &
  Partial<Pick<ActedOn, 'kind' | 'reach' | 'own' | 'thing' | 'byName' | 'ofRecord'>>

/**
 * Records what an irreversible act is done to, by its names as a task may have them (paths, words) and by those under which the session may
 * have made it. Without any, no task can name it. An object that is known only when the step runs is not recorded. Beyond 8, nothing names
 * the last.
 */
export function actsOn(
  effects: Effects,
  act: EffectAct,
  { names, kind, own = [], byName = false, ofRecord = false, ...given }: Given,
): void {
  const { objects } = effects
  effects.noted += 1
  const at = objects.findIndex((each) => each.act === act && each.kind === kind && isSame(each.names, names))
  const known = objects[at]
  if (known) {
    if (!known.reach && given.reach) objects[at] = { ...known, reach: given.reach }
    return
  }
  if (byName) signal(effects, 'byName', 1)
  const isLast = objects.length === OBJECTS_MAX
  const thing = (given.thing ?? names[0])?.slice(0, THING_MAX)
  objects[isLast ? OBJECTS_MAX - 1 : objects.length] = {
    act,
    kind,
    reach:
      isLast && given.reach === 'disposable' ? undefined : (given.reach ?? reachOf(kind, thing, effects)),
    names: isLast ? [] : names.slice(0, TEXTS_MAX + FILE_WORDS_MAX),
    own: isLast ? [] : own,
    thing: isLast ? undefined : thing,
    byName: !isLast && byName,
    ofRecord,
  }
}

/** Whether there are more things than are kept, so that nothing names the last. */
export const isFull = ({ objects }: Effects): boolean =>
  objects.length === OBJECTS_MAX && objects.at(-1)?.names.length === 0

/** Whether two things have the same names, and so are recorded once. */
const isSame = (known: readonly string[], names: readonly string[]): boolean =>
  names.length > 0 && known.length === names.length && known.every((name, i) => name === names[i])

/** The effect that an act is, where nothing more is known. */
export const effectOfAct = (act: Act): EffectAct =>
  act === 'overwrite' || act === 'credential' ? 'change' : act

/**
 * Records an irreversible act on a path.
 *
 * @param isDisposable whether a local program takes it away, and `isThrownAway` holds
 */
export function actsOnPath(
  effects: Effects,
  act: EffectAct,
  path: string,
  own: readonly string[] = [],
  isDisposable = false,
): void {
  const given = { kind: 'path', names: namesOfPath(path), own, thing: path } as const
  actsOn(effects, act, isDisposable ? { ...given, reach: 'disposable' } : given)
}

/** Records that a local program takes a path away; `note` records the act, and whether the loss is none. */
export function losesPath(
  effects: Effects,
  path: string,
  note: (isDisposable: boolean) => void,
  own: readonly string[] = [],
): void {
  const isDisposable = isThrownAway(path, effects)
  note(isDisposable)
  actsOnPath(effects, 'delete', path, own, isDisposable)
}

/** Records an irreversible act on something that no task can name. */
export const actsOnUnnamed = (effects: Effects, act: EffectAct, kind?: ObjectKind, reach?: Reach): void =>
  actsOn(effects, act, { kind, reach, names: [] })

const reachOf = (
  kind: ObjectKind | undefined,
  thing: string | undefined,
  effects: Effects,
): Reach | undefined => (kind === 'path' && thing !== undefined ? reachOfPath(thing, effects) : undefined)

/** Paths outside of the working folder may be shared with other work; where links lead is not known. */
function reachOfPath(path: string, effects: Effects): Reach {
  if (pathKindOf(path) === PATH_KINDS.guard) return 'control'
  if (effects.world !== undefined && isOfFolder(path, effects)) return 'project'
  return OUTSIDE.test(path) ? 'shared' : 'project'
}

/** Texts that name what a command feeds to `xargs`: the words of the pipeline before it. */
export const namesOfFed = (text: string): string[] => {
  const at = text.indexOf('xargs')
  return at < 0
    ? []
    : wordsIn(text.slice(Math.max(0, at - PATH_MAX), at).replaceAll(/[:_*]/g, ' ')).slice(0, TEXTS_MAX)
}

/**
 * Texts that name a path: itself, the folders that it lies in, and its words. A task that names a file in a folder does not name the folder.
 *
 * @example namesOfPath('src/old/a.ts') // ['src/old/a.ts', 'a.ts', 'src/old', 'src', 'old', 'ts', …]
 */
export function namesOfPath(given: string): string[] {
  const path = given
    .slice(0, PATH_MAX)
    .replaceAll('\\', '/')
    .replaceAll(/\/{2,}/g, '/')
  const isInside = !/^(?:[/~]|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '~')
  const names = new Set<string>()
  if (parts.length > 0) {
    names.add(parts.join('/'))
    names.add(path)
    names.add(parts.at(-1) ?? '')
    if (parts.length > 2) names.add(parts.slice(-2).join('/'))
    for (let end = parts.length - 1; end > 0; end -= 1)
      if (end > 1 || !ROOTS.has(parts[0]?.toLowerCase() ?? '')) names.add(parts.slice(0, end).join('/'))
  }
  // The home of a user and the roots of systems hold everything: their words name nothing below them.
  const below = parts.filter((part) => !ROOTS.has(part.toLowerCase()))
  const words = wordsIn(below.slice(isInside ? -4 : -2).join(' '))
  for (const word of words) names.add(word)
  return [
    ...[...(isInside ? kindNames(parts) : []), ...names].slice(-TEXTS_MAX),
    ...[...new Set(words)].slice(0, FILE_WORDS_MAX).map(fileName),
  ]
}

/**
 * The path by which what `path` stands for can be named: without folders that it leaves again, and without a last part that stands for more than
 * its words say (`{tmp,data}`, and outside of the working folder `tmp*`).
 *
 * @example pathToName('build/../src') // 'src'
 */
export function pathToName(path: string): string {
  if (!/\/\.\.|[{*]/.test(path) || path.length > PATH_MAX) return path
  const kept: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/'))
    if (part === '..' && kept.length > 0 && !['', '.', '..', '~'].includes(kept.at(-1) ?? '')) kept.pop()
    else kept.push(part)
  const last = kept.at(-1) ?? ''
  if (
    /\{[^}]*,/.test(last) ||
    (/^[\w-]+\*$/.test(last) && /^(?:~|\.\.|[A-Za-z]:|)$/.test(kept[0] ?? '') && kept.length > 1)
  )
    kept.pop()
  return kept.length === 0 ? '.' : kept.join('/')
}

/** What a path inside the working folder may be called without a name: files are files, and all of the folder is everything in it. */
function kindNames(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1) ?? ''
  if (parts.length === 0 || last === '*') return parts.length > 1 ? OF_FOLDER : OF_ALL
  return /[.*?]/.test(last) ? OF_FOLDER : []
}
const OF_ALL = ['every', 'everything', 'all', 'entire', 'whole', 'content', 'contents', 'empty']

const ROOTS = readSet('arguments', 'objectsRoots')

/** Content words and numbers in names of things, and what short words stand for, without the words for deleting them. */
export const wordsIn = (given: string): string[] => {
  const text = given.slice(0, PATH_MAX)
  const words = text.match(WORDS) ?? []
  return [...words, ...(text.match(NUMBERED) ?? [])].flatMap((word) => {
    const isName = (word.length > 2 || /^\d/.test(word)) && !DELETION.test(word)
    return [...(isName ? [word] : []), ...(OF_KINDS.has(word.toLowerCase()) ? [] : meaningsOf(word))]
  })
}

/** Short forms of kinds of things, which name none. */
const OF_KINDS: ReadonlySet<string> = new Set('db svc cfg conf repo vol img bk bkp'.split(' '))
const WORDS = longPattern('objects.WORDS')
const NUMBERED = longPattern('objects.NUMBERED')
const DELETION = longPattern('objects.DELETION')

/** Names of a place on the network: its address with and without a `/` at its end, and its host. */
export const namesOfAddress = (address: string, host: string): string[] => [
  ...new Set([address, address.replace(/\/$/, ''), address.replace(/\/?$/, '/'), host]),
]

const OUTSIDE = longPattern('objects.OUTSIDE')
