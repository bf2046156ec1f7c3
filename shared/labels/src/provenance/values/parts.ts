import { longPattern } from '../../text/data.js'
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
import { type Candidates, TIERS } from './candidates.js'
import { digitOf, isDigit, isLower, isUpper, solidOf } from './places.js'

/**
 * Finds values inside larger tokens: parts of a URL, path or file name, and ids glued to letters. An id is recognised by its digits, alone and
 * with the letters on either side. So whole and part match, whichever was read.
 */

const CORE_DIGITS_MIN = 5
const MIXED_DIGITS_MIN = 3
const MIXED_SOLID_MIN = 5
/** Digits followed by letters are often no id: times, sizes, parts of hashes. They must be longer. */
const HEADLESS_SOLID_MIN = 7
const PART_SOLID_MAX = 64
/** Letters that may belong to an id, such as `KX` and `INV`. */
const HEAD_LETTERS_MAX = 5
const TAIL_LETTERS_MAX = 4
/** Most groups of digits in one id; `2024-0042` has two. */
const GROUPS_MAX = 3

/** Grouped digits are read as numbers instead. */
const GLUED = HAS_AT | HAS_SLASH | HAS_LETTER | IS_URL
const JOINED = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL

/** Limit of parts per text; several times what fits in a list. */
const PARTS_MAX = 384

/** Adds parts of the marked tokens that may be ids. Returns false if there are more than the limit. */
export function findParts(tokens: Tokens, starts: HiddenStarts, found: Candidates): boolean {
  const { start, end, flags, count } = tokens
  for (let i = 0; i < starts.count; i++) {
    const at = starts.at[i] ?? 0
    const bits = flags[at] ?? 0
    if ((bits & HAS_DIGIT) === 0 || (bits & GLUED) === 0 || (bits & IS_PIECE) !== 0) continue
    const first = start[at] ?? 0
    // The pieces of a cut run are one token.
    let last = at
    while (last + 1 < count && ((flags[last + 1] ?? 0) & IS_PIECE) !== 0) last++
    const after = end[last] ?? 0
    if (after - first < MIXED_SOLID_MIN || !hasParts(tokens.units, first, after, bits)) continue
    if (found.count >= PARTS_MAX) return false
    addPartsOf(tokens.units, first, after, bits, found)
  }
  return found.count < PARTS_MAX
}

/** Whether the token has enough digits, and more than a date and time. */
function hasParts(units: Uint16Array, start: number, end: number, bits: number): boolean {
  const digits = countDigits(units, start, end)
  const letters = countSolid(units, start, end) - digits
  if ((bits & IN_PLACES) !== 0) return digits >= SEGMENT_DIGITS_MIN
  const isDay = letters <= 2 && isDigit(units[start] ?? 0) && units[start + 4] === HYPHEN
  return digits >= MIXED_DIGITS_MIN && !isDay
}

function addPartsOf(units: Uint16Array, start: number, end: number, bits: number, found: Candidates): void {
  // An account is one value; adding its digits would count it twice.
  if ((bits & JOINED) === 0 && isAccount(units, start, end)) return
  addParts(units, start, end, found)
  if (isAddress(bits)) addSegments(units, start, Math.min(end, units.indexOf(AT_SIGN, start) + 1), 'g', found)
  else if ((bits & IN_PLACES) !== 0) addSegments(units, start, end, 'i', found)
}

const HYPHEN = 45
const AT_SIGN = 64

const written = (units: Uint16Array, start: number, end: number): string =>
  String.fromCharCode(...units.subarray(start, end))

function countSolid(units: Uint16Array, start: number, end: number): number {
  let solid = 0
  for (let at = start; at < end; at++) solid += solidOf(units[at] ?? 0)
  return solid
}

/** Whether the token is an address. Its user part adds nothing to it. */
const isAddress = (bits: number): boolean => (bits & (HAS_AT | IS_URL)) === HAS_AT

/** Whether the token has the form of an IBAN. */
const isAccount = (units: Uint16Array, start: number, end: number): boolean =>
  end - start >= 14 && end - start <= 34 && ACCOUNT.test(written(units, start, end))

