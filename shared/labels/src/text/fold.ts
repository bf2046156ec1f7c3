/**
 * One way to write a character for all that look or count the same: full-width, mathematical, circled and superscript forms, the digits
 * of every script, letters of other alphabets that look Latin, dashes of every kind; what cannot be seen is left out.
 */

/** The longest that one character becomes: a single one may stand for a whole phrase. */
const FOLDED_UNITS_MAX = 4

/** Cyrillic and Greek letters beside the Latin ones that they are taken for. */
const LOOK_ALIKES = new Map(
  [
    ['авекмнорстухіјѕԁԛԝһӏ', 'abekmhopctyxijsdqwhl'],
    ['АВЕКМНОРСТУХІЈЅԀԚԜҺӀ', 'ABEKMHOPCTYXIJSDQWHL'],
    ['αβεικνορτυχγ', 'abeiknoptuxy'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([from = '', to = '']) => Array.from(from, (each, i) => [each, to.charAt(i)] as const)),
)

const DASH = /[\p{Pd}\u2212\u2043\u02d7]/u
const HIDDEN = /[\p{M}\p{Cf}\u115f\u1160\u3164\uffa0]/gu
const SPACE = /^\p{Z}$/u
const DECIMAL = /^\p{Nd}$/u

/** Characters that were met, by code point: as many as one plane has, for texts come from agents. */
const KNOWN_MAX = 0x10000
const known = new Map<number, string>()

/** `code`, a character beyond ASCII, as it is compared: letter case is kept. */
export function foldCodePoint(code: number): string {
  const found = known.get(code)
  if (found !== undefined) return found
  const made = folded(code)
  if (known.size < KNOWN_MAX) known.set(code, made)
  return made
}

function folded(code: number): string {
  const special = enclosed(code)
  if (special !== undefined) return special
  const character = String.fromCodePoint(code)
  if (SPACE.test(character)) return ' '
  if (DASH.test(character)) return '-'
  const plain = character.normalize('NFKD').replace(HIDDEN, '').slice(0, FOLDED_UNITS_MAX)
  if (plain.length !== 1 && plain.length !== 2) return plain
  if (DECIMAL.test(plain)) return digitOf(plain.codePointAt(0) ?? 0)
  return LOOK_ALIKES.get(plain) ?? plain
}

/** The digits of a script stand in a row, so that a digit's value is its distance from the first that is none. */
function digitOf(code: number): string {
  if (code < 128) return String.fromCharCode(code)
  let value = 0
  while (value < 9 && DECIMAL.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** Letters and digits in circles, squares and flags that Unicode does not decompose: where a row begins, how long it is, its first. */
const ENCLOSED: readonly (readonly [from: number, count: number, first: number])[] = [
  [0x1f150, 26, 65],
  [0x1f170, 26, 65],
  [0x1f1e6, 26, 65],
  [0x2776, 9, 49],
  [0x2780, 9, 49],
  [0x278a, 9, 49],
  [0x24f5, 9, 49],
]

function enclosed(code: number): string | undefined {
  if (code === 0x24ff) return '0'
  if (code < 0x24f5) return undefined
  for (const [from, count, first] of ENCLOSED)
    if (code >= from && code < from + count) return String.fromCharCode(first + code - from)
  return undefined
}

/**
 * When a character is worth folding: always, where it stands beside a digit, or where it stands behind an ASCII letter or digit. Accents,
 * quotation marks and the letters of most foreign words are compared as they are.
 */
const NEVER = 0
const ALWAYS = 1
const BESIDE_DIGIT = 2
const BEHIND_SOLID = 3
const UNKNOWN = 255

const worthOf = new Uint8Array(0x10000).fill(UNKNOWN)
const HIDES = /[\p{Cf}\u034f\u115f\u1160\u3164\uffa0]|\p{M}|[\u00a0\u2000-\u200a\u202f\u205f\u3000]/u
const STANDS_FOR_ASCII =
  /[\p{Nd}\p{No}\p{Script=Cyrillic}\p{Script=Greek}\uff01-\uff5e\u2070-\u209c\u24b6-\u24ff]/u

function worth(unit: number): number {
  const found = worthOf[unit] ?? NEVER
  if (found !== UNKNOWN) return found
  return (worthOf[unit] = judged(unit))
}

function judged(unit: number): number {
  // Letters and digits drawn otherwise, and invisible tags, begin with these halves; the signs that people draw do not.
  if (unit >= 0xd800 && unit < 0xe000) return unit === 0xd835 || unit === 0xdb40 ? ALWAYS : NEVER
  const character = String.fromCharCode(unit)
  if (DASH.test(character)) return BESIDE_DIGIT
  if (HIDES.test(character)) return BEHIND_SOLID
  return STANDS_FOR_ASCII.test(character) ? ALWAYS : NEVER
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isSolid = (code: number): boolean => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122)

function isWorthFolding(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 128) continue
    if (unit === 0xd83c && isEnclosed(text, at)) return true
    const kind = worth(unit)
    if (kind === NEVER) continue
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at + 1)]
    if (kind === ALWAYS) return true
    if (kind === BESIDE_DIGIT ? isDigit(before) || isDigit(after) : isSolid(before)) return true
  }
  return false
}

const isEnclosed = (text: string, at: number): boolean =>
  enclosed(text.codePointAt(at) ?? 0) !== undefined || (text.codePointAt(at) ?? 0) < 0x1f18a

/** Whether `text` has a character that is worth folding. */
export const mayFold = (text: string): boolean =>
  // ASCII alone, as most texts are, and quickly known.
  Buffer.byteLength(text) !== text.length && isWorthFolding(text)
