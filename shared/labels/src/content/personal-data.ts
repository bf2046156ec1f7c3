import { HAS_AT, HAS_DIGIT, HAS_DOT, HAS_LETTER, HAS_LOWER, IS_PIECE, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import {
  isAmericanId,
  isBritishId,
  isFrenchId,
  isGermanId,
  isIban,
  isItalianId,
  isLuhn,
  isSpanishId,
} from './checksums.js'

export type PersonalKind = 'email' | 'phone' | 'card' | 'iban' | 'national'

/** What begins with a token, and how many tokens it takes. */
export interface Found {
  readonly kind: PersonalKind
  readonly tokens: number
}

const PLUS = 43
const SPACE = 32
const OPENING = 40
const CLOSING = 41
/** Most groups that a number is written in: an IBAN of 34 characters by fours. */
const GROUPS_MAX = 9

const EMAIL = /^[\w.+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}$/

/** Which personal data begins with token `index`, if any does. */
export function personalAt(text: string, tokens: Tokens, index: number): Found | undefined {
  const { units, start, end } = tokens
  const flags = tokens.flags[index] ?? 0
  if ((flags & (IS_URL | IS_PIECE)) !== 0) return undefined
  const from = start[index] ?? 0
  const length = (end[index] ?? 0) - from
  if ((flags & HAS_AT) !== 0) {
    const isAddress = (flags & HAS_DOT) !== 0 && isEmail(text.slice(from, from + length))
    return isAddress ? { kind: 'email', tokens: 1 } : undefined
  }
  if ((flags & HAS_DIGIT) === 0) return undefined
  if ((flags & HAS_LETTER) !== 0)
    return (flags & HAS_LOWER) === 0 && length >= 2 ? lettered(text, tokens, index, length) : undefined
  if (units[from] === PLUS) return international(tokens, index)
  return numbered(text, tokens, index, length)
}

/** `git@host` is how a repository is written, nobody's address. */
const isEmail = (word: string): boolean => EMAIL.test(word) && !word.startsWith('git@')

/** Capitals and digits: an IBAN, a British, Spanish or Italian number; the first two also in groups. */
function lettered(text: string, tokens: Tokens, index: number, length: number): Found | undefined {
  const word = wordAt(text, tokens, index)
  if (length >= 15 && isIban(word)) return { kind: 'iban', tokens: 1 }
  if (length === 9 && (isBritishId(word) || isSpanishId(word))) return { kind: 'national', tokens: 1 }
  if (length === 16 && isItalianId(word)) return { kind: 'national', tokens: 1 }
  return length === 4 && /^[A-Z]{2}\d{2}$/.test(word) ? groupedIban(text, tokens, index) : undefined
}

function groupedIban(text: string, tokens: Tokens, index: number): Found | undefined {
  let iban = ''
  for (let count = 0; count < GROUPS_MAX && (count === 0 || isSpaced(tokens, index + count)); count++) {
    iban += wordAt(text, tokens, index + count)
    if (iban.length > 34) return undefined
    if (iban.length >= 15 && /^[A-Z0-9]+$/.test(iban) && isIban(iban))
      return { kind: 'iban', tokens: count + 1 }
  }
  return undefined
}

/** `+` and eight to fifteen digits (ITU-T E.164), in groups or not. */
function international({ units, count, start, end, flags }: Tokens, index: number): Found | undefined {
  let digits = digitsIn(units, start[index] ?? 0, end[index] ?? 0)
  let next = index + 1
  while (next < count && next < index + GROUPS_MAX && digits < 15) {
    const [from, before] = [start[next] ?? 0, end[next - 1] ?? 0]
    if (from - before > 2 || units[from] === PLUS || ((flags[next] ?? 0) & HAS_LETTER) !== 0) break
    if (!isPhoneGap(units, before, from)) break
    digits += digitsIn(units, from, end[next++] ?? 0)
  }
  return digits >= 8 && digits <= 15 ? { kind: 'phone', tokens: next - index } : undefined
}

function isPhoneGap(units: Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const unit = units[i]
    if (unit !== SPACE && unit !== OPENING && unit !== CLOSING) return false
  }
  return true
}

/** Digits, with hyphens or dots among them or in groups: a card, a social security, tax or telephone number. */
function numbered(text: string, tokens: Tokens, index: number, length: number): Found | undefined {
  if (length >= 11) return ofOneWord(wordAt(text, tokens, index))
  if (length === 3 && isBracketed(tokens, index) && /^\d{3}-\d{4}$/.test(wordAt(text, tokens, index + 1)))
    return { kind: 'phone', tokens: 2 }
  if ((length === 4 || length === 1) && isSpaced(tokens, index + 1)) return ofGroups(text, tokens, index)
  return undefined
}

function ofOneWord(word: string): Found | undefined {
  if (isAmericanId(word)) return { kind: 'national', tokens: 1 }
  if (/^[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}$/.test(word)) return { kind: 'phone', tokens: 1 }
  const digits = word.replaceAll('-', '')
  if (isCard(digits)) return { kind: 'card', tokens: 1 }
  return isFrenchId(digits) || isGermanId(word) ? { kind: 'national', tokens: 1 } : undefined
}

/** How cards are grouped, and how France writes its number. */
const GROUPINGS = ['4444', '44443', '465', '464', '1222332'].map((shape) => Array.from(shape, Number))

/** By fours as on a card, or as France writes its number: the lengths first, which are cheap to compare. */
function ofGroups(text: string, tokens: Tokens, index: number): Found | undefined {
  for (const lengths of GROUPINGS) {
    if (!lengths.every((length, i) => isGroup(tokens, index + i, length, i > 0))) continue
    const digits = lengths.map((_, i) => wordAt(text, tokens, index + i)).join('')
    if (lengths.length === 7 ? isFrenchId(digits) : isCard(digits))
      return { kind: lengths.length === 7 ? 'national' : 'card', tokens: lengths.length }
  }
  return undefined
}

function isGroup(tokens: Tokens, index: number, length: number, spaced: boolean): boolean {
  if (index >= tokens.count || (spaced && !isSpaced(tokens, index))) return false
  return (tokens.end[index] ?? 0) - (tokens.start[index] ?? 0) === length
}

/** A range that an issuer of payment cards has, its length, and Luhn's sum. */
const isCard = (digits: string): boolean =>
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d{2})\d{12}|62\d{14,17})$/.test(
    digits,
  ) && isLuhn(digits)

const wordAt = (text: string, { count, start, end }: Tokens, index: number): string =>
  index < count ? text.slice(start[index], end[index]) : ''

/** One space and nothing else between this token and the one before. */
const isSpaced = ({ units, count, start, end }: Tokens, index: number): boolean =>
  index < count && start[index] === (end[index - 1] ?? 0) + 1 && units[end[index - 1] ?? 0] === SPACE

const isBracketed = ({ units, start, end }: Tokens, index: number): boolean =>
  units[(start[index] ?? 0) - 1] === OPENING && units[end[index] ?? 0] === CLOSING

function digitsIn(units: Uint16Array, from: number, to: number): number {
  let digits = 0
  for (let i = from; i < to; i++) if ((units[i] ?? 0) >= 48 && (units[i] ?? 0) <= 57) digits++
  return digits
}
