import {
  AFTER_NEWLINE,
  AFTER_SENTENCE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_LETTER,
  HAS_SLASH,
  HAS_UPPER,
  IS_URL,
  STARTS_UPPER,
} from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { type Candidates, TIERS } from './candidates.js'
import { addNormal, createNormalForm, isStopWord } from './normal-form.js'

const NAME_TOKENS_MAX = 5
const QUOTED_TOKENS_MAX = 8
const LINE_TOKENS_MAX = 4
const SPACE = 32
const COLON = 58
const NO_NAME = IS_URL | HAS_AT | HAS_DIGIT | HAS_DOT | HAS_SLASH

/** Adds the capitalised phrase that begins with token `at`, and its words. Returns the next token to read. */
export function addName(tokens: Tokens, at: number, to: number, found: Candidates): number {
  let last = at
  while (last + 1 < to && last + 1 - at < NAME_TOKENS_MAX && isNextInName(tokens, last)) last++
  const next = last + 1
  let first = at
  while (first <= last && isStopToken(tokens, first)) first++
  if (first > last) return next
  const start = tokens.start[first] ?? 0
  const end = withoutPossessive(tokens.units, tokens.end[last] ?? 0)
  if (first === last) {
    if (first > at || !startsSentence(tokens, at)) found.add('n', TIERS.weak, start, end)
    return next
  }
  found.add('n', TIERS.name, start, end)
  for (let i = first; i <= last; i++) addPart(tokens, i, found)
  return next
}

/** Cuts a possessive ending: `Ann's` becomes `Ann`. */
function withoutPossessive(units: Uint16Array, end: number): number {
  if (end < 2 || units[end - 1] !== LOWER_S) return end
  const before = units[end - 2]
  const isPossessive = before === APOSTROPHE || before === CURLED
  return isPossessive ? end - 2 : end
}

const APOSTROPHE = 39
const CURLED = 0x2019
const LOWER_S = 115

function addPart({ units, start, end }: Tokens, at: number, found: Candidates): void {
  const [from, to] = [start[at] ?? 0, withoutPossessive(units, end[at] ?? 0)]
  if (to - from >= 3) found.add('n', TIERS.part, from, to)
}

function isNextInName({ units, start, end, flags }: Tokens, at: number): boolean {
  const bits = flags[at + 1] ?? 0
  if ((bits & STARTS_UPPER) === 0 || (bits & (NO_NAME | AFTER_NEWLINE | AFTER_SENTENCE)) !== 0) return false
  return isSpaceAlone(units, end[at] ?? 0, start[at + 1] ?? 0)
}

function isSpaceAlone(units: Uint16Array, start: number, end: number): boolean {
  if (end - start > 3) return false
  for (let at = start; at < end; at++) if (units[at] !== SPACE) return false
  return true
}

/** Whether the capital only begins a sentence, because a lower-case word follows. */
function startsSentence({ units, start, end, flags, count }: Tokens, at: number): boolean {
  if (((flags[at] ?? 0) & (AFTER_NEWLINE | AFTER_SENTENCE)) === 0) return false
  if (at + 1 >= count || !isSpaceAlone(units, end[at] ?? 0, start[at + 1] ?? 0)) return false
  return ((flags[at + 1] ?? 0) & HAS_UPPER) === 0
}

const form = createNormalForm()

function isStopToken({ units, start, end }: Tokens, at: number): boolean {
  form.length = 0
  addNormal(form, units, start[at] ?? 0, end[at] ?? 0)
  return isStopWord(form)
}

/** Adds quoted text that begins with token `at`, except for object keys. */
export function addQuoted(text: string, tokens: Tokens, at: number, to: number, found: Candidates): void {
  const start = tokens.start[at] ?? 0
  const close = closing(text.charAt(start - 1))
  if (close === '') return
  for (let last = at; last < to && last - at < QUOTED_TOKENS_MAX; last++) {
    const end = tokens.end[last] ?? 0
    const after = text.charAt(end)
    const isClosed = after === close || ('.,!?'.includes(after) && text.charAt(end + 1) === close)
    if (!isClosed) continue
    if (text.charCodeAt(end + (after === close ? 1 : 2)) === COLON) return
    addPhrase(tokens, at, last, found)
    return
  }
}

function closing(open: string): string {
  if (open === '"' || open === "'" || open === '`') return open
  if (open === '“') return '”'
  return open === '‘' ? '’' : ''
}

/** Adds a short value alone on a line or after a colon: `channel: general`. */
export function addShortLine(text: string, tokens: Tokens, at: number, to: number, found: Candidates): void {
  for (let last = at; last < to && last - at < LINE_TOKENS_MAX; last++) {
    const next = last + 1
    const isLast = next >= tokens.count || ((tokens.flags[next] ?? 0) & AFTER_NEWLINE) !== 0
    if (isLast) {
      // Text that ends in a colon is a heading or a key.
      if (text.charCodeAt(tokens.end[last] ?? 0) !== COLON) addPhrase(tokens, at, last, found)
      return
    }
    if (!isSpaceAlone(tokens.units, tokens.end[last] ?? 0, tokens.start[next] ?? 0)) return
  }
}

/** Adds a quoted or listed value. A single token only if it is a word; others are added by their own kind. */
function addPhrase({ start, end, flags }: Tokens, at: number, last: number, found: Candidates): void {
  const bits = flags[at] ?? 0
  const size = (end[last] ?? 0) - (start[at] ?? 0)
  if (at === last) {
    const isShort = size < 3 && (bits & HAS_DIGIT) === 0
    if (isShort || (bits & (IS_URL | HAS_AT | HAS_SLASH)) !== 0) return
    const isWord = (bits & HAS_LETTER) !== 0
    return found.add(isWord ? 'n' : 'i', TIERS.weak, start[at] ?? 0, end[at] ?? 0)
  }
  found.add('n', TIERS.name, start[at] ?? 0, end[last] ?? 0)
}
