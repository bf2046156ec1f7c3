import type { Act } from '@plimsoll/contracts'
import { type Words, readSet, readTable, wordsIn } from '../../text/data.js'
import type { Scalar } from '../../tools/values.js'
import { wordsOf, wordsOfName } from '../../tools/words-of.js'
import type { Given } from './given.js'

/** Longer texts are no choices, in characters. */
export const CHOICE_MAX = 96

/** What is known of the call that a value stands in. */
export interface Around {
  /** Words of the tool's name. */
  readonly tool: readonly string[]
  /** Words of the tool's name, and of short values: `cover.garage_door`. */
  readonly about: readonly string[]
  /** Whether the call names guests, or changes what may have some. */
  readonly mayHaveGuests: boolean
}

/** What a value does that stands under one of some names. */
export interface Row {
  readonly act: Act
  readonly reason: string
  readonly isNamed: (given: Given, around: Around) => boolean
  /** Of a value as `plainOf` has it. */
  readonly hasValue: (value: Scalar | undefined) => boolean
  readonly isThere: (given: Given, around: Around) => boolean
}

/** A row of the data file. Words that are joined by `+` follow each other; `<name>` is another list of the file. */
interface WrittenRow {
  readonly act: Act
  readonly reason: string
  /** Words for the argument's name: it has at least one. */
  readonly names: Words
  /** Words that the argument's name begins with, or has not. */
  readonly first?: Words
  readonly notNamed?: Words
  /** The name may also be found around: in the tool's name, or in what a name beside a plain `value` says. */
  readonly inContext?: true
  /** The name may be what a name beside a plain `value` says, and no word of the tool's name. */
  readonly isBeside?: true
  /** Words that a choice begins with, has anywhere, or is. */
  readonly begins?: Words
  readonly any?: Words
  readonly whole?: Words
  /** Whether `*` is such a choice. */
  readonly isStar?: true
  readonly is?: readonly (number | boolean)[]
  readonly isOff?: true
  readonly isGiven?: true
  readonly atMost?: number
  readonly atLeast?: number
  /** Words around: at least one is there, none is there; and words of the tool's name. */
  readonly about?: Words
  readonly aboutAlso?: Words
  readonly notAbout?: Words
  readonly tool?: Words
  readonly isOfGuests?: true
}

/** Each with a blank before and behind. */
type Phrases = readonly string[]

const phrasesOf = (words: Words | undefined): Phrases | undefined =>
  words === undefined
    ? undefined
    : wordsIn(words).flatMap((word) => {
        const list = /^<(\w+)>$/.exec(word)?.[1]
        return list === undefined
          ? [` ${word.replaceAll('+', ' ')} `]
          : (phrasesOf(readTable<Words>('values', list)) ?? [])
      })

/** Whether one of the phrases is among the words. */
const isIn = (phrases: Phrases, words: readonly string[]): boolean => {
  const text = textOf(words)
  return phrases.some((phrase) => text.includes(phrase))
}

const texts = new WeakMap<readonly string[], string>()

/** The words as a text with a blank around each, made once for all rows. */
function textOf(words: readonly string[]): string {
  const known = texts.get(words)
  if (known !== undefined) return known
  const made = ` ${words.join(' ')} `
  texts.set(words, made)
  return made
}

const GENERIC = readSet('values', 'generic')
const OFF = readSet('values', 'off')
const NAMELESS = readSet('values', 'nameless')

/** Words of what a plain `value` is of: the tool's name, the records that it stands in, and names beside it. */
function contextOf({ words, above, beside }: Given, tool: readonly string[]): readonly string[] {
  if (!GENERIC.has(words.at(-1) ?? '')) return words
  const records = above.slice(-4).flatMap((name) => wordsOfName(name.slice(0, 64)))
  return [...words, ...tool, ...records, ...namesIn(beside)]
}

/** Members of a record that are looked at for a name. */
const MEMBERS_MAX = 16

/** Words of what a record says that it is: `key: require_2fa`. */
function namesIn(record: Given['beside']): readonly string[] {
  const found: string[] = []
  let left = MEMBERS_MAX
  for (const name in record) {
    if ((left -= 1) < 0) break
    const value = record[name]
    if (
      typeof value === 'string' &&
      value.length <= CHOICE_MAX &&
      NAMELESS.has(wordsOfName(name).at(-1) ?? '')
    )
      found.push(...wordsOf(value))
  }
  return found
}

