/** Luhn's sum over a run of digits (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The remainder of a number of any length by `modulus` (below 10⁶). */
export function remainderOf(digits: string, modulus: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digits.charCodeAt(i) - 48) % modulus
  return rest
}

/** ISO 13616: the first four behind the rest, letters as 10…35, remainder 1 by 97. `iban` is upper case without spaces. */
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

/** By country, as the register of ISO 13616 has them. */
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

/** Spain: eight digits, or X, Y or Z and seven, then the letter that their remainder by 23 chooses. */
export function isSpanishId(word: string): boolean {
  if (!/^[XYZ\d]\d{7}[A-Z]$/.test(word)) return false
  const digits = word.slice(0, 8).replace('X', '0').replace('Y', '1').replace('Z', '2')
  return DNI_LETTERS[Number(digits) % 23] === word[8]
}

/** France: thirteen digits and 97 less their remainder; sex, month and department must be possible. */
export function isFrenchId(digits: string): boolean {
  if (!/^[12]\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[1-9]\d)\d{8}$/.test(digits)) return false
  return 97 - remainderOf(digits.slice(0, 13), 97) === Number(digits.slice(13))
}

/** Germany's tax number: eleven digits, one of the first ten twice or thrice and the others once at most; ISO 7064, MOD 11,10. */
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

/** What a character at an odd place, the first being one, counts; digits as A…J. */
const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

/** Italy's codice fiscale: sixteen characters, the last the sum of the others by 26. */
export function isItalianId(word: string): boolean {
  if (!/^[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(word)) return false
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const code = word.charCodeAt(i)
    const value = code < 65 ? code - 48 : code - 65
    sum += i % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === word[15]
}

/** The United Kingdom's national insurance number: letters that are given out, six digits, A to D. */
export const isBritishId = (word: string): boolean =>
  /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(word) && !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(word)

/** The United States' social security number, as it is written, of a range that is given out. */
export const isAmericanId = (word: string): boolean =>
  /^\d{3}-\d{2}-\d{4}$/.test(word) && !/^(?:000|666|9)|-00-|-0000$/.test(word)
