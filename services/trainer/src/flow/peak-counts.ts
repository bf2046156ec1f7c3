import type { Peak } from '../fit/thresholds.js'

/** How many sessions have each highest score. Scores that are equal as written are one: a threshold cannot part them. */
export interface PeakCounts {
  add(score: number, unsafe: boolean): void
  /** Safe sessions so far. */
  safe(): number
  /** Highest first. */
  peaks(): Peak[]
}

/** Significant digits of a score: as in a bundle, and fewer once more scores than PEAKS_MAX differ. */
const DIGITS = [6, 4, 3] as const

/** Most scores that are told apart. With four digits there are hardly more. */
export const PEAKS_MAX = 50_000

/** In bounded memory, and whatever the order: digits once dropped are dropped of all scores. */
export function createPeakCounts(most = PEAKS_MAX): PeakCounts {
  let counts = new Map<number, { safe: number; unsafe: number }>()
  let coarseness = 0
  let safe = 0
  const put = (score: number, safe: number, unsafe: number): void => {
    // One rounding after the other: what is added before digits are dropped and after falls together.
    const key = DIGITS.slice(0, coarseness + 1).reduce(
      (value, digits) => Number(value.toPrecision(digits)),
      score,
    )
    const found = counts.get(key)
    if (!found) counts.set(key, { safe, unsafe })
    else {
      found.safe += safe
      found.unsafe += unsafe
    }
  }
  const coarsen = (): void => {
    coarseness++
    const before = counts
    counts = new Map()
    for (const [score, { safe, unsafe }] of before) put(score, safe, unsafe)
  }
  return {
    add: (score, unsafe) => {
      safe += unsafe ? 0 : 1
      put(score, unsafe ? 0 : 1, unsafe ? 1 : 0)
      if (counts.size > most && coarseness + 1 < DIGITS.length) coarsen()
    },
    safe: () => safe,
    peaks: () =>
      Array.from(counts, ([score, { safe, unsafe }]) => ({ score, safe, unsafe })).sort(
        (a, b) => b.score - a.score,
      ),
  }
}
