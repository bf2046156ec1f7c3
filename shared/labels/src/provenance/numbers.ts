import { HAS_DOT, HAS_JOINER, HAS_LETTER } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { TIERS, type Candidates } from './candidates.js'

/** Parts that a written number is joined from: `DE89 3704 0044 0532 0130 00` has six. */
const PARTS_MAX = 9
const DIGITS_MIN = 4

/** Adds the id, account or grouped number that begins with the mixed token `at`; gives the token to go on from. */
export function addNumber(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  if (isIbanHead(text, start, end)) {
    const last = end - start === 4 ? lastIbanPart(text, tokens, at, to) : at
    const size = solidUnits(text, start, tokens.end[last] ?? end)
    if (size >= 14 && size <= 40) {
      found.add('c', TIERS.target, start, tokens.end[last] ?? end)
      return last + 1
    }
  }
  const size = solidUnits(text, start, end)
  if (size >= DIGITS_MIN && !ORDINAL.test(text.slice(start, Math.min(end, start + 8))))
    found.add('i', size >= 6 ? TIERS.id : TIERS.weak, start, end)
  return at + 1
}

/** The same for a number without letters: phone, card, account, date, amount or id. */
export function numberEnd(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const last = lastPart(text, tokens, at, to)
  const start = tokens.start[at] ?? 0
  const end = tokens.end[last] ?? 0
  const digits = solidUnits(text, start, end)
  const isPhone = text.charCodeAt(start) === PLUS || (last > at && digits >= 9)
  if (digits < DIGITS_MIN) {
    if (isNumbered(text, start)) found.add('i', TIERS.id, start, end)
  } else if (isPhone && digits >= 7 && digits <= 15) found.add('a', TIERS.target, start, end)
  else if (digits >= 8 && digits <= 34 && isUnbroken(tokens, at, last))
    found.add('c', TIERS.target, start, end)
  else if (!isYearOrTime(text, start, end)) {
    const whole = withoutZeros(text, start, end)
    if (solidUnits(text, start, whole) >= 3) found.add('i', digits >= 6 ? TIERS.id : TIERS.weak, start, whole)
  }
  return last + 1
}

/** The last token of a number that is written in groups, with a space, a hyphen, a bracket or a comma between them. */
function lastPart(text: string, tokens: Tokens, at: number, to: number): number {
  let last = at
  while (last + 1 < to && last - at < PARTS_MAX) {
    const end = tokens.end[last] ?? 0
    const next = tokens.start[last + 1] ?? 0
    const size = (tokens.end[last + 1] ?? 0) - next
    const bits = tokens.flags[last + 1] ?? 0
    if (next - end > 2 || !isNumberGap(text, end, next)) break
    const isComma = text.charCodeAt(end) === COMMA
    if ((bits & HAS_LETTER) !== 0 || (isComma ? next - end > 1 || size < 3 : size < 2)) break
    last++
  }
  return last
}

/** An account number is written in groups of four; only its last is shorter. */
function lastIbanPart(text: string, tokens: Tokens, at: number, to: number): number {
  let last = at
  while (last + 1 < to && last - at < PARTS_MAX) {
    const [end, next] = [tokens.end[last] ?? 0, tokens.start[last + 1] ?? 0]
    const after = tokens.end[last + 1] ?? 0
    if (next - end !== 1 || after - next > 4 || !IBAN_PART.test(text.slice(next, after))) break
    last++
    if (after - next < 4) break
  }
  return last
}

const IBAN_PART = /^[A-Z0-9]{1,4}$/

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i
const COMMA = 44
const SPACE = 32
const HYPHEN = 45
const PLUS = 43
const COLON = 58
const DOT = 46
const ZERO = 48

/** Spaces, hyphens, brackets, commas and dots. */
function isNumberGap(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== COMMA && code !== DOT && code !== HYPHEN && code !== 40 && code !== 41)
      return false
  }
  return true
}

const isUnbroken = ({ flags }: Tokens, at: number, last: number): boolean =>
  at === last && ((flags[at] ?? 0) & (HAS_DOT | HAS_JOINER)) === 0

/** Two letters and two digits. */
function isIbanHead(text: string, start: number, end: number): boolean {
  return (
    end - start >= 4 &&
    isLetter(text.charCodeAt(start)) &&
    isLetter(text.charCodeAt(start + 1)) &&
    isDigit(text.charCodeAt(start + 2)) &&
    isDigit(text.charCodeAt(start + 3))
  )
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** `ID 13`, `id: '13'`, `#13`. */
function isNumbered(text: string, start: number): boolean {
  return NUMBERED.test(text.slice(Math.max(0, start - 8), start))
}

const NUMBERED = /(?:#|\bid_?\W{0,3}|\bno\. ?|\bnumber )$/i

/** A year alone and a time of day are everywhere. */
function isYearOrTime(text: string, start: number, end: number): boolean {
  if (end - start !== 4) return false
  const century = text.slice(start, start + 2)
  return (century === '19' || century === '20') && text.charCodeAt(end) !== COLON
}

/** Where the number ends if its fraction does not count: `1,000.00` and `1000` are the same. */
function withoutZeros(text: string, start: number, end: number): number {
  const dot = text.lastIndexOf('.', end - 1)
  if (dot <= start || end - dot > 7) return end
  let whole = end
  while (text.charCodeAt(whole - 1) === ZERO && whole - 1 > dot) whole--
  return text.charCodeAt(whole - 1) === DOT ? whole - 1 : whole
}

/** Letters and digits of ASCII in `text[start…end)`. */
function solidUnits(text: string, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || isLetter(code)) count++
  }
  return count
}
