import { longPattern } from './data.js'
/**
 * Folds characters that look or count the same to one: full-width, mathematical, circled and superscript forms, the digits of every script,
 * look-alike letters of other alphabets, invisible tags, and all dashes. Other invisible characters are dropped.
 */

/** Longest result for one character, because a single one may stand for a whole phrase. */
const FOLDED_UNITS_MAX = 4

/** Cyrillic and Greek letters with their Latin look-alikes. */
const LOOK_ALIKES = new Map(
  [
    ['авекмнорстухіјѕԁԛԝһӏ', 'abekmhopctyxijsdqwhl'],
    ['АВЕКМНОРСТУХІЈЅԀԚԜҺӀ', 'ABEKMHOPCTYXIJSDQWHL'],
    ['αβεικνορτυχγ', 'abeiknoptuxy'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([from = '', to = '']) => Array.from(from, (each, i) => [each, to.charAt(i)] as const)),
)

const DASH = /[\p{Pd}\u2212\u2043\u02d7]/u
const HIDDEN = longPattern('fold.HIDDEN')
const SPACE = /^\p{Z}$/u
const DECIMAL = /^\p{Nd}$/u

/** Cache of folded characters by code point. Limited to one plane, because texts come from agents. */
const KNOWN_MAX = 0x10000
const known = new Map<number, string>()

/** The folded form of `code`, a character beyond ASCII. Keeps the case. */
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
  // An invisible tag is the ASCII character of the same place; flags of regions end with some.
  if (code >= TAGS + 32 && code < TAGS + 127) return String.fromCharCode(code - TAGS)
  const character = String.fromCodePoint(code)
  if (SPACE.test(character)) return ' '
  if (DASH.test(character)) return '-'
  const plain = character.normalize('NFKD').replace(HIDDEN, '').slice(0, FOLDED_UNITS_MAX)
  if (plain.length !== 1 && plain.length !== 2) return plain
  if (DECIMAL.test(plain)) return digitOf(plain.codePointAt(0) ?? 0)
  return LOOK_ALIKES.get(plain) ?? plain
}

/** The digits of a script are contiguous, so a digit's value is its distance from the first non-digit below it. */
function digitOf(code: number): string {
  if (code < 128) return String.fromCharCode(code)
  let value = 0
  while (value < 9 && DECIMAL.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** Unicode's block of tags. */
const TAGS = 0xe0000

/** Enclosed letters and digits that Unicode does not decompose: start, count and first ASCII character of each row. */
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
 * When a character is folded: always, next to a digit, or after an ASCII letter or digit. Accents, quotation marks and letters of most foreign
 * words are not folded.
 */
const NEVER = 0
const ALWAYS = 1
const BESIDE_DIGIT = 2
const BEHIND_SOLID = 3
const UNKNOWN = 255

const worthOf = new Uint8Array(0x10000).fill(UNKNOWN)
const HIDES = longPattern('fold.HIDES')
const STANDS_FOR_ASCII = longPattern('fold.STANDS_FOR_ASCII')

function worth(unit: number): number {
  const found = worthOf[unit] ?? NEVER
  if (found !== UNKNOWN) return found
  return (worthOf[unit] = judged(unit))
}

function judged(unit: number): number {
  // High surrogates of styled letters and digits, and of invisible tags; emoji have others.
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

/** Whether `text` has a character to fold. */
export const mayFold = (text: string): boolean =>
  // A fast check for ASCII, which most texts are.
  Buffer.byteLength(text) !== text.length && isWorthFolding(text)
