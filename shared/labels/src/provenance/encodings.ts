import {
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_LETTER,
  HAS_LOWER,
  HAS_UPPER,
  IS_PIECE,
  IS_URL,
  STARTS_UPPER,
} from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { decodeBase32, decodeBase64, decodeHex, type Decoded } from './decode.js'
import { looksEncoded } from './looks-encoded.js'
import { isDigit, isLower, isUpper } from './solid.js'

/** A shorter run holds nothing that would count as a value. */
const RUN_UNITS_MIN = 12
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
export function encodedTexts(text: string, tokens: Tokens): Encoded {
  const texts: string[] = []
  let unknown = 0
  const { start, end, count } = tokens
  let done = 0
  let at = 0
  while (at < count) {
    const from = start[at] ?? 0
    const chunks = chunksFrom(tokens, at)
    if (chunks.areRun) {
      done = end[chunks.next - 1] ?? 0
      unknown = Math.max(unknown, readChunks(text.slice(from, done), (end[at] ?? 0) - from, texts))
    } else if ((end[at] ?? 0) - from >= RUN_UNITS_MIN && from >= done && isMixed(tokens.flags[at] ?? 0)) {
      let last = at
      while (last + 1 < count && ((tokens.flags[last + 1] ?? 0) & IS_PIECE) !== 0) last++
      done = end[last] ?? 0
      unknown = Math.max(unknown, readRuns(text, from, done, texts))
    }
    at = chunks.next
  }
  return { texts, unknown }
}

/** Words are not: an encoded run has digits, or small letters and capitals. */
function isMixed(bits: number): boolean {
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & HAS_LOWER) !== 0 && (bits & HAS_UPPER) !== 0
}

interface Chunks {
  /** The token to go on from. */
  readonly next: number
  readonly areRun: boolean
}

/**
 * The pieces that one run may have been cut into, from token `at` on: of one length, but for the last, or each of them encoded by its
 * looks. What begins within a sequence that is none is none either, so that nothing is gone over twice.
 */
function chunksFrom({ start, end, flags, count }: Tokens, at: number): Chunks {
  const size = (end[at] ?? 0) - (start[at] ?? 0)
  if (size > CHUNK_UNITS_MAX) return { next: at + 1, areRun: false }
  let next = at + 1
  let bits = flags[at] ?? 0
  while (next < count && (start[next] ?? 0) - (end[next - 1] ?? 0) <= GAP_UNITS_MAX) {
    const made = flags[next] ?? 0
    const length = (end[next] ?? 0) - (start[next] ?? 0)
    if (length !== size && !isCharacterNumber(size, length, made) && !isTangled(made, length)) {
      if (length > size) break
      bits |= made
      next++
      break
    }
    bits |= made
    next++
  }
  if (next - at < CHUNKS_MIN) return { next: at + 1, areRun: false }
  const isLong = (end[next - 1] ?? 0) - (start[at] ?? 0) >= RUN_UNITS_MIN
  if (isLong && isMixed(bits)) return { next, areRun: true }
  return { next: next - 1, areRun: false }
}

/** Numbers of characters have two digits or three. */
const isCharacterNumber = (size: number, length: number, bits: number): boolean =>
  size <= 3 && length >= 2 && length <= 3 && (bits & HAS_LETTER) === 0

/** Letters and digits in one, or a capital behind a small letter. */
function isTangled(bits: number, length: number): boolean {
  if (length < 4 || (bits & (HAS_LOWER | HAS_UPPER)) === 0 || (bits & NOT_ENCODED) !== 0) return false
  if ((bits & HAS_DIGIT) !== 0) return true
  return (bits & (HAS_LOWER | HAS_UPPER | STARTS_UPPER)) === (HAS_LOWER | HAS_UPPER)
}

const NOT_ENCODED = HAS_AT | HAS_DOT | IS_URL

function readChunks(chunks: string, size: number, texts: string[]): number {
  if (size <= 3) addCharacterNumbers(chunks, texts)
  const joined = chunks.replace(/[^A-Za-z0-9+/_=-]+/g, '')
  return readRun(size === 4 ? joined.replaceAll(/0x/gi, '') : joined, texts, true)
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
  return isLower(code) || isUpper(code) || isDigit(code) || code === 43 || code === 47 || code === 45 || code === 95
}

/** Adds what a run decodes to; how long it is where it looks encoded and does not. */
function readRun(given: string, texts: string[], isJoined = false): number {
  const run = given.replace(/^0x/i, '')
  const found = run.length < RUN_UNITS_MIN ? undefined : decodedOf(run)
  if (found === undefined) return 0
  texts.push(...found.texts)
  return found.isWhole || !looksEncoded(run, isJoined) ? 0 : run.length
}

function decodedOf(run: string): Decoded | undefined {
  if (!hasMixture(run)) return undefined
  const texts: string[] = []
  for (const decode of DECODERS) {
    const found = decode(run)
    if (found.isWhole) return found
    texts.push(...found.texts)
  }
  const backwards = decodeBase64(reversed(run))
  return { texts: [...texts, ...backwards.texts], isWhole: backwards.isWhole }
}

const DECODERS: readonly ((run: string) => Decoded)[] = [decodeHex, decodeBase64, decodeBase32]

const reversed = (text: string): string => Buffer.from(text, 'latin1').reverse().toString('latin1')

/** A run of words, `/usr/local/share` or `getUserName`, is none; nor are digits alone, but in hexadecimal. */
function hasMixture(run: string): boolean {
  return /\d/.test(run) ? run.length >= RUN_UNITS_MIN : /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(run)
}

/** Numbers of characters in a row, as arrays of bytes are written. */
function addCharacterNumbers(text: string, texts: string[]): void {
  const codes = text.split(/\D+/).filter(Boolean).map(Number)
  if (codes.length < CODES_MIN || codes.some((code) => code > 126 || (code < 32 && code !== 10))) return
  texts.push(String.fromCharCode(...codes.slice(0, CODES_MAX)))
}

const CODES_MIN = 6
const CODES_MAX = 8_192
