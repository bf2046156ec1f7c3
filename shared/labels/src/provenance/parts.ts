import {
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_SLASH,
  IS_PIECE,
  IS_URL,
} from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { TIERS, type Candidates } from './candidates.js'
import type { Marks } from './marks.js'
import { countSolid, isDigit, isLower, isUpper } from './solid.js'

/**
 * Values inside what is written as one: a part of a URL, of a path or of a file's name, what stands glued to letters. An id is known by
 * its digits, and by these with the letters at either side; so both the whole and its part are found, whichever of the two was read.
 */

const CORE_DIGITS_MIN = 5
const MIXED_DIGITS_MIN = 3
const MIXED_SOLID_MIN = 5
/** Letters between digits, and none before them, are often no id: times, sizes, parts of hashes. */
const HEADLESS_SOLID_MIN = 7
const PART_SOLID_MAX = 64
/** Letters that belong to an id, as `KX` and `INV` do. */
const HEAD_LETTERS_MAX = 5
const TAIL_LETTERS_MAX = 4
/** Groups of digits that one id has at most, as `2024-0042` has two. */
const GROUPS_MAX = 3

/** Digits in groups are read as numbers are. */
const GLUED = HAS_AT | HAS_SLASH | HAS_LETTER | IS_URL
const JOINED = HAS_AT | HAS_DOT | HAS_SLASH | HAS_JOINER | IS_URL

/** Parts of one text that are looked at, several times what finds room in a list. */
const PARTS_MAX = 384

/** Adds the parts of the marked tokens that may be ids; false where there are more than are looked at. */
export function findParts(text: string, tokens: Tokens, marks: Marks, found: Candidates): boolean {
  const { start, end, flags, count } = tokens
  for (let i = 0; i < marks.count; i++) {
    const at = marks.at[i] ?? 0
    const bits = flags[at] ?? 0
    if ((bits & HAS_DIGIT) === 0 || (bits & GLUED) === 0 || (bits & IS_PIECE) !== 0) continue
    const first = start[at] ?? 0
    // A run that was cut is one token all the same.
    let last = at
    while (last + 1 < count && ((flags[last + 1] ?? 0) & IS_PIECE) !== 0) last++
    const after = end[last] ?? 0
    if (after - first < MIXED_SOLID_MIN || !hasParts(tokens.units, first, after, bits)) continue
    if (found.count >= PARTS_MAX) return false
    addPartsOf(text, first, after, bits, found)
  }
  return found.count < PARTS_MAX
}

/** Whether there are digits enough, and more than a day and its time. */
function hasParts(units: Uint16Array, start: number, end: number, bits: number): boolean {
  let digits = 0
  let letters = 0
  for (let at = start; at < end; at++) {
    const unit = units[at] ?? 0
    if (isDigit(unit)) digits++
    else if (isLetter(unit)) letters++
  }
  if ((bits & IN_PLACES) !== 0) return digits >= SEGMENT_DIGITS_MIN
  const isDay = letters <= 2 && isDigit(units[start] ?? 0) && units[start + 4] === HYPHEN
  return digits >= MIXED_DIGITS_MIN && !isDay
}

function addPartsOf(text: string, start: number, end: number, bits: number, found: Candidates): void {
  // An account is one value; to have its digits beside it would count it twice.
  if ((bits & JOINED) === 0 && isAccount(text, start, end)) return
  addParts(text, start, end, found)
  if (isAddress(bits)) addSegments(text, start, Math.min(end, text.indexOf('@', start) + 1), 'g', found)
  else if ((bits & IN_PLACES) !== 0) addSegments(text, start, end, 'i', found)
}

const HYPHEN = 45

/** Who an address belongs to says no more than the address does. */
const isAddress = (bits: number): boolean => (bits & (HAS_AT | IS_URL)) === HAS_AT

/** Two capitals, two digits, and what an account number (IBAN) goes on with. */
const isAccount = (text: string, start: number, end: number): boolean =>
  end - start >= 14 && end - start <= 34 && ACCOUNT.test(text.slice(start, end))

const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{4}\d[A-Z0-9]*$/

const IN_PLACES = HAS_AT | HAS_SLASH | IS_URL

/** What stands between the signs of a URL, a path or an address, if it has a digit: a key or a password need not look like an id. */
function addSegments(text: string, start: number, end: number, letter: 'g' | 'i', found: Candidates): void {
  let from = start
  for (let at = start; at <= end && found.count < PARTS_MAX; at++) {
    const code = at < end ? text.charCodeAt(at) : SLASH
    if (isSolid(code) || isWeakJoiner(code) || code >= 128) continue
    const [solid, digits] = [countSolid(text, from, at), countDigits(text, from, at)]
    const isPart =
      digits >= SEGMENT_DIGITS_MIN && digits < solid && solid >= SEGMENT_SOLID_MIN && solid <= PART_SOLID_MAX
    // A host is told as one.
    const isHost = from > start && text.charCodeAt(from - 1) === SLASH && text.charCodeAt(from - 2) === SLASH
    if (isPart && !isHost && (from > start || at < end) && !COMMON.test(text.slice(from, at)))
      found.add(letter, TIERS.variant, from, at)
    from = at + 1
  }
}

