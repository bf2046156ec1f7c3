import { readSet, longPattern } from '../../text/data.js'
import { singular, wordsOf } from '../../tools/words-of.js'
import { foldersOf } from '../paths.js'
import { limitedActs } from './acts-of-task.js'
import { ACTING } from './names-of-acts.js'
import {
  LOOSENED,
  OF_DATABASE,
  OUTSIDE,
  SCRATCH,
  isCalled,
  isWithin,
  limitName,
  wordsOfName,
} from './names-of-change.js'

/** Limits for the text: characters, clauses, characters of one, names of each list. */
const TEXT_MAX = 20_000
const CLAUSES_MAX = 256
const CLAUSE_MAX = 400
const NAMES_MAX = 24

/** What a user's text lets change and what not, by the names of `namesOfChange`. */
export interface TaskLimits {
  /** If there are any, what has none of these names stays as it is. */
  readonly only: readonly string[]
  /** What has one of these names stays as it is. */
  readonly never: readonly string[]
  /** If there are any, nothing without one of these names changes before a later text asks for a change. */
  readonly waits: readonly string[]
  /** What a later text asks to change: it lifts earlier limits. */
  readonly allows: readonly string[]
  /** Acts that a later text asks for, and what they are done to, by the names of `names-of-acts`: it lifts earlier limits to them. */
  readonly does: readonly string[]
  /** Words of what its orders except, for each. */
  readonly kept: readonly (readonly string[])[]
  /** Whether the text sets limits to acts. */
  readonly forbidsActs: boolean
  /** Whether a later text asks for a change, or to go ahead. */
  readonly goes: boolean
}

interface Found extends Record<'only' | 'never' | 'allows' | 'named', Set<string>> {
  waits: boolean
  /** Whether nothing at all is to be done before a word of the user. */
  holds: boolean
  /** Whether it wants to know something, and to have something changed. */
  looks: boolean
  orders: boolean
  goes: boolean
  /** Whether the clause before orders to take something away. */
  takes: boolean
}

/**
 * The limits that a user's text sets to changes: *only modify files in src/auth*, *do not modify test files*, *don't act until I say*.
 * Recognises plain English; a condition (*unless*, *if*) sets no limit. Linear in the text.
 *
 * @param isLater whether the text follows a task. Then what it asks to change lifts earlier limits.
 * @example limitsOfTask('Fix the parser. Do not touch src/old/.').never // ['limit… place src/old']
 */
export function limitsOfTask(text: string, isLater = false): TaskLimits {
  const found: Found = {
    only: new Set(),
    never: new Set(),
    allows: new Set(),
    named: new Set(),
    waits: false,
    holds: false,
    looks: false,
    orders: false,
    goes: false,
    takes: false,
  }
  let left = CLAUSES_MAX
  for (const clause of text.slice(0, TEXT_MAX).replaceAll('’', "'").replaceAll('**', '').split(CLAUSE_END)) {
    if (clause.length > CLAUSE_MAX || clause.trim() === '') continue
    if ((left -= 1) < 0) break
    readClause(clause, isLater, found)
  }
  if (found.only.size > 0) for (const name of [SCRATCH, ACTING, ...found.named]) found.only.add(name)
  // Who may not edit the tests may not leave them out either.
  if (found.never.has(OF_TESTS)) found.never.add(LOOSENED)
  // *Only under tmp/cache, do not touch tmp*: the narrower place stays open; *only src/api/tests, not its expectations* leaves the tests open.
  const only = [...found.only]
  const opens = (name: string): boolean =>
    only.some((place) => isWithin(place, name) || (name === OF_TESTS && isCalled(place, TESTS)))
  const never = [...found.never].filter((name) => !opens(name))
  const acts = limitedActs(text.slice(0, TEXT_MAX), isLater)
  if (found.holds || acts.waits) never.unshift(ACTING)
  never.unshift(...acts.never)
  const goes = found.goes || acts.allows.length > 0
  const isFree = (name: string): boolean => !never.includes(name)
  const first = (names: readonly string[]): readonly string[] => names.slice(0, NAMES_MAX)
  // Who wants a report by its path gets it.
  const isWaiting = found.waits || (found.looks && !found.orders)
  return {
    only: first(only),
    never: first(never),
    waits: isWaiting ? first([SCRATCH, ACTING, ...found.named]) : [],
    allows: first([...found.allows].filter(isFree)),
    does: isLater && goes ? first([ACTING, ...acts.allows].filter(isFree)) : [],
    kept: acts.kept,
    forbidsActs: acts.never.length > 0 || never.includes(ACTING),
    goes: found.goes && !isWaiting,
  }
}

