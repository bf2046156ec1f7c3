import { HAS_DIGIT, HAS_LOWER, HAS_UPPER, STARTS_UPPER } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'

/** The tokens at which something hidden may begin, in order: `at[0…count)`. Plain words, which most tokens are, are none. */
export interface Marks {
  readonly count: number
  readonly at: Int32Array
}

/** No word is as long. */
export const LONG_UNITS_MIN = 48
const MIXED_UNITS_MIN = 10
const BOTH_CASES = HAS_LOWER | HAS_UPPER
const FIRST_CAPACITY = 4_096

const held = { count: 0, at: new Int32Array(FIRST_CAPACITY) }

/** Good until the next call. */
export function marksOf({ start, end, flags, count }: Tokens): Marks {
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

/** A single letter and two capitals may be pieces of a value, small letters with capitals among them of what is encoded. */
function mayBegin(bits: number, size: number): boolean {
  if (size <= 2) return size === 1 || (bits & BOTH_CASES) === HAS_UPPER
  if (size >= LONG_UNITS_MIN) return true
  return (bits & BOTH_CASES) === BOTH_CASES && (size >= MIXED_UNITS_MIN || (bits & STARTS_UPPER) === 0)
}
