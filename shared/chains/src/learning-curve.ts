import type { Counts } from './counting.js'

/** What had been counted after so many sessions. */
export interface LearningPoint {
  readonly sessions: number
  /** A copy, which later sessions leave alone. */
  readonly counts: Counts
}

/** Keeps what a counter held at chosen numbers of sessions, in one pass and with one copy a point. */
export interface LearningCurve {
  /** Call once a session is counted whole. */
  counted(): void
  /** The points that were reached, and what all sessions gave; ascending. */
  points(): LearningPoint[]
}

/** @throws RangeError where sizes are no whole numbers from 1 that ascend */
export function createLearningCurve(counts: Counts, sizes: readonly number[]): LearningCurve {
  if (sizes.some((size, i) => !Number.isInteger(size) || size <= (sizes[i - 1] ?? 0)))
    throw new RangeError('expected ascending whole sizes from 1')
  const reached: LearningPoint[] = []
  let sessions = 0
  return {
    counted: () => {
      sessions++
      if (sessions === sizes[reached.length]) reached.push({ sessions, counts: copyOf(counts) })
    },
    points: () =>
      reached.at(-1)?.sessions === sessions
        ? [...reached]
        : [...reached, { sessions, counts: copyOf(counts) }],
  }
}

const copyOf = ({ states, transitions, arrivals, violating }: Counts): Counts => ({
  states,
  transitions: transitions.slice(),
  arrivals: arrivals.slice(),
  violating: violating.slice(),
})