/** A dot inside a path ends nothing. */
const CLAUSE_END = longPattern('limits-of-task.CLAUSE_END')
const CONDITION = longPattern('limits-of-task.CONDITION')
/** An order not to do something: it begins its clause, or follows *without*. `It should not change` reports something. */
const NEGATION = longPattern('limits-of-task.NEGATION')
/** An order to change something. */
const ORDERS_CHANGE = longPattern('limits-of-task.ORDERS_CHANGE')
const READ_ONLY = longPattern('limits-of-task.READ_ONLY')

/** `leave the tests alone`, `keep package.json as it is`. */
const KEEPS = longPattern('limits-of-task.KEEPS')

/** *The reports, but not reports/2024*: a place that the order is not about. */
const EXCEPTED = longPattern('limits-of-task.EXCEPTED')

/** An order to take something away. */
const TAKES = longPattern('limits-of-task.TAKES')

function readClause(clause: string, isLater: boolean, found: Found): void {
  const [, excepted] = found.takes || TAKES.test(clause) ? (EXCEPTED.exec(clause) ?? []) : []
  found.takes = TAKES.test(clause)
  if (excepted !== undefined) for (const name of placesIn(excepted)) found.never.add(name)
  const negation = NEGATION.exec(clause)
  if (negation) {
    if (!CONDITION.test(clause) || /\buntil\b/i.test(clause))
      forbid(clause.slice(negation.index + negation[0].length), found)
    return
  }
  const [, kept] = KEEPS.exec(clause) ?? []
  if (kept !== undefined && !/(?:^|\s)\*?\.\w/.test(kept) && !CONDITION.test(clause))
    return forbid(`change ${kept}`, found)
  if (READ_ONLY.test(clause)) found.looks = true
  if (/\bonly\b/i.test(clause)) return restrict(clause, found)
  if (/(?:^|,)\s*not\s+(?:in\s+)?(?:the\s+)?tests?\b/i.test(clause)) found.never.add(OF_TESTS)
  for (const name of placesIn(clause)) found.named.add(name)
  if (ORDERS_CHANGE.test(clause)) found.orders = true
  if (isLater) allow(clause, found)
}

/** What follows `do not`. */
function forbid(order: string, found: Found): void {
  if (ANY_CHANGE.test(order)) found.waits = true
  if (ANY_ACT.test(order)) {
    found.waits = true
    found.holds = true
    return
  }
  let verbs: readonly string[] = []
  let pending: readonly string[] = []
  for (const part of withVerbsApart(order).split(PARTS)) {
    const [own, object] = verbsOf(part)
    // *Modify, move or delete files*: the verbs before share the object.
    if (object.trim() === '') pending = [...pending, ...own]
    else {
      if (own.length > 0) verbs = [...pending, ...own]
      pending = []
      forbidObject(verbs, object, found)
    }
  }
}

/** What an order forbids to do with one object. */
function forbidObject(verbs: readonly string[], given: string, found: Found): void {
  const { never } = found
  const [, within] = WITHIN.exec(given) ?? []
  const object = within === undefined || within.includes('/') ? given : `${within} files`
  const isOfAll = ANYTHING.test(object)
  // *Do not delete anything* and *do not overwrite anything* leave other changes free.
  if (isOfAll && !verbs.every((verb) => DELETES.test(verb))) found.waits = true
  const isOfChecks = wordsOfName(object).some((word) => CHECKS.has(word))
  // *Relax assertions*, *skip tests* is about what the files say: other edits of them are free.
  const isOfContent = verbs.some((verb) => LOOSENS.has(verb))
  if (isOfChecks && (isOfContent || OF_OUTPUT.test(object))) never.add(LOOSENED)
  if (verbs.some((verb) => CHANGES.has(verb)) && !(isOfChecks && isOfContent))
    for (const name of namesOf(object)) never.add(name)
}

