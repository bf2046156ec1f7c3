import { patternOf, readSet, readTable, wordsIn, type Words, longPattern } from '../text/data.js'
import { NUMERAL, numberOf, spelledNumbers, withPlainDigits } from './numbers.js'

/** An amount of money as a text or an argument has it. */
export interface Amount {
  /** In whole units of the currency. */
  readonly value: number
  /** A name of the currency, the same for all that are about as much worth; undefined if it is not known. */
  readonly currency: string | undefined
}

/** What a text says of money: its amounts, and currencies that it names without one. */
export interface MoneyText {
  readonly amounts: readonly (Amount & { readonly isTotal: boolean })[]
  readonly currencies: ReadonlySet<string>
  /** Plain numbers, such as how many of something. */
  readonly counts: readonly number[]
  /** Numbers that may be amounts: `the rent is 2200`. */
  readonly possible: readonly number[]
  /** Whether an amount is one of several equal ones: `20 € each`. */
  readonly isEach: boolean
  /** Whether one is the price of one of so many: `50 chairs at $80`. */
  readonly isPrice: boolean
}

/** Amounts and counts of one text; more are not read. Then: characters of a text. */
const AMOUNTS_MAX = 64
const TEXT_MAX = 16_384
/** Characters beside a numeral in which its currency or its label stands. */
const BESIDE = 24
const COUNT_MAX = 1_000

const CURRENCIES: ReadonlyMap<string, string> = new Map(
  Object.entries(readTable<Readonly<Record<string, Words>>>('payments', 'currencies')).flatMap(
    ([currency, words]) => wordsIn(words).map((word) => [word, currency] as const),
  ),
)
const UNCLEAR = readSet('payments', 'unclear')
const SMALL_UNITS = readSet('payments', 'smallUnits')
const MULTIPLIERS: ReadonlyMap<string, number> = new Map(
  Object.entries(readTable<Readonly<Record<string, Words>>>('payments', 'multipliers')).flatMap(
    ([factor, words]) => wordsIn(words).map((word) => [word, Number(factor)] as const),
  ),
)
const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(readTable<Readonly<Record<string, Words>>>('payments', 'decimals')).flatMap(
    ([decimals, words]) => wordsIn(words).map((word) => [word, Number(decimals)] as const),
  ),
)
const LABELS = readSet('payments', 'amounts')
const TOTALS = readSet('payments', 'totals')
const PAYS = readSet('payments', 'pays')
const EACH = readSet('payments', 'each')
const PER = patternOf(readTable<string>('payments', 'per'))
const PRICE = patternOf(readTable<string>('payments', 'price'))

/** The currency that a word, code or sign means: `€`, `euros`, `EUR`. */
export const currencyOf = (word: string): string | undefined => CURRENCIES.get(word.toLowerCase())

/** Digits behind the decimal sign of its smallest unit. */
export const decimalsOf = (currency: string | undefined): number =>
  currency === undefined ? 2 : (DECIMALS.get(currency) ?? 2)

