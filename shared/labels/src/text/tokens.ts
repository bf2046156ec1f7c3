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

/** The tokens of one text in order: `[start[i], end[i])` in UTF-16 code units, with the flags of `characters.ts`. */
export interface Tokens {
  /** The code units that were read, followed by a 0. */
  readonly units: Uint16Array
  /** The number of code units that were read. */
  readonly length: number
  readonly count: number
  readonly start: Int32Array
  readonly end: Int32Array
  readonly flags: Int32Array
}

/** Whether a token has ASCII letters and digits only, by its flags. */
export const isPlain = (flags: number): boolean => (flags & NOT_PLAIN) === 0
const NOT_PLAIN = HAS_WIDE | HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL | HAS_INVISIBLE

/** FNV-1a over code units (Fowler, Noll and Vo). */
export const HASH_BASIS = 0x811c9dc5
export const HASH_PRIME = 0x01000193

/** FNV-1a of a token of ASCII letters in lower case. */
export function hashOfUnits(units: Uint16Array, start: number, end: number, basis = HASH_BASIS): number {
  let hash = basis
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ ((units[at] ?? 0) | 32), HASH_PRIME)
  return hash
}

/** Reads `text` in one pass. The result is valid until the next call, which reuses the arrays. */
export type TokenScanner = (text: string) => Tokens

/** Longest token in code units; a longer run is cut into pieces. */
export const TOKEN_UNITS_MAX = 256
/** Code units read per text; the rest is ignored. `textOf` returns no more. */
export const UNITS_MAX = 98_304

const FIRST_UNITS = 16_384
/** Bits of characters that become flags of their token. */
const MADE_OF = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | HAS_INVISIBLE
/** Characters that may begin a token, and characters that may continue one. */
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
}

/**
 * Creates a scanner with its own arrays. Tokens are words, numbers, addresses, URLs, paths and ids, without punctuation at their ends.
 * Written-out escapes (`\n`, `\r` and `\t` in text that was quoted again) count as space.
 */
export function createTokenScanner(): TokenScanner {
  const tokens = buffersFor(FIRST_UNITS)
  return (text) => {
    load(text, tokens)
    scan(tokens)
    return tokens
  }
}

/** A shared scanner. Finish with its tokens before anything scans again. */
export const scanTokens: TokenScanner = createTokenScanner()

/** Copies the code units to an array, which is several times faster to read than a string. */
function load(text: string, tokens: Buffers): void {
  const length = Math.min(text.length, UNITS_MAX)
  if (length >= tokens.units.length) Object.assign(tokens, buffersFor(length))
  tokens.bytes.write(text, 0, length * 2, 'utf16le')
  tokens.units[length] = 0
  tokens.length = length
}

/** One long function, because a call per token would add a fifth to the total time. */
function scan(tokens: Buffers): void {
  const { units, length, start, end, flags } = tokens
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
    if ((bits & SOLID) === 0) {
      pending = bits & MADE_OF
      unit = units[++at] ?? 0
      bits = characters[unit] ?? 0
    }
    while (at < limit) {
      if ((bits & SOLID) !== 0) {
        made |= pending & ~JOINS
        pending = 0
        do {
          made |= bits
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
    flags[count++] = made
    gap = at >= limit && (bits & SOLID) !== 0 ? IS_PIECE | (made & IS_URL) : full
  }
  tokens.count = count
}

/** The flags that a character between two solid ones adds to the token; 0 if it ends the token. */
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

/** Whether the character begins a token, as in `.env`, `/etc`, `~/x`, `_name` and `+44`. A lone one, or that of a closing tag, does not. */
function starts(units: Uint16Array, at: number): boolean {
  const next = bitsAt(units, at + 1)
  const code = units[at]
  if (code === PLUS) return (next & HAS_DIGIT) !== 0
  if ((next & (SOLID | STARTER)) === 0) return false
  return code !== SLASH || at === 0 || units[at - 1] !== LESS_THAN
}

/** The gap flags of a written-out escape; 0 if the backslash is no escape. */
function escapeAt(units: Uint16Array, at: number): number {
  const code = units[at + 1]
  if (code === LOWER_N || code === LOWER_R) return AFTER_NEWLINE
  return code === LOWER_T ? BACKSLASH : 0
}

const bitsAt = (units: Uint16Array, at: number): number => CHARACTERS[units[at] ?? 0] ?? 0
const isLetter = (units: Uint16Array, at: number): boolean => (bitsAt(units, at) & HAS_LETTER) !== 0

/** Allocates room for `length` units, the 0 after them, and the most tokens that they can hold. */
function buffersFor(length: number): Buffers {
  const bytes = Buffer.alloc((length + 1) * 2)
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, length + 1)
  const most = Math.ceil(length / 2)
  const arrays = {
    start: new Int32Array(most),
    end: new Int32Array(most),
    flags: new Int32Array(most),
  }
  return { bytes, units, length: 0, count: 0, ...arrays }
}