const ACCOUNT = longPattern('parts.ACCOUNT')

const IN_PLACES = HAS_AT | HAS_SLASH | IS_URL

/** Adds parts with a digit between the separators of a URL, path or address. Keys and passwords need not look like an id. */
function addSegments(
  units: Uint16Array,
  start: number,
  end: number,
  letter: 'g' | 'i',
  found: Candidates,
): void {
  let from = start
  for (let at = start; at <= end && found.count < PARTS_MAX; at++) {
    const code = at < end ? (units[at] ?? 0) : SLASH
    if (isSolid(code) || isWeakJoiner(code) || code >= 128) continue
    const [solid, digits] = [countSolid(units, from, at), countDigits(units, from, at)]
    const isPart =
      digits >= SEGMENT_DIGITS_MIN && digits < solid && solid >= SEGMENT_SOLID_MIN && solid <= PART_SOLID_MAX
    // A host is added as a whole.
    const isHost = from > start && (units[from - 1] ?? 0) === SLASH && (units[from - 2] ?? 0) === SLASH
    if (isPart && !isHost && (from > start || at < end) && !isCommon(units, from, at))
      found.add(letter, TIERS.variant, from, at)
    from = at + 1
  }
}

const SLASH = 47
const SEGMENT_SOLID_MIN = 8
const SEGMENT_DIGITS_MIN = 2

function countDigits(units: Uint16Array, start: number, end: number): number {
  let digits = 0
  for (let at = start; at < end; at++) digits += digitOf(units[at] ?? 0)
  return digits
}

/** The last groups of digits, oldest first. No list: setting its length is a call, and these are many. */
const groups = { count: 0, start: new Int32Array(GROUPS_MAX), end: new Int32Array(GROUPS_MAX) }

function addParts(units: Uint16Array, start: number, end: number, found: Candidates): void {
  groups.count = 0
  let at = start
  while (at < end && found.count < PARTS_MAX) {
    const from = at
    while (at < end && isSolid(units[at] ?? 0)) at++
    if (keepCore(units, from, at)) addGroups(units, start, end, found)
    else if (at > from) groups.count = 0
    if (at < end && !isWeakJoiner(units[at] ?? 0)) groups.count = 0
    if (at === from || at < end) at++
  }
}

/** Keeps a piece from its first digit to its last; returns false if it has none. */
function keepCore(units: Uint16Array, start: number, end: number): boolean {
  let [from, to] = [start, end]
  while (from < to && !isDigit(units[from] ?? 0)) from++
  while (to > from && !isDigit(units[to - 1] ?? 0)) to--
  if (to === from) return false
  if (groups.count === GROUPS_MAX) {
    groups.start.copyWithin(0, 1)
    groups.end.copyWithin(0, 1)
    groups.count--
  }
  groups.start[groups.count] = from
  groups.end[groups.count++] = to
  return true
}

/** Adds the parts that end with the last of the groups. */
function addGroups(units: Uint16Array, start: number, end: number, found: Candidates): void {
  const to = groups.end[groups.count - 1] ?? start
  const tail = tailEnd(units, to, end)
  for (let i = 0; i < groups.count; i++) {
    const from = groups.start[i] ?? 0
    const head = headStart(units, from, start)
    addPart(units, from, to, found)
    if (head < from) addPart(units, head, to, found)
    if (tail > to) addPart(units, from, tail, found)
    if (head < from && tail > to) addPart(units, head, tail, found)
  }
}

/** Adds `[start, end)` unless it looks common: a year, a date or a short number. */
function addPart(units: Uint16Array, start: number, end: number, found: Candidates): void {
  if (end - start > 2 * PART_SOLID_MAX) return
  const solid = countSolid(units, start, end)
  const digits = countDigits(units, start, end)
  const isPlain = digits === solid
  if (isPlain ? digits < CORE_DIGITS_MIN : digits < MIXED_DIGITS_MIN || solid < MIXED_SOLID_MIN) return
  if (!isPlain && solid < HEADLESS_SOLID_MIN && isDigit(units[start] ?? 0)) return
  if (solid > PART_SOLID_MAX || isCommon(units, start, end)) return
  found.add(isPlain && digits < 8 ? 'g' : 'i', TIERS.variant, start, end)
}

