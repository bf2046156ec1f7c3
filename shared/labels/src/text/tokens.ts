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
}

/** Reads `text` in one pass. What it gives holds until its next call: the arrays are used again. */
export type TokenScanner = (text: string) => Tokens

/** Longest token, code units; a longer run is cut into pieces. */
export const TOKEN_UNITS_MAX = 256
/** Longest text read, code units; what follows is not. `textOf` gives no more. */
export const UNITS_MAX = 98_304

const FIRST_TOKENS = 2_048
const FIRST_UNITS = 16_384
/** The bits of a character that a token takes over from it. */
const MADE_OF = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | HAS_INVISIBLE
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
  /** Between what was read last and what comes next. */
  gap: number
  start: Int32Array
  end: Int32Array
  flags: Int32Array
}

/**
 * A scanner with arrays of its own. Tokens are words, numbers and what is written as one: addresses, URLs, paths, ids. Punctuation
 * at the ends is no part of them; `\n`, `\r` and `\t` written out (text that was quoted once more) count as space.
 */
export function createTokenScanner(): TokenScanner {
  const tokens: Buffers = {
    ...unitsFor(FIRST_UNITS),
    ...arraysFor(FIRST_TOKENS),
    length: 0,
    count: 0,
    gap: 0,
  }
  return (text) => {
    load(text, tokens)
    scan(tokens)
    return tokens
  }
}

/** The scanner for whoever is done with its tokens before anyone scans again. */
export const scanTokens: TokenScanner = createTokenScanner()

/** Copies the text's units: reading them from an array is several times faster than asking a string for each. */
function load(text: string, tokens: Buffers): void {
  const length = Math.min(text.length, UNITS_MAX)
  if (length >= tokens.units.length) Object.assign(tokens, unitsFor(length + 1))
  tokens.bytes.write(text, 0, length * 2, 'utf16le')
  tokens.units[length] = 0
  tokens.length = length
  tokens.count = 0
}

function scan(tokens: Buffers): void {
  const { units, length } = tokens
  let gap = AFTER_NEWLINE | AFTER_SENTENCE
  let at = 0
  while (at < length) {
    const bits = bitsAt(units, at)
    if ((bits & SOLID) !== 0 || ((bits & STARTER) !== 0 && starts(units, at))) {
      at = scanRun(at, gap, tokens)
      gap = tokens.gap
    } else {
      const escaped = (bits & BACKSLASH) === 0 ? 0 : escapeAt(units, at)
      gap |= (bits | escaped) & GAP
      at += escaped === 0 ? 1 : 2
    }
  }
}

/** Reads the run from `start`, leaves in `tokens.gap` what it makes of the gap behind it, and gives where it went on to. */
function scanRun(start: number, gap: number, tokens: Buffers): number {
  const { units, length } = tokens
  let flags = gap
  let pending = 0
  let end = start
  let at = start
  for (;;) {
    const limit = Math.min(start + TOKEN_UNITS_MAX, length)
    let bits = bitsAt(units, at)
    if ((bits & SOLID) !== 0) {
      flags |= pending & ~JOINS
      pending = 0
      while ((bits & SOLID) !== 0 && at < limit) {
        flags |= bits
        bits = bitsAt(units, ++at)
      }
      end = at
    }
    if (at >= length) break
    if (at >= limit) {
      if (end > start) push(tokens, start, end, flags)
      flags = IS_PIECE | (flags & IS_URL)
      start = at
      end = at
      pending = 0
      continue
    }
    const joined = joinedBy(units, at, bits, flags, pending)
    if (joined === 0 && (at > start || (bits & STARTER) === 0)) break
    pending |= joined
    at++
  }
  if (end > start) push(tokens, start, end, flags)
  const full = (pending & HAS_DOT) === 0 ? 0 : AFTER_SENTENCE
  tokens.gap = end > start ? full : gap | full
  return at
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

function push(tokens: Buffers, start: number, end: number, flags: number): void {
  if (tokens.count === tokens.start.length) grow(tokens)
  const { count } = tokens
  const first = bitsAt(tokens.units, start)
  tokens.start[count] = start
  tokens.end[count] = end
  tokens.flags[count] = (first & HAS_UPPER) === 0 ? flags : flags | STARTS_UPPER
  tokens.count = count + 1
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

function unitsFor(length: number): Pick<Buffers, 'bytes' | 'units'> {
  const bytes = Buffer.alloc(length * 2)
  return { bytes, units: new Uint16Array(bytes.buffer, bytes.byteOffset, length) }
}

function arraysFor(count: number): Pick<Buffers, 'start' | 'end' | 'flags'> {
  return { start: new Int32Array(count), end: new Int32Array(count), flags: new Int32Array(count) }
}

function grow(tokens: Buffers): void {
  const { start, end, flags } = tokens
  Object.assign(tokens, arraysFor(start.length * 2))
  tokens.start.set(start)
  tokens.end.set(end)
  tokens.flags.set(flags)
}
