/** Flags of a token: the characters in it. */
export const HAS_LOWER = 1
export const HAS_UPPER = 1 << 1
export const HAS_DIGIT = 1 << 2
/** A character beyond ASCII that is neither punctuation nor space. */
export const HAS_WIDE = 1 << 3
export const HAS_AT = 1 << 4
export const HAS_DOT = 1 << 5
export const HAS_SLASH = 1 << 6
/** Hyphen, underscore, plus or apostrophe inside. */
export const HAS_JOINER = 1 << 7
/** A scheme with `://`, or host and path with a query. */
export const IS_URL = 1 << 8
/** Begins with an ASCII capital. */
export const STARTS_UPPER = 1 << 9
/** A continuation of a run that was too long for one token. */
export const IS_PIECE = 1 << 10
/** Flags of the gap before a token. */
export const AFTER_SENTENCE = 1 << 11
export const AFTER_NEWLINE = 1 << 12
export const AFTER_QUOTE = 1 << 13
/** A colon or an equals sign. */
export const AFTER_ASSIGN = 1 << 14
/** An opening bracket of any kind. */
export const AFTER_BRACKET = 1 << 15
/** An invisible character in the token or before it. */
export const HAS_INVISIBLE = 1 << 16

export const HAS_LETTER = HAS_LOWER | HAS_UPPER | HAS_WIDE
export const SOLID = HAS_LETTER | HAS_DIGIT
export const GAP = AFTER_SENTENCE | AFTER_NEWLINE | AFTER_QUOTE | AFTER_ASSIGN | AFTER_BRACKET | HAS_INVISIBLE

/** Behaviour of a character in the tokeniser; not flags of tokens. */
export const JOINS = 1 << 20
/** Joins two letters; elsewhere a quotation mark. */
export const APOSTROPHE = 1 << 21
/** Joins only inside a URL. */
export const QUERY = 1 << 22
/** May begin a token if the next character may. */
export const STARTER = 1 << 23
export const COLON = 1 << 24
export const BACKSLASH = 1 << 25

/** The bits of each code unit. Surrogates are not part of words. */
export const CHARACTERS = Int32Array.from({ length: 0x10000 }, (_, code) => wideBits(code))
CHARACTERS.set(asciiBits())

function asciiBits(): Int32Array {
  const bits = new Int32Array(128)
  const set = (characters: string, value: number) => {
    for (const character of characters) bits[character.charCodeAt(0)] = value
  }
  set('abcdefghijklmnopqrstuvwxyz', HAS_LOWER)
  set('ABCDEFGHIJKLMNOPQRSTUVWXYZ', HAS_UPPER)
  set('0123456789', HAS_DIGIT)
  set('.', JOINS | STARTER | HAS_DOT)
  set('/', JOINS | STARTER | HAS_SLASH)
  set('_+', JOINS | STARTER | HAS_JOINER)
  set('-', JOINS | HAS_JOINER)
  set('@', JOINS | HAS_AT)
  set("'", APOSTROPHE | AFTER_QUOTE)
  set('"`', AFTER_QUOTE)
  set('&#%;', QUERY)
  set('~', QUERY | STARTER)
  set('=', QUERY | AFTER_ASSIGN)
  set('?', QUERY | AFTER_SENTENCE)
  set('!', AFTER_SENTENCE)
  set(':', COLON | AFTER_ASSIGN)
  set('\\', BACKSLASH)
  set('\n\r', AFTER_NEWLINE)
  set('<([{', AFTER_BRACKET)
  return bits
}

function wideBits(code: number): number {
  if (code < 0xc0) return latinSignBits(code)
  if (code < 0x2000) return code === 0xd7 || code === 0xf7 ? 0 : HAS_WIDE
  if (code < 0x2070) return punctuationBits(code)
  if (code >= 0xd800 && code < 0xe000) return 0
  if (code >= 0x3000 && code < 0x3020) return code === 0x3002 ? AFTER_SENTENCE : 0
  if (code === 0xfeff) return JOINS | HAS_INVISIBLE
  return code >= 0xff00 ? fullWidthBits(code) : HAS_WIDE
}

/** U+0080…U+00BF: controls and symbols; the ordinal indicators and micro are letters. */
function latinSignBits(code: number): number {
  if (code === 0xaa || code === 0xb5 || code === 0xba) return HAS_WIDE
  if (code === 0xad) return JOINS | HAS_INVISIBLE
  if (code === 0x85) return AFTER_NEWLINE
  return code === 0xab || code === 0xbb ? AFTER_QUOTE : 0
}

/** U+2000…U+206F: spaces, dashes, quotation marks and invisible characters. */
function punctuationBits(code: number): number {
  if (code === 0x2019) return APOSTROPHE | AFTER_QUOTE
  if (code >= 0x2018 && code <= 0x201f) return AFTER_QUOTE
  if (code === 0x2010 || code === 0x2011) return JOINS | HAS_JOINER
  if (code === 0x2026) return AFTER_SENTENCE
  if (code === 0x2028 || code === 0x2029) return AFTER_NEWLINE
  const invisible = (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || code >= 0x2060
  return invisible ? JOINS | HAS_INVISIBLE : 0
}

/** U+FF00…U+FFFF: full-width ASCII, then letters; the last sixteen are not part of words. */
function fullWidthBits(code: number): number {
  if (code === 0xff01 || code === 0xff1f) return AFTER_SENTENCE
  if (code === 0xffe5 || code >= 0xfff0) return 0
  if (code >= 0xff66) return HAS_WIDE
  return (code >= 0xff10 && code <= 0xff19) ||
    (code >= 0xff21 && code <= 0xff3a) ||
    (code >= 0xff41 && code <= 0xff5a)
    ? HAS_WIDE
    : 0
}