/** A flag or a number, also where it is written as a text. */
const plainOf = (value: Scalar | undefined): Scalar | undefined =>
  typeof value !== 'string' || value.length > 24
    ? value
    : value === 'true'
      ? true
      : value === 'false'
        ? false
        : /^\d{1,12}(?:\.\d{1,6})?$/.test(value)
          ? Number(value)
          : // `web=0`
            /^\w{1,20}=0$/.test(value)
            ? 0
            : value

/** Three words and more are no choice: `Owner of a bakery`. */
const IS_PROSE = /\S\s+\S+\s+\S/

type Test = (given: Given, around: Around) => boolean

/** Whether the row is about the value. */
function valueTestOf(row: WrittenRow): Row['hasValue'] {
  const { is, isOff, isGiven, atMost, atLeast } = row
  const [begins, any, whole] = [row.begins, row.any, row.whole].map(phrasesOf)
  return (value) => {
    if (isGiven) return value !== undefined && value !== ''
    if (is?.includes(value as never)) return true
    if (isOff && value === false) return true
    if (typeof value === 'number')
      return (atMost !== undefined && value <= atMost) || (atLeast !== undefined && value >= atLeast)
    if (typeof value !== 'string' || value.length > CHOICE_MAX) return false
    if (value.trim() === '*') return row.isStar === true
    const choice = wordsOfName(value)
    const [first = ''] = choice
    if (isOff && choice.length === 1 && OFF.has(first)) return true
    return (
      (begins?.includes(` ${first} `) ?? false) ||
      (any !== undefined && !IS_PROSE.test(value) && isIn(any, choice)) ||
      (whole?.includes(textOf(choice)) ?? false)
    )
  }
}

/** The words in which a row looks for its names. */
const wordsFor = ({ inContext, isBeside }: WrittenRow, given: Given, { tool }: Around): readonly string[] =>
  inContext ? contextOf(given, tool) : isBeside ? contextOf(given, []) : given.words

function rowOf(row: WrittenRow): Row {
  const names = phrasesOf(row.names) ?? []
  const [first, notNamed, about, aboutAlso, notAbout, tool] = [
    row.first,
    row.notNamed,
    row.about,
    row.aboutAlso,
    row.notAbout,
    row.tool,
  ].map(phrasesOf)
  const isNamed: Test = (given, around) =>
    isIn(names, wordsFor(row, given, around)) &&
    (first?.includes(` ${given.words[0] ?? ''} `) ?? true) &&
    !(notNamed && isIn(notNamed, given.words))
  const isThere: Test = ({ words }, around) =>
    (!about || isIn(about, around.about) || isIn(about, words)) &&
    (!aboutAlso || isIn(aboutAlso, around.about) || isIn(aboutAlso, words)) &&
    (!tool || isIn(tool, around.tool)) &&
    !(notAbout && isIn(notAbout, around.tool)) &&
    (!row.isOfGuests || around.mayHaveGuests)
  return {
    act: row.act,
    reason: row.reason,
    isNamed,
    hasValue: valueTestOf(row),
    isThere,
  }
}

/** What values do, by the names that they stand under. */
const ROWS: readonly Row[] = readTable<readonly WrittenRow[]>('values', 'rows').map(rowOf)

const rowsOfWords = new WeakMap<readonly string[], readonly Row[]>()

/** The rows that are about a value, by the words of a name that says enough: they are the same wherever it stands. */
function rowsOfName(given: Given, around: Around): readonly Row[] {
  const known = rowsOfWords.get(given.words)
  if (known !== undefined) return known
  const found = ROWS.filter((row) => row.isNamed(given, around))
  rowsOfWords.set(given.words, found)
  return found
}

/** The first row that matches a value. */
export function rowFor(given: Given, around: Around): Row | undefined {
  // Of a name that says nothing, all rows may be meant.
  const isGeneric = GENERIC.has(given.words.at(-1) ?? '')
  const rows = isGeneric ? ROWS : rowsOfName(given, around)
  if (rows.length === 0) return undefined
  const value = plainOf(given.value)
  for (const row of rows)
    if ((!isGeneric || row.isNamed(given, around)) && row.hasValue(value) && row.isThere(given, around))
      return row
  return undefined
}

/** The rows that are about a value which stands in many calls, and match it where they are there. */
export function rowsOfValue(given: Given, around: Around): readonly Row[] {
  const value = plainOf(given.value)
  return rowsOfName(given, around).filter((row) => row.hasValue(value))
}

/** Words that a choice has, as `contextOf` has them; empty for a longer text. */
export const choiceWords = (value: Scalar | undefined): readonly string[] =>
  typeof value === 'string' && value.length <= CHOICE_MAX ? wordsOfName(value) : []
