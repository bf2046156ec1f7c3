import { HAS_DIGIT, HAS_LETTER } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { CANDIDATES_MAX, TIERS, type Candidates } from './candidates.js'
import type { Marks } from './marks.js'
import { isUpper } from './solid.js'

/** A value written in pieces, `7 7 3 0`, `77 30 19`, `K X 4 8 2`: neighbours this short are taken for one. */
const GROUP_DIGITS_MAX = 4
const GAP_UNITS_MAX = 3
const PIECES_MIN = 3
const SPELLED_SOLID_MIN = 5
export const SPELLED_SOLID_MAX = 40

/** Adds runs of short pieces; false where a run is longer than any value, so that what it holds is not known. */
export function findSpelled(text: string, tokens: Tokens, marks: Marks, found: Candidates): boolean {
  const { start, end, count } = tokens
  let isWhole = true
  let done = 0
  for (let i = 0; i < marks.count; i++) {
    const from = marks.at[i] ?? 0
    if (from < done || !isPiece(text, tokens, from)) continue
    if (found.count >= CANDIDATES_MAX) return false
    let to = from + 1
    while (to < count && (start[to] ?? 0) - (end[to - 1] ?? 0) <= GAP_UNITS_MAX && isPiece(text, tokens, to))
      to++
    if (to - from >= PIECES_MIN) isWhole = addRun(text, tokens, from, to, found) && isWhole
    done = to
  }
  return isWhole
}

/** Up to four digits, or one letter, or two capitals. */
function isPiece(text: string, { start, end, flags }: Tokens, at: number): boolean {
  const bits = flags[at] ?? 0
  const [first, after] = [start[at] ?? 0, end[at] ?? 0]
  if ((bits & HAS_LETTER) === 0) return after - first <= GROUP_DIGITS_MAX
  if (after - first === 1) return true
  return after - first === 2 && isUpper(text.charCodeAt(first)) && isUpper(text.charCodeAt(first + 1))
}

/** The whole run, its parts whose pieces stand equally far apart, and the digits of these. */
function addRun(text: string, tokens: Tokens, from: number, to: number, found: Candidates): boolean {
  const { start, end } = tokens
  let at = from
  while (at + 1 < to) {
    const gap = text.slice(end[at] ?? 0, start[at + 1] ?? 0)
    let last = at + 1
    while (last + 1 < to && text.slice(end[last] ?? 0, start[last + 1] ?? 0) === gap) last++
    if (last - at + 1 >= PIECES_MIN) {
      addJoined(tokens, at, last + 1, found)
      addDigitRuns(tokens, at, last + 1, found)
    }
    at = last
  }
  return addJoined(tokens, from, to, found)
}

function addDigitRuns(tokens: Tokens, from: number, to: number, found: Candidates): void {
  let first = from
  for (let at = from; at <= to; at++) {
    if (at < to && ((tokens.flags[at] ?? 0) & HAS_LETTER) === 0) continue
    if (at - first >= PIECES_MIN && at - first < to - from) addJoined(tokens, first, at, found)
    first = at + 1
  }
}

/** Adds the pieces `[from, to)` as one, as text: they must not make a target look unknown. False where they are too many. */
function addJoined({ start, end, flags }: Tokens, from: number, to: number, found: Candidates): boolean {
  let solid = 0
  let digits = 0
  for (let at = from; at < to && solid <= SPELLED_SOLID_MAX; at++) {
    const size = (end[at] ?? 0) - (start[at] ?? 0)
    solid += size
    if (((flags[at] ?? 0) & HAS_DIGIT) !== 0) digits += size
  }
  if (solid > SPELLED_SOLID_MAX) return false
  const isLong = digits > 0 ? solid >= SPELLED_SOLID_MIN : to - from >= SPELLED_SOLID_MIN
  if (isLong) found.add('g', TIERS.variant, start[from] ?? 0, end[to - 1] ?? 0)
  return true
}