/** A date, a date with a time, or a year after a word. */
const COMMON = longPattern('parts.COMMON')

function isCommon(units: Uint16Array, start: number, end: number): boolean {
  let at = start
  while (at < end && !isDigit(units[at] ?? 0)) at++
  const [first, second] = [units[at], units[at + 1]]
  const isCentury = (first === 49 && second === 57) || (first === 50 && second === 48)
  return isCentury && COMMON.test(written(units, start, end))
}

/** Start of the letters before a group of digits: up to a capital after a small letter, across at most one joiner. */
function headStart(units: Uint16Array, group: number, start: number): number {
  let at = group
  // The text before a dot is another part of a name.
  if (at > start && isWeakJoiner(units[at - 1] ?? 0) && (units[at - 1] ?? 0) !== DOT) at--
  const until = at
  while (at > start && until - at <= HEAD_LETTERS_MAX && isLetter(units[at - 1] ?? 0)) {
    const isBend = at < until && isLower(units[at - 1] ?? 0) && isUpper(units[at] ?? 0)
    if (isBend) break
    at--
  }
  return until - at >= 1 && until - at <= HEAD_LETTERS_MAX ? at : group
}

/** End of the letters after a group of digits, by the same rules. */
function tailEnd(units: Uint16Array, group: number, end: number): number {
  let at = group
  if (at < end && isWeakJoiner(units[at] ?? 0) && (units[at] ?? 0) !== DOT) at++
  const from = at
  while (at < end && isLetter(units[at] ?? 0) && at - from <= TAIL_LETTERS_MAX) {
    const isBend = at > from && isUpper(units[at - 1] ?? 0) !== isUpper(units[at] ?? 0)
    if (isBend) break
    at++
  }
  return at - from >= 1 && at - from <= TAIL_LETTERS_MAX ? at : group
}

const DOT = 46
const isLetter = (code: number): boolean => isLower(code) || isUpper(code)
const isSolid = (code: number): boolean => isDigit(code) || isLetter(code)
/** Hyphen, dot and underscore join one id; other characters end it. */
const isWeakJoiner = (code: number): boolean => code === 45 || code === DOT || code === 95

/** Tokens at which something hidden may begin, in order: `at[0…count)`. Plain words are skipped. */
export interface HiddenStarts {
  readonly count: number
  readonly at: Int32Array
}

/** Longer than any word. */
export const LONG_UNITS_MIN = 48
const MIXED_UNITS_MIN = 10
const BOTH_CASES = HAS_LOWER | HAS_UPPER
const FIRST_CAPACITY = 4_096

const held = { count: 0, at: new Int32Array(FIRST_CAPACITY) }

/** The result is valid until the next call. */
export function hiddenStartsOf({ start, end, flags, count }: Tokens): HiddenStarts {
  if (held.at.length < count) held.at = new Int32Array(2 ** Math.ceil(Math.log2(count)))
  const { at } = held
  let marked = 0
  for (let i = 0; i < count; i++) {
    const bits = flags[i] ?? 0
    const isMarked = (bits & HAS_DIGIT) !== 0 || mayBegin(bits, (end[i] ?? 0) - (start[i] ?? 0))
    if (isMarked) at[marked++] = i
  }
  held.count = marked
  return held
}

/** A single letter or two capitals may be a piece of a value; mixed case may be encoded. */
function mayBegin(bits: number, size: number): boolean {
  if (size <= 2) return size === 1 || (bits & BOTH_CASES) === HAS_UPPER
  if (size >= LONG_UNITS_MIN) return true
  return (bits & BOTH_CASES) === BOTH_CASES && (size >= MIXED_UNITS_MIN || (bits & STARTS_UPPER) === 0)
}