const DELETES = longPattern('limits-of-task.DELETES')

/** `anything in the tests`. */
const WITHIN = longPattern('limits-of-task.WITHIN')

/** Recorded output, which a runner updates by itself. */
const OF_OUTPUT = /\b(?:snapshots?|golden)\b/i

/** The verbs that an order begins with, and what follows them. */
function verbsOf(order: string): readonly [readonly string[], string] {
  const verbs: string[] = []
  let rest = order
  for (let match = VERB.exec(rest); match; match = VERB.exec(rest)) {
    const verb = stemOf(match[1] ?? '')
    if (verb === undefined) break
    verbs.push(verb)
    rest = rest.slice(match[0].length)
  }
  return [verbs, rest]
}

const VERB = longPattern('limits-of-task.VERB')
const PARTS = /,|\bor\b|\band\b/

/** `create/modify` names two verbs; `src/old` is a path. */
const withVerbsApart = (order: string): string =>
  order.replaceAll(/\b([A-Za-z]{2,16})\/(?=[A-Za-z-]{3,}(?:\s|$))/g, (slashed, word: string) =>
    stemOf(word) === undefined ? slashed : `${word} or `,
  )

/** What follows says why or when. */
const PURPOSE = longPattern('limits-of-task.PURPOSE')

const stemOf = (word: string): string | undefined => {
  const plain = word.toLowerCase()
  return [
    plain,
    plain.replace(/ing$/, ''),
    plain.replace(/ing$/, 'e'),
    plain.replace(/e?s$/, ''),
    plain.replace(/s$/, ''),
  ].find((form) => CHANGES.has(form) || LOOSENS.has(form))
}

/** Names of what one part of a list forbids: its places, else its last word that says something. */
function namesOf(part: string): string[] {
  // *The guard in a.py* is a part of the file; *the files in src* are all of them.
  const [head = '', ...rest] = part.split(/\s(?:in|of|inside|from)\s/)
  const isPart =
    rest.length > 0 && placesIn(head).length === 0 && wordsOf(head).some((word) => !VAGUE.has(word))
  const places = isPart ? [] : placesIn(part)
  if (places.length > 0) return /\boutside\b|\bother than\b/i.test(part) ? [] : places
  const all = wordsOf(part)
  if (all.some((word) => ELSEWHERE.has(word))) return []
  if (all.some((word) => OUTSIDE_WORDS.has(word))) return [OUTSIDE]
  const named = part.split(PURPOSE)[0] ?? ''
  const nouns = wordsOf(named)
  if (nouns.length > WORDS_MAX || nouns.some((word) => CONTENT.has(word))) return []
  const last = nouns.findLast((word) => !VAGUE.has(word))
  if (last === undefined) return []
  if (DATABASES.has(last)) return [OF_DATABASE]
  // *The API*, *the header* is no name of a file; *API files*, *the migrations* and *test data* are.
  if (TESTS.has(last)) return [OF_TESTS]
  return OF_FILES.test(named) || (last === nouns.at(-1) && FILE_KINDS.has(last))
    ? [limitName('word', last)]
    : []
}

const WORDS_MAX = 6
const DATABASES: ReadonlySet<string> = new Set(['db', 'dbs', 'database', 'databases', 'datenbank'])
const OF_FILES = longPattern('limits-of-task.OF_FILES')

