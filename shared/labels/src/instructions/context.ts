import { markBit } from './features.js'
import type { Outline } from './outline.js'

/** What a segment is judged by once its neighbours are known: see `contextOf`. */
export const CONTEXT_COUNT = 8

const LIMIT = 6
const NOTHING = -4
const TAGGED = markBit('tagged')
const COMMAND = markBit('bareCommand')

const clipped = (value: number): number => Math.max(-LIMIT, Math.min(LIMIT, value))

/**
 * Fills `into` for segment `s`: constant, its own log odds, the best of two before and of two after, whether both sides speak for it,
 * the share of commands and of suspects among the other segments, and whether a tag stands before it. A list of commands (a recipe, a
 * manual) speaks against each of its lines; a lone one in a text of another kind does not.
 */
export function contextOf(
  outline: Outline,
  odds: Float64Array,
  s: number,
  whole: Whole,
  into: Float64Array,
): void {
  const own = clipped(odds[s] ?? NOTHING)
  const before = sideOf(odds, s - 2, s - 1, outline.count)
  const after = sideOf(odds, s + 1, s + 2, outline.count)
  const others = Math.max(1, outline.count - 1)
  const marks = outline.marks[s] ?? 0
  into[0] = 1
  into[1] = own
  into[2] = before
  into[3] = after
  into[4] = Math.min(before, after)
  into[5] = (whole.commands - ((marks & COMMAND) === 0 ? 0 : 1)) / others
  into[6] = (whole.suspects - (own > 0 ? 1 : 0)) / others
  into[7] = (marks & TAGGED) === 0 ? 0 : 1
}

/** Of all segments of a text: how many command, how many have even odds or better. */
export interface Whole {
  commands: number
  suspects: number
}

export function wholeOf(outline: Outline, odds: Float64Array): Whole {
  const whole = { commands: 0, suspects: 0 }
  for (let s = 0; s < outline.count; s++) {
    if (((outline.marks[s] ?? 0) & COMMAND) !== 0) whole.commands++
    if ((odds[s] ?? 0) > 0) whole.suspects++
  }
  return whole
}

function sideOf(odds: Float64Array, from: number, to: number, count: number): number {
  let best = NOTHING
  for (let s = from; s <= to; s++) if (s >= 0 && s < count) best = Math.max(best, clipped(odds[s] ?? NOTHING))
  return best
}
