import { TASK } from '../labels/safety-state.js'
import { type Limits, NO_LIMITS, isKept } from './limits.js'
import { areAllNamed } from './named.js'
import { type Sources, LOOKED_UP_MAX, lookUpSources } from './sources.js'

/**
 * Ids of records that results showed in a list in which the task names some, oldest first: eight characters each, the letter of the kind and
 * the value of a fingerprint. A mark at the beginning says that the task may mean more than it names, so that only what it excepts is known.
 * Source: docs/decisions/20261130-records.md.
 */
export type Records = string

export const NO_RECORDS: Records = ''

const CELL = 8
/** Ids that are kept; the oldest go first. */
const RECORDS_MAX = 96
const MORE = '!'
/** Of a record that the task names, and of one beside it that it does not. */
const NAMED = 'n'
const OTHER = 'p'
/** Kinds of fingerprints: an id, and a whole name, which its words follow. */
const ID = 'i'
const NAME = 'n'
/** Of the words of a name, as many as this are those of the task. */
const SHARE_MIN = 0.6
const SHARE_OF_SEVERAL_MIN = 0.4

/** `records` after a message of the user, which may mean others. Once a message may mean more than it names, nothing is known. */
export const recordsAfterTask = (records: Records, isMore: boolean): Records =>
  isMore || mayMeanMore(records) ? MORE : NO_RECORDS

/** Whether the task, or a later message, may mean more than it names. */
export const mayMeanMore = (records: Records): boolean => records.startsWith(MORE)

/**
 * `records` after a result. What one list shows as another record stays another one: a stranger whose text is read may give an id a name of the task.
 * A record that the user's orders except is another one too, also where the task may mean more than it names.
 * O(fingerprints + records × (sources + limits)).
 */
export function addRecords(
  records: Records,
  sources: Sources,
  shown: readonly (readonly string[])[],
  limits: Limits = NO_LIMITS,
): Records {
  const excepted = shown.map((record) => isKept(limits, record))
  const mayBeMore = mayMeanMore(records)
  const areNamed = areAllNamed(sources) ? [] : areMeant(sources, shown)
  const isKnown = areNamed.some((isNamed, i) => isNamed && excepted[i] !== true)
  if (!isKnown && !excepted.includes(true)) return records
  let kept = mayBeMore ? records.slice(MORE.length) : records
  for (const [i, record] of shown.entries()) {
    // Where the task may mean more, what it does not name is not known.
    if (excepted[i] !== true && (mayBeMore ? areNamed[i] !== true : !isKnown)) continue
    for (const id of record.filter((each) => each.startsWith(ID))) {
      const isOther = excepted[i] === true || areNamed[i] !== true || kindOf(kept, id) === OTHER
      kept = without(kept, id) + (isOther ? OTHER : NAMED) + id.slice(1)
    }
  }
  const left = kept.length > RECORDS_MAX * CELL ? kept.slice(kept.length - RECORDS_MAX * CELL) : kept
  return mayBeMore ? MORE + left : left
}

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/** What the task has of a record: its words, and whether that is enough to mean it. */
interface Meant {
  readonly isEnough: boolean
  readonly words: ReadonlySet<string>
}

/** The task has one of the ids, a whole name, most of the words of one, or several of a long one. */
function meantBy(sources: Sources, record: readonly string[]): Meant {
  lookUpSources(sources, record, FOUND)
  const matched = new Set<string>()
  let isEnough = false
  let [words, found] = [0, 0]
  // What stands before the names, such as an amount, parts records of one name and names none.
  const first = record.findIndex((each) => each.startsWith(NAME))
  for (const [i, fingerprint] of record.entries()) {
    const isOfTask = ((FOUND[i] ?? 0) & TASK) !== 0
    const isWord = i > first && !fingerprint.startsWith(NAME)
    const isWhole = fingerprint.startsWith(ID) || fingerprint.startsWith(NAME)
    if (isOfTask) matched.add(fingerprint.slice(1))
    if (isWhole && isOfTask) isEnough = true
    if (fingerprint.startsWith(NAME)) [words, found] = [0, 0]
    if (!isWord) continue
    words += 1
    if (isOfTask) found += 1
    const isLast = record[i + 1]?.startsWith(NAME) ?? true
    if (isLast && (found >= words * SHARE_MIN || (found > 1 && found >= words * SHARE_OF_SEVERAL_MIN)))
      isEnough = true
  }
  return { isEnough, words: matched }
}

/** Of each record whether the task names it: it has enough of it, and not all of that and more of another. */
function areMeant(sources: Sources, shown: readonly (readonly string[])[]): readonly boolean[] {
  const all = shown.map((record) => meantBy(sources, record))
  return all.map(
    ({ isEnough, words }) =>
      isEnough &&
      !all.some((other) => other.isEnough && other.words.size > words.size && isWithin(words, other.words)),
  )
}

const isWithin = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].every((word) => others.has(word))

/**
 * How the task stands to what a step names by ids: it names one of the records, or names others beside one of them; undefined if that is not
 * known.
 */
export function relationOf(given: Records, ids: readonly string[]): 'named' | 'other' | undefined {
  if (given.length < CELL) return undefined
  const records = mayMeanMore(given) ? given.slice(MORE.length) : given
  const kinds = new Set(ids.map((id) => kindOf(records, id)))
  return kinds.has(OTHER) ? 'other' : kinds.has(NAMED) ? 'named' : undefined
}

function kindOf(records: Records, id: string): string | undefined {
  const at = cellOf(records, id)
  return at < 0 ? undefined : records.charAt(at)
}

function without(records: Records, id: string): Records {
  const at = cellOf(records, id)
  return at < 0 ? records : records.slice(0, at) + records.slice(at + CELL)
}

/** Where the cell of an id begins; -1 if there is none. Fingerprints are compared without their kind. */
function cellOf(records: Records, id: string): number {
  const value = id.slice(1)
  for (let at = records.indexOf(value); at >= 0; at = records.indexOf(value, at + 1))
    if (at % CELL === 1) return at - 1
  return -1
}

/** Whether `text` could have been written here. */
export const isRecordsText = (text: string): boolean =>
  text.length <= MORE.length + RECORDS_MAX * CELL && /^!?(?:[np][a-z2-7]{7})*$/.test(text)
