import type { Act } from '@plimsoll/contracts'
import { patternOf, readSet, readTable, longPattern } from '../text/data.js'
import { type Effects, does, raise } from './effects.js'
import { actsOnPath, losesPath } from './objects.js'
import { PATH_KINDS, pathKindOf } from './paths.js'
import { mayBeNew } from './shell/new-names.js'
import { ownNames } from './shell/own-folders.js'
import { isWorking, noteWorkDeleted } from './shell/programs/deletions.js'

/** Characters of a program that are read for its acts, from each end, and calls that are read. */
const TEXT_MAX = 16_384
const CALLS_MAX = 16
const ARGUMENT_MAX = 256

/** Calls that delete a whole tree, and those that delete or empty one file. */
const REMOVES = longPattern('code-acts.REMOVES')
/** Those of them that no client of another host has. */
const LOCAL = longPattern('code-acts.LOCAL')
/** What a call removes: a literal path, or a name. */
const LITERAL = longPattern('code-acts.LITERAL')
const NAME = longPattern('code-acts.NAME')
/** Ways to find files at run time, with where they look if that is a literal. */
const FINDS = longPattern('code-acts.FINDS')
const TEMPORARY = longPattern('code-acts.TEMPORARY')

/** Acts of code by the words of its calls: grants, payments, messages, deletions elsewhere. */
const CALLS = readTable<readonly { act: Act; reason: string; pattern: string }[]>('code', 'acts').map(
  ({ act, reason, pattern }) => ({ act, reason, pattern: patternOf(pattern) }),
)
/** Reads the whole of a file that lets others in. */
const READS = longPattern('code-acts.READS')
/** The whole environment, as a text. */
const ENVIRONMENT = longPattern('code-acts.ENVIRONMENT')

/** Files that let others in, as a part of a path in a text. */
const KEYS = longPattern('code-acts.KEYS')
const REACHES = longPattern('code-acts.REACHES')

/** Whether a word may belong to such an act, by its first letters; a program with no such word is not read for them. */
export const mayAct = (word: string): boolean => BEGINNINGS.has(word.slice(0, LETTERS).toLowerCase())
const LETTERS = 4
const BEGINNINGS = readSet('code', 'actWords')
const WORD = /[A-Za-z_]\w{0,63}/g

/** The same for a text whose words were not yet looked at. */
function mayActIn(text: string): boolean {
  for (const [word] of text.matchAll(WORD)) if (mayAct(word)) return true
  return false
}

/**
 * Records the irreversible acts of a program that its calls show: what it deletes, whom it lets in, whom it pays or writes to, and keys that
 * it sends. Linear in the text.
 *
 * @param isSeen whether `mayAct` was true of one of its words
 */
export function noteCodeActs(given: string, effects: Effects, isSeen = false): void {
  const text = given.length > 2 * TEXT_MAX ? `${given.slice(0, TEXT_MAX)}\n${given.slice(-TEXT_MAX)}` : given
  if (!isSeen && !mayActIn(text)) return
  noteRemovals(text, effects)
  const earnest = text.includes('DryRun') ? text.replaceAll(TRIAL, '()') : text
  for (const { act, reason, pattern } of CALLS) if (pattern.test(earnest)) note(act, reason, effects)
  if (sendsKeys(text) || (ENVIRONMENT.test(text) && REACHES.test(text)))
    note('send', 'code that sends what lets others in', effects)
}

/** A call of a cloud's client that says that it is a trial. */
const TRIAL = longPattern('code-acts.TRIAL')

function note(act: Act, reason: string, effects: Effects, isDisposable = false): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, reason)
  does(effects, act, isDisposable)
}

