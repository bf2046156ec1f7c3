import {
  AFTER_NEWLINE,
  AFTER_SENTENCE,
  APOSTROPHE,
  BACKSLASH,
  CHARACTERS,
  COLON,
  GAP,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_INVISIBLE,
  HAS_JOINER,
  HAS_LETTER,
  HAS_SLASH,
  HAS_UPPER,
  HAS_WIDE,
  IS_PIECE,
  IS_URL,
  JOINS,
  QUERY,
  SOLID,
  STARTER,
  STARTS_UPPER,
} from './characters.js'

/** The tokens of one text: `[start[i], end[i])` in UTF-16 code units, in order, with flags of `characters.ts`. */
export interface Tokens {
  /** The text's code units, as far as it was read; a 0 stands behind the last. */
  readonly units: Uint16Array
  /** How many of them were read. */
  readonly length: number
  readonly count: number
  readonly start: Int32Array
  readonly end: Int32Array
  readonly flags: Int32Array
  /** Of a token of ASCII letters and digits alone (`isPlain`): the FNV-1a hash of its small letters, not yet mixed. */
  readonly hash: Int32Array
}

/** Whether `hash` stands for all of a token with these flags. */
export const isPlain = (flags: number): boolean => (flags & NOT_PLAIN) === 0
const NOT_PLAIN = HAS_WIDE | HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL | HAS_INVISIBLE

/** FNV-1a over code units (Fowler, Noll and Vo). */
export const HASH_BASIS = 0x811c9dc5
export const HASH_PRIME = 0x01000193

/** Reads `text` in one pass. What it gives holds until its next call: the arrays are used again. */
export type TokenScanner = (text: string) => Tokens

/** Longest token, code units; a longer run is cut into pieces. */
export const TOKEN_UNITS_MAX = 256
/** Longest text read, code units; what follows is not. `textOf` gives no more. */
export const UNITS_MAX = 98_304

const FIRST_UNITS = 16_384
/** The bits of a character that a token takes over from it. */
const MADE_OF = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | HAS_INVISIBLE
/** What may begin a token, and what may go on with it. */
const BEGINS = SOLID | STARTER | BACKSLASH
const CONNECTS = JOINS | APOSTROPHE | COLON | QUERY
const PLUS = 43
const SLASH = 47
const LESS_THAN = 60
const QUESTION_MARK = 63
const LOWER_N = 110
const LOWER_R = 114
const LOWER_T = 116

interface Buffers {
  bytes: Buffer
  units: Uint16Array
  length: number
  count: number
  start: Int32Array
  end: Int32Array
  flags: Int32Array
  hash: Int32Array
}

/**
 * A scanner with arrays of its own. Tokens are words, numbers and what is written as one: addresses, URLs, paths, ids. Punctuation
 * at the ends is no part of them; `\n`, `\r` and `\t` written out (text that was quoted once more) count as space.
 */
export function createTokenScanner(): TokenScanner {
  const tokens = buffersFor(FIRST_UNITS)
  return (text) => {
    load(text, tokens)
    scan(tokens)
    return tokens
  }
}

/** The scanner for anyone who is done with its tokens before anyone scans again. */
export const scanTokens: TokenScanner = createTokenScanner()

/** Copies the text's units: reading them from an array is several times faster than asking a string for each. */
function load(text: string, tokens: Buffers): void {
  const length = Math.min(text.length, UNITS_MAX)
  if (length >= tokens.units.length) Object.assign(tokens, buffersFor(length))
  tokens.bytes.write(text, 0, length * 2, 'utf16le')
  tokens.units[length] = 0
  tokens.length = length
}

