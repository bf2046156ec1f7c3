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
  const last = ibanEnd(text, tokens, at, to)
  if (last >= at) {
    found.add('c', TIERS.target, start, tokens.end[last] ?? end)
    return last + 1
  }
  const size = countSolid(text, start, end)
  if (isDate(text, start, end)) found.add('i', TIERS.weak, start, start + DATE_UNITS)
  else if (size > DIGITS_MIN || (size === DIGITS_MIN && !ORDINAL.test(text.slice(start, end))))
    found.add('i', size >= 6 ? TIERS.id : TIERS.weak, start, end)
  return at + 1
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i

/** Does the same for a number without letters: phone, card, account, date, amount or id. */
export function addDigits(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  if (isDate(text, start, end)) {
    found.add('i', TIERS.weak, start, start + DATE_UNITS)
    return at + 1
  }
  const { last, letter } = groupsEnd(text, tokens, at, to)
  if (letter !== undefined) {
    found.add(letter, TIERS.target, start, tokens.end[last] ?? end)
    if (text.charCodeAt(start) === PLUS_SIGN) addWithoutCountry(text, start, tokens.end[last] ?? end, found)
  } else addNumber(text, start, tokens.end[last] ?? end, isUnbroken(tokens, at), found)
  return last + 1
}

/** Digits of a phone number that are the same abroad and at home: `+46 70 123 45 67` is `070-123 45 67`. */
const PHONE_DIGITS = 9

function addWithoutCountry(text: string, start: number, end: number, found: Candidates): void {
  let left = PHONE_DIGITS
  let at = end
  while (at > start && left > 0) if (isDigit(text.charCodeAt(--at))) left--
  if (left === 0 && at > start) found.add('i', TIERS.part, at, end)
}

function addNumber(text: string, start: number, end: number, unbroken: boolean, found: Candidates): void {
  const digits = countSolid(text, start, end)
  if (digits < DIGITS_MIN) {
    if (isNumbered(text, start)) found.add('i', TIERS.id, start, end)
  } else if (unbroken && digits >= ACCOUNT_DIGITS_MIN && digits <= ACCOUNT_DIGITS_MAX)
    found.add('c', TIERS.target, start, end)
  else if (!isYear(text, start, end)) {
    const whole = withoutZeros(text, start, end)
    if (countSolid(text, start, whole) >= 3) found.add('i', digits >= 6 ? TIERS.id : TIERS.weak, start, whole)
  }
}

const isUnbroken = ({ flags }: Tokens, at: number): boolean =>
  ((flags[at] ?? 0) & (HAS_DOT | HAS_JOINER)) === 0

const HYPHEN = 45
const DOT = 46
const ZERO = 48

/** Whether the text is a date such as `2024-05-30`, with an optional time. */
function isDate(text: string, start: number, end: number): boolean {
  const after = start + DATE_UNITS
  return (
    end >= after &&
    text.charCodeAt(start + 4) === HYPHEN &&
    text.charCodeAt(start + 7) === HYPHEN &&
    !(end > after && isDigit(text.charCodeAt(after))) &&
    countSolid(text, start, after) === 8
  )
}

/** Whether a label precedes the number: `ID 13`, `id: '13'`, `#13`. */
function isNumbered(text: string, start: number): boolean {
  return mayBeLabel(text, start) && NUMBERED.test(text.slice(Math.max(0, start - 8), start))
}

/** Whether the number may end a label, by the last character of the word before it. Most do not, and the pattern is slow. */
function mayBeLabel(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === NUMBER_SIGN) return true
  let at = start - 1
  while (at > start - 4 && !isWordCode(text.charCodeAt(at))) at--
  return LABEL_ENDS.has(text.charCodeAt(at) | 32)
}

const NUMBER_SIGN = 35
const isWordCode = (code: number): boolean => solidOf(code) === 1 || code === UNDERSCORE
/** Ends of `id`, `id_`, `no` and `number`. */
const LABEL_ENDS: ReadonlySet<number> = new Set(Array.from('do_r', (end) => end.charCodeAt(0) | 32))

const NUMBERED = /(?:#|\bid_?\W{0,3}|\bno\. ?|\bnumber )$/i

/** Years are too common to be values. */
function isYear(text: string, start: number, end: number): boolean {
  if (end - start !== 4) return false
  const century = text.slice(start, start + 2)
  return century === '19' || century === '20'
}

/** End of the number without a zero fraction: `1,000.00` equals `1000`. */
function withoutZeros(text: string, start: number, end: number): number {
  let dot = end - 1
  // The search is bounded: scanning back to the beginning would be quadratic over the text.
  while (dot > start && end - dot <= 7 && text.charCodeAt(dot) !== DOT) dot--
  if (dot <= start || end - dot > 7) return end
  let whole = end
  while (whole - 1 > dot && text.charCodeAt(whole - 1) === ZERO) whole--
  return text.charCodeAt(whole - 1) === DOT ? whole - 1 : whole
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
  if ((bits & IS_URL) !== 0) addUrl(text, start, end, found)
  else if ((bits & HAS_AT) !== 0) addAddress(start, end, found)
  else if ((bits & HAS_SLASH) !== 0) addPath(text, start, end, bits, found)
  else if (text.charCodeAt(start - 1) === AT_SIGN) found.add('a', TIERS.target, start, end)
  else if ((bits & HAS_LETTER) === 0) return addDigits(text, tokens, at, to, found)
  else if ((bits & HAS_DOT) !== 0) addDotted(text, start, end, found)
  else if ((bits & HAS_DIGIT) !== 0) return addMixed(text, tokens, at, to, found)
  else if ((bits & STARTS_UPPER) !== 0) return addName(text, tokens, at, to, found)
  else if ((bits & HAS_JOINER) !== 0 && isIdentifier(text, start, end)) found.add('i', TIERS.weak, start, end)
  return at + 1
}

const AT_SIGN = 64
const PLUS_SIGN = 43
const UNDERSCORE = 95

/** Whether the word is an identifier such as `snake_case`; hyphenated words are not. */
function isIdentifier(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === UNDERSCORE) return true
  return false
}