const WORD = longPattern('amounts.WORD')
/** What may stand between a numeral and its currency or label. */
const BETWEEN = /^[\s.:=*()"'-]*$/

/**
 * The amounts of a text: numbers beside a currency (`€ 1.000,50`, `two hundred dollars`), after a word for an amount (`Betrag: 1240`) or after an
 * order to pay (`pay Bob 50`). Linear; reads the first 16 kB.
 */
export function moneyIn(text: string): MoneyText {
  const plain = withPlainDigits(text.slice(0, TEXT_MAX))
  const amounts: (Amount & { isTotal: boolean })[] = []
  const currencies = new Set<string>()
  const counts: number[] = []
  const possible: number[] = []
  const words = Array.from(plain.matchAll(WORD), (match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
  for (const { word } of words) {
    const currency = CURRENCIES.get(word)
    if (currency !== undefined && !AMBIGUOUS.has(word)) currencies.add(currency)
  }
  let next = 0
  for (const { 0: numeral, index: start } of plain.matchAll(NUMERAL)) {
    if (amounts.length >= AMOUNTS_MAX) break
    const end = start + numeral.length
    while (next < words.length && (words[next]?.end ?? 0) <= start) next++
    if (isPartOfMore(plain, start, end)) continue
    const before = wordBefore(plain, words, next - 1, start)
    const after = words[next]
    const isBeside =
      after !== undefined && after.start - end <= 2 && BETWEEN.test(plain.slice(end, after.start))
    const factor = isBeside ? MULTIPLIERS.get(after.word) : undefined
    const unit = factor === undefined ? (isBeside ? after : undefined) : nextBeside(plain, words, next)
    const currency = currencyBeside(before?.word, unit?.word)
    const isSmall = unit !== undefined && SMALL_UNITS.has(unit.word)
    const isLabelled = before !== undefined && LABELS.has(before.word)
    const isMoney =
      currency !== undefined || isSmall || isLabelled || isAfterOrder(plain, words, next - 1, start)
    const known = currency === '' ? undefined : currency
    const value = numberOf(numeral.trim(), decimalsOf(known))
    if (value === undefined || value <= 0) continue
    if (isMoney && !isPercent(plain, end) && value * (factor ?? 1) < 1e15)
      amounts.push({
        value: (value * (factor ?? 1)) / (isSmall ? 100 : 1),
        currency: known,
        isTotal: isTotalBefore(words, next - 1, start),
      })
    else if (Number.isInteger(value) && value > 1 && value <= COUNT_MAX) counts.push(value)
    if (
      !isMoney &&
      before !== undefined &&
      VERBS.has(before.word) &&
      value < POSSIBLE_MAX &&
      !isYear(numeral)
    )
      possible.push(value)
  }
  addSpelled(plain, words, amounts, counts)
  return {
    amounts,
    currencies,
    counts: counts.slice(0, AMOUNTS_MAX),
    possible: possible.slice(0, AMOUNTS_MAX),
    isEach: PER.test(plain) || words.some(({ word }) => EACH.has(word)),
    isPrice: PRICE.test(plain),
  }
}

/** Larger numbers without a currency are accounts and ids. */
const POSSIBLE_MAX = 1e8
/** Words before a number that is as much as something. */
const VERBS = readSet('payments', 'links')
const isYear = (numeral: string): boolean => /^(?:19|20)\d\d$/.test(numeral)

interface PlacedWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Words that mean a currency and something else. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'real',
  'won',
  'try',
  'rand',
  'dolar',
  'lira',
  'ft',
  'rs',
  'fr',
  'cad',
  'eth',
  'sek',
  'tl',
])

/** A part of a date, a time, a version, an id or a longer number. */
const isPartOfMore = (text: string, start: number, end: number): boolean =>
  /[\p{L}\d_#/-]$/u.test(text.slice(Math.max(0, start - 1), start).replace(CURRENCY_END, '')) ||
  /^(?:[\d_]|[-/:]\d|\.\d)/.test(text.slice(end, end + 2))
const CURRENCY_END = /(?:eur|usd|gbp|chf)$/i

const isPercent = (text: string, end: number): boolean =>
  /^\s{0,2}(?:%|percent|prozent)/i.test(text.slice(end, end + 9))

function wordBefore(
  text: string,
  words: readonly PlacedWord[],
  at: number,
  start: number,
): PlacedWord | undefined {
  const word = words[at]
  if (word === undefined || start - word.end > BESIDE) return undefined
  return BETWEEN.test(text.slice(word.end, start)) ? word : undefined
}

function nextBeside(text: string, words: readonly PlacedWord[], at: number): PlacedWord | undefined {
  const [word, next] = [words[at], words[at + 1]]
  if (word === undefined || next === undefined) return undefined
  return next.start - word.end <= 2 && BETWEEN.test(text.slice(word.end, next.start)) ? next : undefined
}

/** The currency beside a numeral; empty for a sign of more than one. */
function currencyBeside(before: string | undefined, after: string | undefined): string | undefined {
  for (const word of [after, before]) {
    if (word === undefined) continue
    const currency = CURRENCIES.get(word)
    if (currency !== undefined) return currency
    if (UNCLEAR.has(word)) return ''
  }
  return undefined
}

const isTotalBefore = (words: readonly PlacedWord[], at: number, start: number): boolean =>
  [at, at - 1, at - 2].some((i) => {
    const word = words[i]
    return word !== undefined && start - word.end <= BESIDE && TOTALS.has(word.word)
  })

/** `pay 50 to`, `send Bob 50`: an order, with nothing or one name between. */
function isAfterOrder(text: string, words: readonly PlacedWord[], at: number, start: number): boolean {
  const [last, first] = [words[at], words[at - 1]]
  if (last === undefined || start - last.end > 2) return false
  if (PAYS.has(last.word)) return true
  const isPerson = /^\p{Lu}/u.test(text.slice(last.start, last.end)) || PERSONS.has(last.word)
  return isPerson && first !== undefined && PAYS.has(first.word) && last.start - first.end <= 2
}

const PERSONS: ReadonlySet<string> = new Set(['him', 'her', 'them', 'me', 'us'])

/** Amounts in words: `two hundred euros`, `zweihundert Euro`. */
function addSpelled(
  text: string,
  words: readonly PlacedWord[],
  amounts: (Amount & { isTotal: boolean })[],
  counts: number[],
): void {
  for (const { value, first, last } of spelledNumbers(words.map(({ word }) => word))) {
    if (amounts.length >= AMOUNTS_MAX) return
    const after = nextBeside(text, words, last)
    const currency = after && CURRENCIES.get(after.word)
    const isDigitBefore = /\d[\s.,]{0,2}$/.test(text.slice(0, words[first]?.start ?? 0).slice(-4))
    if (isDigitBefore) continue
    if (currency !== undefined) amounts.push({ value, currency, isTotal: false })
    else if (after && SMALL_UNITS.has(after.word))
      amounts.push({ value: value / 100, currency: undefined, isTotal: false })
    else if (value > 1 && value <= COUNT_MAX) counts.push(value)
  }
}