/** One function, and long: a call for each token would cost a fifth of the time that all the text takes. */
function scan(tokens: Buffers): void {
  const { units, length, start, end, flags, hash: hashes } = tokens
  const characters = CHARACTERS
  let count = 0
  let gap = AFTER_NEWLINE | AFTER_SENTENCE
  let at = 0
  while (at < length) {
    let unit = units[at] ?? 0
    let bits = characters[unit] ?? 0
    if ((bits & BEGINS) === 0) {
      gap |= bits & GAP
      at++
      continue
    }
    if ((bits & SOLID) === 0 && ((bits & BACKSLASH) !== 0 || !starts(units, at))) {
      const escaped = (bits & BACKSLASH) === 0 ? 0 : escapeAt(units, at)
      gap |= escaped & GAP
      at += escaped === 0 ? 1 : 2
      continue
    }
    const from = at
    const limit = Math.min(from + TOKEN_UNITS_MAX, length)
    let made = gap | ((bits & HAS_UPPER) === 0 ? 0 : STARTS_UPPER)
    let pending = 0
    let to = from
    let hash = HASH_BASIS
    if ((bits & SOLID) === 0) {
      pending = bits & MADE_OF
      hash = Math.imul(hash ^ unit, HASH_PRIME)
      unit = units[++at] ?? 0
      bits = characters[unit] ?? 0
    }
    while (at < limit) {
      if ((bits & SOLID) !== 0) {
        made |= pending & ~JOINS
        pending = 0
        do {
          made |= bits
          // A capital as its small letter.
          hash = Math.imul(hash ^ (unit + ((bits & HAS_UPPER) << 4)), HASH_PRIME)
          unit = units[++at] ?? 0
          bits = characters[unit] ?? 0
        } while ((bits & SOLID) !== 0 && at < limit)
        to = at
      }
      const joined = (bits & CONNECTS) === 0 || at >= limit ? 0 : joinedBy(units, at, bits, made, pending)
      if (joined === 0) break
      pending |= joined
      unit = units[++at] ?? 0
      bits = characters[unit] ?? 0
    }
    const full = (pending & HAS_DOT) === 0 ? 0 : AFTER_SENTENCE
    gap |= full
    if (to === from) continue
    start[count] = from
    end[count] = to
    hashes[count] = hash
    flags[count++] = made
    gap = at >= limit && (bits & SOLID) !== 0 ? IS_PIECE | (made & IS_URL) : full
  }
  tokens.count = count
}

/** What a character between two solid ones adds to the token: 0 if it ends it. */
function joinedBy(units: Uint16Array, at: number, bits: number, flags: number, pending: number): number {
  if ((bits & JOINS) !== 0) return (bits & MADE_OF) | JOINS
  if ((bits & APOSTROPHE) !== 0) return pending === 0 && isLetter(units, at + 1) ? HAS_JOINER : 0
  const inUrl = (flags & IS_URL) !== 0
  if ((bits & COLON) !== 0) {
    if (inUrl) return IS_URL
    const schemed = pending === 0 && units[at + 1] === SLASH && units[at + 2] === SLASH
    return schemed ? IS_URL : 0
  }
  if ((bits & QUERY) === 0) return 0
  if (inUrl) return IS_URL
  const asked = units[at] === QUESTION_MARK && pending === 0 && isLetter(units, at + 1)
  return asked && (flags & HAS_DOT) !== 0 && (flags & HAS_SLASH) !== 0 ? IS_URL : 0
}

/** `.env`, `/etc`, `~/x`, `_name` and `+44` begin with their sign; a lone sign and a closing tag do not. */
function starts(units: Uint16Array, at: number): boolean {
  const next = bitsAt(units, at + 1)
  const code = units[at]
  if (code === PLUS) return (next & HAS_DIGIT) !== 0
  if ((next & (SOLID | STARTER)) === 0) return false
  return code !== SLASH || at === 0 || units[at - 1] !== LESS_THAN
}

/** The gap that a written-out escape stands for; 0 where the backslash is just that. */
function escapeAt(units: Uint16Array, at: number): number {
  const code = units[at + 1]
  if (code === LOWER_N || code === LOWER_R) return AFTER_NEWLINE
  return code === LOWER_T ? BACKSLASH : 0
}

const bitsAt = (units: Uint16Array, at: number): number => CHARACTERS[units[at] ?? 0] ?? 0
const isLetter = (units: Uint16Array, at: number): boolean => (bitsAt(units, at) & HAS_LETTER) !== 0

/** Room for `length` units and the 0 behind them, and for as many tokens as they can hold. */
function buffersFor(length: number): Buffers {
  const bytes = Buffer.alloc((length + 1) * 2)
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, length + 1)
  const most = Math.ceil(length / 2)
  const arrays = {
    start: new Int32Array(most),
    end: new Int32Array(most),
    flags: new Int32Array(most),
    hash: new Int32Array(most),
  }
  return { bytes, units, length: 0, count: 0, ...arrays }
}
