import { longPattern } from '../../text/data.js'
import {
  AFTER_ASSIGN,
  AFTER_BRACKET,
  AFTER_NEWLINE,
  AFTER_QUOTE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_SLASH,
  IS_URL,
  STARTS_UPPER,
} from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { groupsEnd, ibanEnd } from './accounts.js'
import { type Candidates, TIERS } from './candidates.js'
import { addName, addQuoted, addShortLine } from './names.js'
import { addAddress, addDotted, addPath, addUrl, countSolid, isDigit, solidOf } from './places.js'

const DIGITS_MIN = 4
/** From this many digits on, a number is an account rather than an amount. */
const ACCOUNT_DIGITS_MIN = 8
const ACCOUNT_DIGITS_MAX = 34
const DATE_UNITS = 10

/** Adds the account, id or date that begins with the mixed token `at`. Returns the next token to read. */
export function addMixed(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  const { units } = tokens
  const last = ibanEnd(tokens, at, to)
  if (last >= at) {
    found.add('c', TIERS.target, start, tokens.end[last] ?? end)
    return last + 1
  }
  const size = countSolid(units, start, end)
  if (isDate(units, start, end)) found.add('i', TIERS.weak, start, start + DATE_UNITS)
  else if (size > DIGITS_MIN || (size === DIGITS_MIN && !ORDINAL.test(text.slice(start, end))))
    found.add('i', size >= 6 ? TIERS.id : TIERS.weak, start, end)
  return at + 1
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i

/** Does the same for a number without letters: phone, card, account, date, amount or id. */
export function addDigits(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  const { units } = tokens
  if (isDate(units, start, end)) {
    found.add('i', TIERS.weak, start, start + DATE_UNITS)
    return at + 1
  }
  const { last, letter } = groupsEnd(tokens, at, to)
  if (letter !== undefined) {
    found.add(letter, TIERS.target, start, tokens.end[last] ?? end)
    if (units[start] === PLUS_SIGN) addWithoutCountry(units, start, tokens.end[last] ?? end, found)
  } else addNumber(text, tokens, start, tokens.end[last] ?? end, isUnbroken(tokens, at), found)
  return last + 1
}

/** Digits of a phone number that are the same abroad and at home: `+46 70 123 45 67` is `070-123 45 67`. */
const PHONE_DIGITS = 9

function addWithoutCountry(units: Uint16Array, start: number, end: number, found: Candidates): void {
  let left = PHONE_DIGITS
  let at = end
  while (at > start && left > 0) if (isDigit(units[--at] ?? 0)) left--
  if (left === 0 && at > start) found.add('i', TIERS.part, at, end)
}

function addNumber(
  text: string,
  { units }: Tokens,
  start: number,
  end: number,
  unbroken: boolean,
  found: Candidates,
): void {
  const digits = countSolid(units, start, end)
  if (digits < DIGITS_MIN) {
    if (isNumbered(text, units, start)) found.add('i', TIERS.id, start, end)
  } else if (unbroken && digits >= ACCOUNT_DIGITS_MIN && digits <= ACCOUNT_DIGITS_MAX)
    found.add('c', TIERS.target, start, end)
  else if (!isYear(units, start, end)) {
    const whole = withoutZeros(units, start, end)
    if (countSolid(units, start, whole) >= 3)
      found.add('i', digits >= 6 ? TIERS.id : TIERS.weak, start, whole)
  }
}

const isUnbroken = ({ flags }: Tokens, at: number): boolean =>
  ((flags[at] ?? 0) & (HAS_DOT | HAS_JOINER)) === 0

const HYPHEN = 45
const DOT = 46
const ZERO = 48
const ONE = 49
const TWO = 50
const NINE = 57

/** Whether the text is a date such as `2024-05-30`, with an optional time. */
function isDate(units: Uint16Array, start: number, end: number): boolean {
  const after = start + DATE_UNITS
  return (
    end >= after &&
    units[start + 4] === HYPHEN &&
    units[start + 7] === HYPHEN &&
    !(end > after && isDigit(units[after] ?? 0)) &&
    countSolid(units, start, after) === 8
  )
}

/** Whether a label precedes the number: `ID 13`, `id: '13'`, `#13`. */
function isNumbered(text: string, units: Uint16Array, start: number): boolean {
  return mayBeLabel(units, start) && NUMBERED.test(text.slice(Math.max(0, start - 8), start))
}

/** Whether the number may end a label, by the last character of the word before it. Most do not, and the pattern is slow. */
function mayBeLabel(units: Uint16Array, start: number): boolean {
  if (start === 0) return false
  if (units[start - 1] === NUMBER_SIGN) return true
  let at = start - 1
  while (at > 0 && at > start - 4 && !isWordCode(units[at] ?? 0)) at--
  return LABEL_ENDS.has((units[at] ?? 0) | 32)
}

const NUMBER_SIGN = 35
const isWordCode = (code: number): boolean => solidOf(code) === 1 || code === UNDERSCORE
/** Ends of `id`, `id_`, `no` and `number`. */
const LABEL_ENDS: ReadonlySet<number> = new Set(Array.from('do_r', (end) => end.charCodeAt(0) | 32))

const NUMBERED = longPattern('values.NUMBERED')

/** Years are too common to be values. */
function isYear(units: Uint16Array, start: number, end: number): boolean {
  if (end - start !== 4) return false
  const [first, second] = [units[start], units[start + 1]]
  return (first === ONE && second === NINE) || (first === TWO && second === ZERO)
}

/** End of the number without a zero fraction: `1,000.00` equals `1000`. */
function withoutZeros(units: Uint16Array, start: number, end: number): number {
  let dot = end - 1
  // The search is bounded: scanning back to the beginning would be quadratic over the text.
  while (dot > start && end - dot <= 7 && units[dot] !== DOT) dot--
  if (dot <= start || end - dot > 7) return end
  let whole = end
  while (whole - 1 > dot && units[whole - 1] === ZERO) whole--
  return units[whole - 1] === DOT ? whole - 1 : whole
}

/** Flags of tokens that may be values; plain words are skipped. */
const NOTABLE = IS_URL | HAS_AT | HAS_SLASH | HAS_DIGIT | HAS_DOT | STARTS_UPPER | AFTER_QUOTE
const LINE_START = AFTER_NEWLINE | AFTER_ASSIGN | AFTER_BRACKET

/** Adds the distinctive values among the tokens `[from, to)` of `text`. One pass with bounded look-ahead. */
export function findValues(text: string, tokens: Tokens, from: number, to: number, found: Candidates): void {
  const { flags } = tokens
  let at = from
  while (at < to) {
    const bits = flags[at] ?? 0
    if ((bits & (NOTABLE | LINE_START | HAS_JOINER)) === 0) at++
    else at = addValue(text, tokens, at, to, found)
  }
}

/** Adds the value that begins with token `at`. Returns the next token to read. */
function addValue(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const bits = tokens.flags[at] ?? 0
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  if ((bits & AFTER_QUOTE) !== 0) addQuoted(text, tokens, at, to, found)
  else if ((bits & LINE_START) !== 0) addShortLine(text, tokens, at, to, found)
  if ((bits & IS_URL) !== 0) addUrl(tokens.units, start, end, found)
  else if ((bits & HAS_AT) !== 0) addAddress(start, end, found)
  else if ((bits & HAS_SLASH) !== 0) addPath(tokens.units, start, end, bits, found)
  else if (start > 0 && tokens.units[start - 1] === AT_SIGN) found.add('a', TIERS.target, start, end)
  else if ((bits & HAS_LETTER) === 0) return addDigits(text, tokens, at, to, found)
  else if ((bits & HAS_DOT) !== 0) addDotted(tokens.units, start, end, found)
  else if ((bits & HAS_DIGIT) !== 0) return addMixed(text, tokens, at, to, found)
  else if ((bits & STARTS_UPPER) !== 0) return addName(tokens, at, to, found)
  else if ((bits & HAS_JOINER) !== 0 && isIdentifier(tokens.units, start, end))
    found.add('i', TIERS.weak, start, end)
  return at + 1
}

const AT_SIGN = 64
const PLUS_SIGN = 43
const UNDERSCORE = 95

/** Whether the word is an identifier such as `snake_case`; hyphenated words are not. */
function isIdentifier(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (units[at] === UNDERSCORE) return true
  return false
}
