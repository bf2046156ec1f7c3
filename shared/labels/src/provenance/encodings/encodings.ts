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
 * Whether a run that is no text may hide one all the same, compressed or encrypted: small letters, capitals and digits in no order that
 * words have. Hashes, commits and UUIDs are hexadecimal of the lengths that they have, and so are known for what they are.
 */

const ENCODED_UNITS_MIN = 16
const HASH_UNITS_MAX = 40
const HASH_LENGTHS = new Set([48, 56, 64, 96, 128])
/** Of two neighbours in random base64 two thirds are of different kinds; in names of many words a third at most. */
const BENDS_SHARE_MIN = 0.36
/** Of capitals and digits alone, or small letters and digits, fewer bend; part numbers and slugs are shorter. */
const ONE_CASE_UNITS_MIN = 24
const ONE_CASE_SHARE_MIN = 0.28
/** No word and no name is longer. */
const LETTERS_MAX = 48
const DIGITS_MAX = 36

/** `isJoined`: put together from pieces. Numbered things that are listed are no run, so that both cases are asked for. */
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

/** Words are set apart by hyphens, slashes and underscores, which are rare in what is encoded. */
function longestPiece(run: string): string {
  let longest = ''
  for (const piece of run.split(/[-_/+]/)) if (piece.length > longest.length) longest = piece
  return longest
}

/** How many small letters, capitals and digits, and how often one kind follows another; a capital that begins a word bends once. */
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

/** A shorter run holds nothing that would count as a value. */
const RUN_UNITS_MIN = 10
const CHUNK_UNITS_MAX = 76
const CHUNKS_MIN = 3
const GAP_UNITS_MAX = 4

export interface Encoded {
  readonly texts: readonly string[]
  /** Runs that look encoded and do not decode to text: what is in them is not known. Code units of the longest. */
  readonly unknown: number
}

/**
 * What stands in base64, base32, hexadecimal, or the numbers of characters, in `text`: wherever in a longer run, backwards, or in
 * pieces. Linear: each run is read a fixed number of times.
 */
export function encodedTexts(text: string, tokens: Tokens, starts: HiddenStarts): Encoded {
  const texts: string[] = []
  let unknown = 0
  const { start, end, flags, count } = tokens
  let done = 0
  let next = 0
  for (let i = 0; i < starts.count; i++) {
    const at = starts.at[i] ?? 0
    // The first pieces of a run may be letters of one case alone: it can be read from the next one on.
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

/** Words are not: an encoded run has digits, or small letters and capitals. */
function isMixed(bits: number): boolean {
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & HAS_LOWER) !== 0 && (bits & HAS_UPPER) !== 0
}

/**
 * Where the pieces end that one run may have been cut into, from token `at` on: of one length, but for the last, or each of them encoded
 * by its looks. Below 0 where they are none: the token to go on from. What begins within such a sequence is none either, so that nothing
 * is gone over twice.
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

/** Whether token `at` goes on with pieces of `size`. */
function isChunk({ start, end, flags, count }: Tokens, at: number, size: number): boolean {
  const from = start[at] ?? 0
  const length = (end[at] ?? 0) - from
  const bits = flags[at] ?? 0
  if (length !== size && (bits & HAS_DIGIT) === 0 && (bits & BOTH_CASES) !== BOTH_CASES) return false
  if (at >= count || from - (end[at - 1] ?? 0) > GAP_UNITS_MAX) return false
  return length === size || isCharacterNumber(size, length, bits) || isTangled(bits, length)
}

const BOTH_CASES = HAS_LOWER | HAS_UPPER

/** The last piece may be shorter. */
const isRest = ({ start, end, count }: Tokens, at: number, size: number): boolean =>
  at < count &&
  (start[at] ?? 0) - (end[at - 1] ?? 0) <= GAP_UNITS_MAX &&
  (end[at] ?? 0) - (start[at] ?? 0) < size

/** Numbers of characters have two digits or three. */
const isCharacterNumber = (size: number, length: number, bits: number): boolean =>
  size <= 3 && length >= 2 && length <= 3 && (bits & HAS_LETTER) === 0

/** Letters and digits in one, or a capital behind a small letter. */
function isTangled(bits: number, length: number): boolean {
  if (length < 4 || (bits & (HAS_LOWER | HAS_UPPER)) === 0 || (bits & NOT_ENCODED) !== 0) return false
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & (HAS_LOWER | HAS_UPPER | STARTS_UPPER)) === (HAS_LOWER | HAS_UPPER)
}

