import {
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_LOWER,
  HAS_SLASH,
  HAS_UPPER,
  IS_PIECE,
  IS_URL,
  STARTS_UPPER,
} from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { type HiddenStarts, LONG_UNITS_MIN } from '../values/parts.js'
import { isDigit, isLower, isUpper } from '../values/places.js'
import { type Decoded, decodeBase32, decodeBase64, decodeHex } from './decode.js'

/**
 * Whether an undecodable run may hide compressed or encrypted text: lower case, upper case and digits in no word-like order. Hashes, commits
 * and UUIDs are excluded by their hexadecimal digits and lengths.
 */

const ENCODED_UNITS_MIN = 16
const HASH_UNITS_MAX = 40
const HASH_LENGTHS = new Set([48, 56, 64, 96, 128])
/** Minimum share of neighbours of different kinds. Random base64 has two thirds; names of many words have at most a third. */
const BENDS_SHARE_MIN = 0.36
/** Lower share for runs with only one case and digits; part numbers and slugs are shorter. */
const ONE_CASE_UNITS_MIN = 24
const ONE_CASE_SHARE_MIN = 0.28
/** Longer than any word or name. */
const LETTERS_MAX = 48
const DIGITS_MAX = 36

/** `isJoined`: joined from pieces. It then needs both cases, because listed numbered items are not encoded. */
export function looksEncoded(run: string, isJoined: boolean): boolean {
  if (isHash(run)) return false
  const piece = longestPiece(run)
  if (piece.length < ENCODED_UNITS_MIN) return false
  const [lower, upper, digits, bends] = kindsOf(piece)
  if (/^[0-9a-f]+$/i.test(piece) && piece.length <= HASH_UNITS_MAX) return false
  if (isJoined && (lower < 2 || upper < 2 || digits < 2)) return false
  if (digits === piece.length) return digits > DIGITS_MAX
  if (digits === 0 && (lower === 0 || upper <= 1)) return piece.length > LETTERS_MAX
  const share = bends / (piece.length - 1)
  const isTwoCases = lower > 1 && upper > 1
  return isTwoCases
    ? share >= BENDS_SHARE_MIN
    : piece.length >= ONE_CASE_UNITS_MIN && digits > 1 && share >= ONE_CASE_SHARE_MIN
}

function isHash(run: string): boolean {
  const digits = run.replaceAll('-', '')
  if (!/^[0-9a-f]+$/i.test(digits)) return false
  return digits.length <= HASH_UNITS_MAX || HASH_LENGTHS.has(digits.length)
}

/** Words are separated by hyphens, slashes and underscores, which are rare in encoded text. */
function longestPiece(run: string): string {
  let longest = ''
  for (const piece of run.split(/[-_/+]/)) if (piece.length > longest.length) longest = piece
  return longest
}

/** Counts of lower case, upper case and digits, and of changes between kinds. A leading capital counts as one change. */
function kindsOf(piece: string): readonly [lower: number, upper: number, digits: number, bends: number] {
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  let before = -1
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    const kind = isDigit(code) ? 2 : isUpper(code) ? 1 : 0
    counts[kind]++
    if (before >= 0 && kind !== before) counts[3]++
    before = kind
  }
  return counts
}

/** Shorter runs cannot contain a value. */
const RUN_UNITS_MIN = 10
const CHUNK_UNITS_MAX = 76
/** First room for the code units of a run; more is made for a longer one. */
const RUN_UNITS = 1_024
const CHUNKS_MIN = 3
const GAP_UNITS_MAX = 4

export interface Encoded {
  readonly texts: readonly string[]
  /** Length in code units of the longest run that looks encoded but does not decode to text. */
  readonly unknown: number
}

/**
 * Decodes base64, base32, hexadecimal and character numbers in `text`, inside longer runs, reversed or in pieces. Linear: each run is read a
 * fixed number of times.
 */
