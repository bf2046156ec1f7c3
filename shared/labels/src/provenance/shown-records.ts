import { RECORDS_MAX } from '@plimsoll/contracts'
import { knownWordsOf } from './values/name-words.js'
import { readSet } from '../text/data.js'
import { membersInText } from './listed-text.js'

/** A record in a result: its ids, and what it is called. */
export interface ShownRecord {
  readonly ids: readonly string[]
  readonly names: readonly string[]
  /** What it costs, in the forms in which a task may have it: of 14900 cents also `149`. */
  readonly amounts?: readonly string[]
  /** Short texts of all its members, where they were asked for. */
  readonly texts?: readonly string[]
}

/** Ids and names of each record, and their lengths in characters. */
const IDS_MAX = 2
const NAMES_MAX = 3
const ID_CHARS_MAX = 128
const NAME_CHARS_MAX = 80
/** Then: characters of a result that is read, those before its records, JSON values and their depth. */
const TEXT_MAX = 65_536
const INTRODUCTION_MAX = 200
const VALUES_MAX = 4_096
const DEPTH_MAX = 6
/** Short numbers stand for too many things: `3` may be the third of anything. */
const PLAIN_ID = /^\d{1,2}$/

/** The last word of names of members: ids, and what a record is called. */
const IDS = readSet('messages', 'ids')
const NAMES = readSet('messages', 'recordNames')

/**
 * The records that a result shows: objects of JSON with an id and a name, or what a list in plain text has of
 * each. Linear in the text.
 *
 * @param isPlain whether the result is the text itself, and not a value that was written as one
 * @example shownRecords('[{"id": "77123", "summary": "Dentist"}]') // [{ ids: ['77123'], names: ['Dentist'] }]
 */
export function shownRecords(text: string, withTexts = false, isPlain = true): ShownRecord[] {
  if (text.length > TEXT_MAX) return NO_RECORDS
  const lists = isPlain ? membersInText(text) : undefined
  if (lists !== undefined)
    return lists.flatMap((each) => recordOf(each, withTexts) ?? []).slice(0, RECORDS_MAX)
  const start = text.slice(0, INTRODUCTION_MAX).search(/[[{]/)
  if (start < 0) return NO_RECORDS
  try {
    return recordsIn(JSON.parse(text.slice(start)), withTexts)
  } catch {
    // Another form, or too large.
    return NO_RECORDS
  }
}

const NO_RECORDS: ShownRecord[] = []

/** Throws for too many values. */
function recordsIn(result: unknown, withTexts: boolean): ShownRecord[] {
  const found: ShownRecord[] = []
  let left = VALUES_MAX
  const walk = (value: unknown, depth: number): void => {
    if (--left < 0) throw new RangeError('too large')
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
    const record = Array.isArray(value) ? undefined : recordOf(value, withTexts)
    if (record && found.length < RECORDS_MAX) found.push(record)
    for (const each of Object.values(value)) walk(each, depth + 1)
  }
  walk(result, 0)
  return found
}

function recordOf(value: object, withTexts: boolean): ShownRecord | undefined {
  const [own, others, names, amounts]: [string[], string[], string[], string[]] = [[], [], [], []]
  for (const [name, member] of membersOf(value)) {
    const words = knownWordsOf(name)
    const last = words.at(-1) ?? ''
    if (NAMES.has(last)) addNames(member, names)
    else if (AMOUNTS.has(last)) amounts.push(...amountsOf(member))
    else if (IDS.has(last) && isId(member)) (words.length === 1 ? own : others).push(String(member))
  }
  // Beside an id of its own, other ids are those of what it belongs to.
  const ids = own.length > 0 ? own : others.slice(0, 1)
  return ids.length === 0 || names.length === 0
    ? undefined
    : {
        ids: ids.slice(0, IDS_MAX),
        names: names.slice(0, NAMES_MAX),
        ...(amounts.length > 0 && { amounts: amounts.slice(0, AMOUNTS_MAX) }),
        ...(withTexts && { texts: textsIn(value) }),
      }
}

/** The members of a record, with those that it keeps apart: `{ id: '7', properties: { dealname: … } }`. */
function membersOf(value: object): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value)
  // Most have none, and lists are long.
  if (!entries.some(([name]) => APART.has(name))) return entries
  return entries.flatMap((entry: readonly [string, unknown]) => {
    const [name, member] = entry
    const isApart = APART.has(name) && typeof member === 'object' && member !== null && !Array.isArray(member)
    // An id among them is none of the record.
    return isApart
      ? Object.entries(member).filter(([inner]) => !IDS.has(knownWordsOf(inner).at(-1) ?? ''))
      : [entry]
  })
}
const APART: ReadonlySet<string> = new Set(['properties', 'fields', 'attributes', 'settings', 'snippet'])

const AMOUNTS: ReadonlySet<string> = new Set(
  'amount total sum price betrag importe montant importo'.split(' '),
)
const AMOUNTS_MAX = 2

/** Amounts from 10 on, without cents; less may be any number of a task. */
function amountsOf(value: unknown): readonly string[] {
  const [, whole, cents] = /^[^\d-]{0,4}(\d{1,9})(?:[.,](\d{2}))?(?:\D{0,8})$/.exec(String(value)) ?? []
  if (whole === undefined) return []
  const all = cents === undefined && whole.endsWith('00') ? [whole, whole.slice(0, -2)] : [whole]
  return all.filter((each) => each.length > 1)
}

/** Texts of a record that are kept. */
const TEXTS_MAX = 16

/** Short texts of the members of a record, and of lists in it. */
const textsIn = (value: object): readonly string[] =>
  Object.values(value)
    .slice(0, TEXTS_MAX)
    .flatMap((member: unknown): readonly unknown[] =>
      Array.isArray(member) ? member.slice(0, TEXTS_MAX) : [member],
    )
    .filter((text): text is string => typeof text === 'string' && text.length <= NAME_CHARS_MAX)
    .slice(0, TEXTS_MAX)

const isId = (value: unknown): boolean =>
  (typeof value === 'string' || Number.isSafeInteger(value)) &&
  !PLAIN_ID.test(String(value)) &&
  value !== '' &&
  String(value).length <= ID_CHARS_MAX &&
  !/\s/.test(String(value))

/** A name, or those of a record in its place: `customer: { name: … }`. */
function addNames(value: unknown, names: string[]): void {
  if (typeof value === 'string') {
    if (value.length <= NAME_CHARS_MAX && /\p{L}/u.test(value)) names.push(value)
  } else if (Array.isArray(value)) {
    for (const each of value.slice(0, NAMES_MAX)) if (typeof each === 'string') addNames(each, names)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      if (typeof member === 'string' && NAMES.has(knownWordsOf(name).at(-1) ?? '')) addNames(member, names)
}