/** A clause with `only`: the places that may change, or that nothing may, or nothing outside the project. */
function restrict(clause: string, found: Found): void {
  const at = clause.search(/\bonly\b/i)
  const [before, after] = [clause.slice(0, at), clause.slice(at + 'only'.length)]
  const first = /^\s+(?:ever\s+)?([A-Za-z]+)/.exec(after)?.[1]?.toLowerCase() ?? ''
  if (/\bsource code\s*$/i.test(before) || /^\s+(?:in\s+)?(?:the\s+)?source code\b/i.test(after))
    found.never.add(OF_TESTS)
  if (LOOKS.has(first)) found.looks = true
  const verb = stemOf(PLACED.has(first) ? verbBefore(before) : first)
  // What is only deleted or logged somewhere says nothing about other changes.
  if (verb === undefined || verb === 'delete' || verb === 'remove') return
  if (OF_ONE_KIND.test(after) || WHEN.test(after)) return
  const places = placesIn(after)
  for (const name of places) found.only.add(name)
  for (const [, word = ''] of after.toLowerCase().matchAll(/\b([a-z]{3,20}) files?\b/g))
    if (!VAGUE.has(word) && stemOf(word) === undefined) found.only.add(limitName('word', singular(word)))
  if (places.length === 0) found.never.add(OUTSIDE)
}

/** The verb that *only in* is about: that of a job *that deletes files only in logs* is not its first word. */
function verbBefore(text: string): string {
  const [, ofJob = ''] = /^.*\b(?:that|which)\s+([A-Za-z]{2,16})\b/i.exec(text) ?? []
  return stemOf(ofJob) === undefined ? (/[A-Za-z]+/.exec(text)?.[0] ?? '') : ofJob
}

const PLACED: ReadonlySet<string> = new Set(['in', 'inside', 'under', 'within'])
const WHEN = longPattern('limits-of-task.WHEN')
/** *Only write log files to logs/*: other files are free. */
const OF_ONE_KIND = longPattern('limits-of-task.OF_ONE_KIND')

/** What a later text asks to change. */
function allow(clause: string, found: Found): void {
  if (GOES_AHEAD.test(clause)) found.goes = true
  const words = clause.match(/[A-Za-z][A-Za-z-]*/g) ?? []
  const at = words.findIndex((word) => stemOf(word) !== undefined)
  if (at < 0) return
  found.goes = true
  for (const name of placesIn(clause)) found.allows.add(name)
  for (const word of words.slice(at + 1).flatMap(wordsOfName))
    if (!VAGUE.has(word)) found.allows.add(limitName('word', word))
}

/** Folders and files in a text, each by its last two names. */
function placesIn(text: string): string[] {
  const places: string[] = []
  for (const [token] of text.matchAll(PATHS)) {
    const parts = foldersOf(token.replace(/[.,]+$/, '')).filter((part) => !/[<>*]/.test(part))
    if (token.includes('//') || parts.length === 0) continue
    // `and/or`, `create/modify` is no path.
    if (/^[a-z]+\/[a-z]+$/i.test(token) && stemOf(parts[0] ?? '') !== undefined) continue
    places.push(limitName('place', parts.slice(-2).join('/')))
  }
  return places
}

const OF_TESTS = limitName('word', 'test')
const CHANGES = readSet('limits', 'changes')
const LOOSENS = readSet('limits', 'loosens')
const CHECKS = readSet('limits', 'checks')
const TESTS = readSet('limits', 'tests')
const OUTSIDE_WORDS = readSet('limits', 'outside')
const ELSEWHERE = readSet('limits', 'elsewhere')
const FILE_KINDS = readSet('limits', 'fileKinds')
const VAGUE = readSet('limits', 'vague')
const CONTENT = readSet('limits', 'content')
const LOOKS = readSet('limits', 'looks')

const PATHS = longPattern('limits-of-task.PATHS')

const GOES_AHEAD = longPattern('limits-of-task.GOES_AHEAD')

const ANY_ACT = longPattern('limits-of-task.ANY_ACT')

const ANYTHING = longPattern('limits-of-task.ANYTHING')

const ANY_CHANGE = longPattern('limits-of-task.ANY_CHANGE')