/** Records what a program deletes: paths by their names; what only the run finds, unless it looks in what can be made again. */
function noteRemovals(given: string, effects: Effects): void {
  const text = given.replaceAll(PATH_ITSELF, 'os.unlink($1$2$1,')
  let left = CALLS_MAX
  let isFound: boolean | undefined
  for (const { 0: call, 1: tree, index } of text.matchAll(REMOVES)) {
    if ((left -= 1) < 0) return
    const path = pathOf(text.slice(index + call.length, index + call.length + ARGUMENT_MAX), text)
    if (path === 'temporary') continue
    if (path !== undefined) {
      if (isOfProgram(path, tree !== undefined)) {
        noteWorkDeleted(path, tree !== undefined, effects)
        continue
      }
      if (LOCAL.test(call))
        losesPath(
          effects,
          path,
          (isDisposable) => note('delete', 'code that deletes', effects, isDisposable),
          ownNames(path, effects),
        )
      else {
        note('delete', 'code that deletes', effects)
        actsOnPath(effects, 'delete', path, ownNames(path, effects))
      }
    } else if (tree !== undefined) note('delete', 'code that deletes', effects)
    else if ((isFound ??= findsOthers(text))) note('delete', 'code that deletes what it finds', effects)
  }
}

/** `Path('notes.md').unlink()`. */
const PATH_ITSELF = longPattern('code-acts.PATH_ITSELF')

/** Whether a path is temporary, or may be made by a program: a file of the project without records. */
const isOfProgram = (path: string, isTree: boolean): boolean =>
  pathKindOf(path) === PATH_KINDS.temp ||
  isWorking(path, isTree) ||
  (!isTree &&
    PLAIN.test(path) &&
    pathKindOf(path) === PATH_KINDS.plain &&
    !KEEPS.test(path) &&
    mayBeNew(path))
const PLAIN = longPattern('code-acts.PLAIN')
const KEEPS = longPattern('code-acts.KEEPS')

/** The path that an argument is: written there, or the only value of its name; undefined if only the run knows. */
function pathOf(argument: string, text: string): string | undefined {
  const literal = LITERAL.exec(argument)?.[2]
  const name = NAME.exec(argument)?.[1]
  if (literal !== undefined)
    return makesItself(`["'\`]${literal.replaceAll(/[^\w]/g, '.')}["'\`]`, text) ? 'temporary' : literal
  if (name === undefined) return undefined
  if (makesItself(`${name}\\b`, text)) return 'temporary'
  const values = [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\s{0,4}=(?!=)([^\\n]{0,200})`, 'g'))].slice(
    0,
    4,
  )
  const [value = ''] = values.map(([, assigned = '']) => assigned)
  if (values.length !== 1) return undefined
  return LITERAL.exec(value)?.[2] ?? (TEMPORARY.test(value) ? 'temporary' : undefined)
}

/** Whether a program makes what it removes: a folder, or a file that it opens to write. */
const makesItself = (name: string, text: string): boolean =>
  new RegExp(
    `\\b(?:makedirs|mkdir|mkdirSync|mkdir_p|os\\.mkdir|create_dir_all|MkdirAll)\\s{0,4}\\(\\s{0,4}${name}|\\bopen\\(\\s{0,4}${name}\\s{0,4},\\s{0,4}["'][wxa]|(?<![\\w.])${name}\\.mkdir\\(|\\b(?:writeFileSync|write_text|File\\.write)\\s{0,4}\\(\\s{0,4}${name}`,
  ).test(text)

/** Whether the files that a program finds may be others than what a build made or temporary ones. */
function findsOthers(text: string): boolean {
  const at = text.search(FINDS)
  if (at < 0) return false
  const around = text.slice(Math.max(0, at - ARGUMENT_MAX), at + ARGUMENT_MAX)
  const paths = [...around.matchAll(/["'`]([^"'`\n]{1,200})["'`]/g)].map(([, path = '']) => path)
  const places = paths
    .map((path) => path.replace(/[*?[].*$/, ''))
    .filter((path) => /[/\\~]|^[\w-]{2,}$/.test(path))
  const isMade = (path: string): boolean => pathKindOf(path) === PATH_KINDS.temp || isWorking(path, true)
  return !(places.length > 0 && places.every(isMade)) && !TEMPORARY.test(around)
}

/** Whether a program reads a file that lets others in, and reaches the network. */
export function sendsKeys(text: string): boolean {
  if (!REACHES.test(text)) return false
  if (KEYS.test(text) && SENDING_WORDS.test(text)) return true
  let left = CALLS_MAX
  for (const [, path = ''] of text.matchAll(READS)) {
    if ((left -= 1) < 0) return false
    if (pathKindOf(path) === PATH_KINDS.credentials) return true
  }
  return false
}

const SENDING_WORDS = longPattern('code-acts.SENDING_WORDS')
