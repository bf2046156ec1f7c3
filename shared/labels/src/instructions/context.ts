import { ACTS, CLASS_COUNT, pushBits, surfaceBit } from './features.js'
import type { Outline } from './outline-buffers.js'

/** Number of segments before and after a segment that are considered. */
const WINDOW = 4
/** Numbers per row: a constant, the segment's odds, its neighbours' odds, shares of the whole text. */
const NUMBERS = 15
const AROUND = NUMBERS
const AROUND_COMMAND = AROUND + CLASS_COUNT
/** Number of context features of a segment; see `createContext`. */
export const CONTEXT_COUNT = AROUND_COMMAND + CLASS_COUNT

const LIMIT = 6
const NOTHING = -4
const TAGGED = surfaceBit('tagged')
const CODED = surfaceBit('coded')

/** The context features of one segment: `features[k]` has the value `values[k]`, for `k` below `count`. */
export interface ContextRow {
  count: number
  readonly features: Int32Array
  readonly values: Float64Array
}

const clipped = (value: number): number => (value > LIMIT ? LIMIT : value > -LIMIT ? value : -LIMIT)

/**
 * Computes context features from the log odds of each segment: the best of two before and of two after, whether both sides are suspicious,
 * the share of commands and of suspects in the rest of the text, a tag before it, whether it is alone or the only one of its kind.
 * Then how much of the text is code, or is marked as comments, lists and headings are, alone and with the segment's odds.
 * Also the word classes around it, a second time if it begins with a verb. Greetings and lists of commands (a recipe, a manual) weigh
 * against a command; surrounding text of another kind does not.
 */
export function createContext(): (
  outline: Outline,
  odds: Float64Array,
  s: number,
  whole: Whole,
) => ContextRow {
  const row: ContextRow = {
    count: 0,
    features: Int32Array.from({ length: CONTEXT_COUNT }, (_, index) => index),
    values: new Float64Array(CONTEXT_COUNT).fill(1),
  }
  const { features, values } = row
  return (outline, odds, s, whole) => {
    const { count } = outline
    const own = clipped(odds[s] ?? NOTHING)
    const before = sideOf(odds, s - 2, s - 1, count)
    const after = sideOf(odds, s + 1, s + 2, count)
    const others = count > 1 ? count - 1 : 1
    const commands = ((outline.lead[s] ?? 0) & ACTS) !== 0
    values[1] = own
    values[2] = before
    values[3] = after
    values[4] = before < after ? before : after
    values[5] = (whole.commands - (commands ? 1 : 0)) / others
    values[6] = (whole.suspects - (own > 0 ? 1 : 0)) / others
    values[7] = ((outline.marks[s] ?? 0) & TAGGED) === 0 ? 0 : 1
    values[8] = count > 1 ? 0 : 1
    values[9] = commands && whole.commands === 1 && count > 1 ? 1 : 0
    values[10] = own > 0 && whole.suspects === 1 && count > 1 ? 1 : 0
    const coded = whole.coded / count
    const marked = whole.marked / count
    values[11] = coded
    values[12] = coded * own
    values[13] = marked
    values[14] = marked * own
    let at = pushBits(features, NUMBERS, AROUND, aroundOf(outline, s))
    if (commands) at = pushBits(features, at, AROUND_COMMAND, aroundOf(outline, s))
    row.count = at
    return row
  }
}

function aroundOf({ presence, count }: Outline, s: number): number {
  const to = s + WINDOW < count ? s + WINDOW : count - 1
  let mask = 0
  for (let k = s > WINDOW ? s - WINDOW : 0; k <= to; k++) if (k !== s) mask |= presence[k] ?? 0
  return mask
}

/** Counts over all segments of a text: commands, segments with at least even odds, code, and segments with marks of comments, lists, headings. */
export interface Whole {
  commands: number
  suspects: number
  coded: number
  marked: number
}

const MARKED = surfaceBit('commented') | surfaceBit('bulleted') | surfaceBit('ruled')

export function wholeOf(outline: Outline, odds: Float64Array): Whole {
  const whole = { commands: 0, suspects: 0, coded: 0, marked: 0 }
  for (let s = 0; s < outline.count; s++) {
    if (((outline.lead[s] ?? 0) & ACTS) !== 0) whole.commands++
    if ((odds[s] ?? 0) > 0) whole.suspects++
    const marks = outline.marks[s] ?? 0
    if ((marks & CODED) !== 0) whole.coded++
    if ((marks & MARKED) !== 0) whole.marked++
  }
  return whole
}

function sideOf(odds: Float64Array, from: number, to: number, count: number): number {
  let best = NOTHING
  for (let s = from; s <= to; s++) if (s >= 0 && s < count) best = Math.max(best, clipped(odds[s] ?? NOTHING))
  return best
}