export function encodedTexts(text: string, tokens: Tokens, starts: HiddenStarts): Encoded {
  const texts: string[] = []
  let unknown = 0
  const { start, end, flags, count } = tokens
  let done = 0
  let next = 0
  for (let i = 0; i < starts.count; i++) {
    const at = starts.at[i] ?? 0
    // The first pieces of a run may have one case only, so reading may start at the next piece.
    const from = start[at] ?? 0
    const size = (end[at] ?? 0) - from
    if (at < next || (size < LONG_UNITS_MIN && !isMixed(flags[at] ?? 0))) continue
    const chunks = chunksEnd(tokens, at, size)
    next = Math.abs(chunks)
    if (chunks > 0) {
      done = end[chunks - 1] ?? 0
      unknown = Math.max(unknown, readChunks(text.slice(from, done), size, texts))
    } else if (
      from >= done &&
      (size >= HEX_UNITS_MIN || (size >= RUN_UNITS_MIN && hasLetter(flags[at] ?? 0)))
    ) {
      let last = at
      while (last + 1 < count && ((flags[last + 1] ?? 0) & IS_PIECE) !== 0) last++
      done = end[last] ?? 0
      if (done - from >= LONG_UNITS_MIN || hasMixture(tokens.units, from, done))
        unknown = Math.max(unknown, readRuns(text, from, done, texts))
    }
  }
  return { texts, unknown }
}

const hasLetter = (bits: number): boolean => (bits & HAS_LETTER) !== 0

/** Whether a run may be encoded: it has digits, or both cases. Words have neither. */
function isMixed(bits: number): boolean {
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & HAS_LOWER) !== 0 && (bits & HAS_UPPER) !== 0
}

/**
 * Returns the end of the pieces from token `at` on that may be one cut run: pieces of equal length except the last, or pieces that each look
 * encoded. If there are none, returns the negated token to continue from, so that no token is read twice.
 */
function chunksEnd(tokens: Tokens, at: number, size: number): number {
  let next = at + 1
  if (size > CHUNK_UNITS_MAX || !isChunk(tokens, next, size)) return -next
  while (isChunk(tokens, next, size)) next++
  if (isRest(tokens, next, size)) next++
  if (next - at < CHUNKS_MIN) return -(at + 1)
  const isLong = (tokens.end[next - 1] ?? 0) - (tokens.start[at] ?? 0) >= RUN_UNITS_MIN
  return isLong ? next : 1 - next
}

/** Whether token `at` continues the pieces of `size`. */
function isChunk({ start, end, flags, count }: Tokens, at: number, size: number): boolean {
  const from = start[at] ?? 0
  const length = (end[at] ?? 0) - from
  const bits = flags[at] ?? 0
  if (length !== size && (bits & HAS_DIGIT) === 0 && (bits & BOTH_CASES) !== BOTH_CASES) return false
  if (at >= count || from - (end[at - 1] ?? 0) > GAP_UNITS_MAX) return false
  return length === size || isCharacterNumber(size, length, bits) || isTangled(bits, length)
}

const BOTH_CASES = HAS_LOWER | HAS_UPPER

/** Whether token `at` is the last piece, which may be shorter. */
const isRest = ({ start, end, count }: Tokens, at: number, size: number): boolean =>
  at < count &&
  (start[at] ?? 0) - (end[at - 1] ?? 0) <= GAP_UNITS_MAX &&
  (end[at] ?? 0) - (start[at] ?? 0) < size

/** Character numbers have two or three digits. */
const isCharacterNumber = (size: number, length: number, bits: number): boolean =>
  size <= 3 && length >= 2 && length <= 3 && (bits & HAS_LETTER) === 0

/** Letters mixed with digits, or a capital after a small letter. */
function isTangled(bits: number, length: number): boolean {
  if (length < 4 || (bits & (HAS_LOWER | HAS_UPPER)) === 0 || (bits & NOT_ENCODED) !== 0) return false
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & (HAS_LOWER | HAS_UPPER | STARTS_UPPER)) === (HAS_LOWER | HAS_UPPER)
}

const NOT_ENCODED = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL

/** Reads the pieces joined, up to any padding, and the longer ones alone, because they may be separate runs. */
function readChunks(chunks: string, size: number, texts: string[]): number {
  if (size <= 3) addCharacterNumbers(chunks, texts)
  const joined = chunks.replace(/[^A-Za-z0-9+/_=-]+/g, '')
  let unknown = 0
  const whole = size === 4 ? joined.replaceAll(/0x/gi, '') : joined
  // Most have no padding: then nothing has to be cut.
  for (const run of whole.includes('=') ? whole.split(/=+/) : [whole])
    unknown = Math.max(unknown, readRun(run, texts, true))
  if (size >= RUN_UNITS_MIN)
    for (const run of chunks.split(/[^A-Za-z0-9+/_-]+/)) unknown = Math.max(unknown, readRun(run, texts))
  return unknown
}

