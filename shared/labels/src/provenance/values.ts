import {
  AFTER_ASSIGN,
  AFTER_BRACKET,
  AFTER_NEWLINE,
  AFTER_QUOTE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_SLASH,
  IS_URL,
  STARTS_UPPER,
} from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { TIERS, type Candidates } from './candidates.js'
import { addDigits, addMixed } from './numbers.js'
import { addName, addQuoted, addShortLine } from './names.js'
import { addAddress, addDotted, addPath, addUrl } from './places.js'

/** What makes a token worth a look: plain words in running text are passed over. */
const TELLING = IS_URL | HAS_AT | HAS_SLASH | HAS_DIGIT | HAS_DOT | STARTS_UPPER | AFTER_QUOTE
const LINE_START = AFTER_NEWLINE | AFTER_ASSIGN | AFTER_BRACKET

/** Adds the telling values among the tokens `[from, to)` of `text`. One pass, with a bounded look ahead. */
export function findValues(text: string, tokens: Tokens, from: number, to: number, found: Candidates): void {
  const { flags } = tokens
  let at = from
  while (at < to) {
    const bits = flags[at] ?? 0
    if ((bits & (TELLING | LINE_START | HAS_JOINER)) === 0) at++
    else at = addValue(text, tokens, at, to, found)
  }
}

/** Adds what token `at` begins and gives the token to go on from. */
function addValue(text: string, tokens: Tokens, at: number, to: number, found: Candidates): number {
  const bits = tokens.flags[at] ?? 0
  const start = tokens.start[at] ?? 0
  const end = tokens.end[at] ?? 0
  if ((bits & AFTER_QUOTE) !== 0) addQuoted(text, tokens, at, to, found)
  else if ((bits & LINE_START) !== 0) addShortLine(text, tokens, at, to, found)
  if ((bits & IS_URL) !== 0) addUrl(text, start, end, found)
  else if ((bits & HAS_AT) !== 0) addAddress(start, end, found)
  else if ((bits & HAS_SLASH) !== 0) addPath(text, start, end, bits, found)
  else if (text.charCodeAt(start - 1) === AT_SIGN) found.add('a', TIERS.target, start, end)
  else if ((bits & HAS_LETTER) === 0) return addDigits(text, tokens, at, to, found)
  else if ((bits & HAS_DOT) !== 0) addDotted(text, start, end, found)
  else if ((bits & HAS_DIGIT) !== 0) return addMixed(text, tokens, at, to, found)
  else if ((bits & STARTS_UPPER) !== 0) return addName(text, tokens, at, to, found)
  else if ((bits & HAS_JOINER) !== 0 && isIdentifier(text, start, end)) found.add('i', TIERS.weak, start, end)
  return at + 1
}

const AT_SIGN = 64
const UNDERSCORE = 95

/** `snake_case`, but no word with a hyphen. */
function isIdentifier(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === UNDERSCORE) return true
  return false
}