const SLASH = 47
const SEGMENT_SOLID_MIN = 8
const SEGMENT_DIGITS_MIN = 2

function countDigits(text: string, start: number, end: number): number {
  let digits = 0
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) digits++
  return digits
}

interface Group {
  start: number
  end: number
}

function addParts(text: string, start: number, end: number, found: Candidates): void {
  const groups: Group[] = []
  let at = start
  while (at < end && found.count < PARTS_MAX) {
    const from = at
    while (at < end && isSolid(text.charCodeAt(at))) at++
    const core = coreOf(text, from, at)
    if (core) {
      groups.push(core)
      if (groups.length > GROUPS_MAX) groups.shift()
      addGroups(text, groups, start, end, found)
    } else if (at > from) groups.length = 0
    if (at < end && !isWeakJoiner(text.charCodeAt(at))) groups.length = 0
    if (at === from || at < end) at++
  }
}

/** From the first digit of a piece to its last. */
function coreOf(text: string, start: number, end: number): Group | undefined {
  let [from, to] = [start, end]
  while (from < to && !isDigit(text.charCodeAt(from))) from++
  while (to > from && !isDigit(text.charCodeAt(to - 1))) to--
  return to > from ? { start: from, end: to } : undefined
}

/** Adds what ends with the last of `groups`. */
function addGroups(
  text: string,
  groups: readonly Group[],
  start: number,
  end: number,
  found: Candidates,
): void {
  const to = groups.at(-1)?.end ?? start
  const tail = tailEnd(text, to, end)
  for (const group of groups) {
    const head = headStart(text, group.start, start)
    addPart(text, group.start, to, found)
    if (head < group.start) addPart(text, head, to, found)
    if (tail > to) addPart(text, group.start, tail, found)
    if (head < group.start && tail > to) addPart(text, head, tail, found)
  }
}

/** Adds `[start, end)` if nothing common looks like it: years, dates and short numbers are none. */
function addPart(text: string, start: number, end: number, found: Candidates): void {
  if (end - start > 2 * PART_SOLID_MAX) return
  const solid = countSolid(text, start, end)
  const digits = countDigits(text, start, end)
  const isPlain = digits === solid
  if (isPlain ? digits < CORE_DIGITS_MIN : digits < MIXED_DIGITS_MIN || solid < MIXED_SOLID_MIN) return
  if (!isPlain && solid < HEADLESS_SOLID_MIN && isDigit(text.charCodeAt(start))) return
  if (solid > PART_SOLID_MAX || COMMON.test(text.slice(start, end))) return
  found.add(isPlain && digits < 8 ? 'g' : 'i', TIERS.variant, start, end)
}

/** A date, a day and its time, a year behind a word. */
const COMMON =
  /^(?:[a-z]{1,5}[-_.]?)?(?:19|20)\d\d(?:[-_./]?(?:0[1-9]|1[0-2])(?:[-_./]?(?:0[1-9]|[12]\d|3[01])(?:[-_.T ]?\d{2,4})?(?:[-_.:]?\d{2}){0,2})?)?[a-z]{0,4}$/i

/** Where the letters before a group of digits begin: up to a capital behind a small letter, over one joiner at most. */
function headStart(text: string, group: number, start: number): number {
  let at = group
  // What stands before a dot is another part of a name.
  if (at > start && isWeakJoiner(text.charCodeAt(at - 1)) && text.charCodeAt(at - 1) !== DOT) at--
  const until = at
  while (at > start && until - at <= HEAD_LETTERS_MAX && isLetter(text.charCodeAt(at - 1))) {
    const isBend = at < until && isLower(text.charCodeAt(at - 1)) && isUpper(text.charCodeAt(at))
    if (isBend) break
    at--
  }
  return until - at >= 1 && until - at <= HEAD_LETTERS_MAX ? at : group
}

/** The same behind a group of digits. */
function tailEnd(text: string, group: number, end: number): number {
  let at = group
  if (at < end && isWeakJoiner(text.charCodeAt(at)) && text.charCodeAt(at) !== DOT) at++
  const from = at
  while (at < end && isLetter(text.charCodeAt(at)) && at - from <= TAIL_LETTERS_MAX) {
    const isBend = at > from && isUpper(text.charCodeAt(at - 1)) !== isUpper(text.charCodeAt(at))
    if (isBend) break
    at++
  }
  return at - from >= 1 && at - from <= TAIL_LETTERS_MAX ? at : group
}

const DOT = 46
const isLetter = (code: number): boolean => isLower(code) || isUpper(code)
const isSolid = (code: number): boolean => isDigit(code) || isLetter(code)
/** Hyphen, dot and underscore join what is one id; any other sign ends it. */
const isWeakJoiner = (code: number): boolean => code === 45 || code === DOT || code === 95