/** Reads each run of encoded characters in a token; a URL has several. */
function readRuns(text: string, from: number, to: number, texts: string[]): number {
  let unknown = 0
  let at = from
  while (at < to) {
    const first = at
    while (at < to && isEncodedCharacter(text.charCodeAt(at))) at++
    if (at - first >= RUN_UNITS_MIN) unknown = Math.max(unknown, readRun(text.slice(first, at), texts))
    if (at === first || at < to) at++
  }
  return unknown
}

function isEncodedCharacter(code: number): boolean {
  return (
    isLower(code) ||
    isUpper(code) ||
    isDigit(code) ||
    code === 43 ||
    code === 47 ||
    code === 45 ||
    code === 95
  )
}

/** Adds the decoded text of a run. Returns its length if it looks encoded but does not decode, else 0. */
function readRun(given: string, texts: string[], isJoined = false): number {
  const run = given.replace(/^0x/i, '')
  const found = run.length < RUN_UNITS_MIN ? undefined : decodedOf(run)
  if (found === undefined) return run.length >= LONG_UNITS_MIN && looksEncoded(run, isJoined) ? run.length : 0
  for (const each of found.texts) texts.push(each)
  return found.isWhole || !looksEncoded(run, isJoined) ? 0 : run.length
}

let runUnits = new Uint16Array(RUN_UNITS)

function decodedOf(run: string): Decoded | undefined {
  if (run.length > runUnits.length) runUnits = new Uint16Array(run.length)
  for (let at = 0; at < run.length; at++) runUnits[at] = run.charCodeAt(at)
  if (!hasMixture(runUnits, 0, run.length)) return undefined
  const texts: string[] = []
  for (const decode of DECODERS) {
    const found = decode(run)
    if (found.isWhole) return found
    for (const each of found.texts) texts.push(each)
  }
  const backwards = decodeBase64(reversed(run))
  return { texts: [...texts, ...backwards.texts], isWhole: backwards.isWhole }
}

const DECODERS: readonly ((run: string) => Decoded)[] = [decodeHex, decodeBase64, decodeBase32]

const reversed = (text: string): string => Array.from(text).toReversed().join('')

/**
 * Whether a run is worth decoding. Words, dates and paths seldom change between letters and digits or between cases; encoded text does at
 * about every third character. Hexadecimal is recognised by its digits only.
 */
function hasMixture(units: Uint16Array, from: number, to: number): boolean {
  let bends = 0
  let hex = 0
  let before = 0
  for (let at = from; at < to; at++) {
    const kind = KIND[(units[at] ?? 0) & 127] ?? 0
    hex = (hex + 1) * ((kind >> 3) & 1)
    if (hex >= HEX_UNITS_MIN) return true
    bends += BEND[(before << 4) | kind] ?? 0
    before = kind
  }
  return bends >= BENDS_MIN
}

const BENDS_MIN = 3
/** Dates are shorter. */
const HEX_UNITS_MIN = 12
const [IS_LOWER, IS_UPPER, IS_NUMBER, IS_HEX] = [1, 2, 4, 8]
const KINDS = IS_LOWER | IS_UPPER | IS_NUMBER
const KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const kind = isLower(code) ? IS_LOWER : isUpper(code) ? IS_UPPER : isDigit(code) ? IS_NUMBER : 0
  return kind | (/[0-9a-fA-F_-]/.test(character) ? IS_HEX : 0)
})

/** 1 where two neighbours are of different kinds. A capital before a small letter is how words begin. */
const BEND = Uint8Array.from({ length: 256 }, (_, pair) => {
  const [before, kind] = [(pair >> 4) & KINDS, pair & KINDS]
  const isBend = before !== 0 && kind !== 0 && (before & kind) === 0
  return isBend && !(before === IS_UPPER && kind === IS_LOWER) ? 1 : 0
})

/** Adds text from a sequence of character numbers, as in printed byte arrays. */
function addCharacterNumbers(text: string, texts: string[]): void {
  const codes = text.split(/\D+/).filter(Boolean).map(Number)
  if (codes.length < CODES_MIN || codes.some((code) => code > 126 || (code < 32 && code !== 10))) return
  texts.push(String.fromCharCode(...codes.slice(0, CODES_MAX)))
}

const CODES_MIN = 6
const CODES_MAX = 8_192
