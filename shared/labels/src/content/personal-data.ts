import { longPattern } from '../text/data.js'
import { HAS_AT, HAS_DIGIT, HAS_DOT, HAS_LETTER, HAS_LOWER, IS_PIECE, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'

/** Luhn checksum of digits (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The remainder of a number of any length divided by `modulus` (below 10⁶). */
export function remainderOf(digits: string, modulus: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digits.charCodeAt(i) - 48) % modulus
  return rest
}

/** ISO 13616 checksum: the first four characters move to the end, letters become 10…35, and the remainder by 97 is 1. `iban` is upper case without spaces. */
export function isIban(iban: string): boolean {
  const length = IBAN_LENGTHS[iban.slice(0, 2)]
  if (length !== iban.length) return false
  let rest = 0
  for (let i = 0; i < length; i++) {
    const code = iban.charCodeAt((i + 4) % length)
    const value = code < 65 ? code - 48 : code - 55
    if (value < 0 || value > 35) return false
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97
  }
  return rest === 1
}

/** IBAN lengths by country, from the ISO 13616 register. */
const IBAN_LENGTHS: Readonly<Record<string, number | undefined>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
    'MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 ' +
    'TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Spanish id: eight digits, or X, Y or Z and seven digits; then the letter for their remainder by 23. */
export function isSpanishId(word: string): boolean {
  if (!/^[XYZ\d]\d{7}[A-Z]$/.test(word)) return false
  const digits = word.slice(0, 8).replace('X', '0').replace('Y', '1').replace('Z', '2')
  return DNI_LETTERS[Number(digits) % 23] === word[8]
}

/** French id: thirteen digits and 97 minus their remainder, with a valid sex, month and department. */
export function isFrenchId(digits: string): boolean {
  if (!FRENCH_NUMBER.test(digits)) return false
  return 97 - remainderOf(digits.slice(0, 13), 97) === Number(digits.slice(13))
}

/** German tax number: eleven digits. Of the first ten, one occurs two or three times and the others at most once. ISO 7064, MOD 11,10. */
export function isGermanId(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false
  const distinct = new Set(digits.slice(0, 10)).size
  if (distinct !== 9 && distinct !== 8) return false
  let product = 10
  for (let i = 0; i < 10; i++) {
    const sum = (digits.charCodeAt(i) - 48 + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === digits.charCodeAt(10) - 48
}

/** Values of characters at odd positions, counted from one; digits count as A…J. */
const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

/** Italian codice fiscale: sixteen characters, the last one the sum of the others modulo 26. */
export function isItalianId(word: string): boolean {
  if (!ITALIAN_CODE.test(word)) return false
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const code = word.charCodeAt(i)
    const value = code < 65 ? code - 48 : code - 65
    sum += i % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === word[15]
}

/** British national insurance number: two assigned letters, six digits, A to D. */
export const isBritishId = (word: string): boolean =>
  /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(word) && !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(word)

/** US social security number in its written form, from an assigned range. */
export const isAmericanId = (word: string): boolean =>
  /^\d{3}-\d{2}-\d{4}$/.test(word) && !/^(?:000|666|9)|-00-|-0000$/.test(word)

export type PersonalKind = 'email' | 'phone' | 'card' | 'iban' | 'national'

/** Personal data and the number of its tokens. */
export interface Found {
  readonly kind: PersonalKind
  readonly tokens: number
}

const PLUS = 43
const SPACE = 32
const OPENING = 40
const CLOSING = 41
/** Most groups of one number: an IBAN of 34 characters in groups of four. */
const GROUPS_MAX = 9

const EMAIL = longPattern('personal-data.EMAIL')

/** The personal data that begins with token `index`; undefined if there is none. */
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

/** Excludes `git@host`, which names a repository. */
const isEmail = (word: string): boolean => EMAIL.test(word) && !word.startsWith('git@')

/** Reads capitals with digits: an IBAN, or a British, Spanish or Italian id. The first two may be grouped. */
function lettered(text: string, tokens: Tokens, index: number, length: number): Found | undefined {
  if (length < 15 && length !== 9 && length !== 4) return undefined
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

/** Reads `+` and eight to fifteen digits (ITU-T E.164), possibly grouped. */
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

/** Reads digits, grouped or with hyphens or dots: a card, social security, tax or phone number. */
function numbered(text: string, tokens: Tokens, index: number, length: number): Found | undefined {
  if (length >= 11) return ofOneWord(wordAt(text, tokens, index))
  if ((length === 8 || length === 9) && isAfterPassport(text, tokens, index))
    return { kind: 'national', tokens: 1 }
  if (length === 3 && isBracketed(tokens, index) && /^\d{3}-\d{4}$/.test(wordAt(text, tokens, index + 1)))
    return { kind: 'phone', tokens: 2 }
  if ((length === 4 || length === 1) && isSpaced(tokens, index + 1)) return ofGroups(text, tokens, index)
  return undefined
}

/** Whether a word for a passport stands right before a number. */
const isAfterPassport = (text: string, tokens: Tokens, index: number): boolean =>
  PASSPORT_LETTERS.has((tokens.units[tokens.start[index - 1] ?? 0] ?? 0) | 32) &&
  PASSPORT.test(wordAt(text, tokens, index - 1))
const PASSPORT_LETTERS: ReadonlySet<number> = new Set(Array.from('pr', (letter) => letter.charCodeAt(0)))
const PASSPORT = longPattern('personal-data.PASSPORT')

function ofOneWord(word: string): Found | undefined {
  if (isAmericanId(word)) return { kind: 'national', tokens: 1 }
  if (/^[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}$/.test(word)) return { kind: 'phone', tokens: 1 }
  const digits = word.replaceAll('-', '')
  if (isCard(digits)) return { kind: 'card', tokens: 1 }
  return isFrenchId(digits) || isGermanId(word) ? { kind: 'national', tokens: 1 } : undefined
}

/** Groupings of cards and of the French id. */
const GROUPINGS = ['4444', '44443', '465', '464', '1222332'].map((shape) => Array.from(shape, Number))

/** Reads grouped cards and French ids. Compares the group lengths first, which is cheap. */
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

/** Whether the digits are in an issuer's range for payment cards, with the right length and Luhn checksum. */
const isCard = (digits: string): boolean => CARD.test(digits) && isLuhn(digits)

const wordAt = (text: string, { count, start, end }: Tokens, index: number): string =>
  index >= 0 && index < count ? text.slice(start[index], end[index]) : ''

/** Whether exactly one space precedes the token. */
const isSpaced = ({ units, count, start, end }: Tokens, index: number): boolean =>
  index < count && start[index] === (end[index - 1] ?? 0) + 1 && units[end[index - 1] ?? 0] === SPACE

const isBracketed = ({ units, start, end }: Tokens, index: number): boolean =>
  units[(start[index] ?? 0) - 1] === OPENING && units[end[index] ?? 0] === CLOSING

function digitsIn(units: Uint16Array, from: number, to: number): number {
  let digits = 0
  for (let i = from; i < to; i++) if ((units[i] ?? 0) >= 48 && (units[i] ?? 0) <= 57) digits++
  return digits
}

const CARD = longPattern('personal-data.CARD')

const FRENCH_NUMBER = longPattern('personal-data.FRENCH_NUMBER')

const ITALIAN_CODE = longPattern('personal-data.ITALIAN_CODE')