const NOT_ENCODED = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL

/** Pieces as one run, but for what padding ends; and the longer ones by themselves, for they may be runs of their own. */
function readChunks(chunks: string, size: number, texts: string[]): number {
  if (size <= 3) addCharacterNumbers(chunks, texts)
  const joined = chunks.replace(/[^A-Za-z0-9+/_=-]+/g, '')
  let unknown = 0
  for (const run of (size === 4 ? joined.replaceAll(/0x/gi, '') : joined).split(/=+/))
    unknown = Math.max(unknown, readRun(run, texts, true))
  if (size >= RUN_UNITS_MIN)
    for (const run of chunks.split(/[^A-Za-z0-9+/_-]+/)) unknown = Math.max(unknown, readRun(run, texts))
  return unknown
}

/** Reads the runs of encoded characters of a token: each by itself, for a URL has several. */
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

/** Adds what a run decodes to; how long it is where it looks encoded and does not. */
function readRun(given: string, texts: string[], isJoined = false): number {
  const run = given.replace(/^0x/i, '')
  const found = run.length < RUN_UNITS_MIN ? undefined : decodedOf(run)
  if (found === undefined) return run.length >= LONG_UNITS_MIN && looksEncoded(run, isJoined) ? run.length : 0
  for (const each of found.texts) texts.push(each)
  return found.isWhole || !looksEncoded(run, isJoined) ? 0 : run.length
}

function decodedOf(run: string): Decoded | undefined {
  if (!hasMixture(Buffer.from(run, 'latin1'), 0, run.length)) return undefined
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
 * Whether a run is worth decoding: words, dates and paths change seldom from letter to digit or from small letter to capital, and
 * encoded text at every third character or so. Hexadecimal has none but its sixteen.
 */
function hasMixture(units: ArrayLike<number>, from: number, to: number): boolean {
  let bends = 0
  let hex = 0
  let before = 0
  for (let at = from; at < to; at++) {
    const kind = KIND[(units[at] ?? 0) & 127] ?? 0
    hex = (kind & IS_HEX) === 0 ? 0 : hex + 1
    if (hex >= HEX_UNITS_MIN) return true
    // A capital and then a small letter is how words begin.
    if ((before & kind & KINDS) === 0 && (before & KINDS) !== 0 && (kind & KINDS) !== 0)
      if ((before & IS_UPPER) === 0 || (kind & IS_LOWER) === 0) bends++
    before = kind
  }
  return bends >= BENDS_MIN
}

const BENDS_MIN = 3
/** A day is written in fewer. */
const HEX_UNITS_MIN = 12
const [IS_LOWER, IS_UPPER, IS_NUMBER, IS_HEX] = [1, 2, 4, 8]
const KINDS = IS_LOWER | IS_UPPER | IS_NUMBER
const KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const kind = isLower(code) ? IS_LOWER : isUpper(code) ? IS_UPPER : isDigit(code) ? IS_NUMBER : 0
  return kind | (/[0-9a-fA-F_-]/.test(character) ? IS_HEX : 0)
})

/** Numbers of characters in a row, as arrays of bytes are written. */
function addCharacterNumbers(text: string, texts: string[]): void {
  const codes = text.split(/\D+/).filter(Boolean).map(Number)
  if (codes.length < CODES_MIN || codes.some((code) => code > 126 || (code < 32 && code !== 10))) return
  texts.push(String.fromCharCode(...codes.slice(0, CODES_MAX)))
}

const CODES_MIN = 6
const CODES_MAX = 8_192
