import { wilson, type Proportion } from '@plimsoll/chains'
import type { Scored } from './scored.js'

/** What one fixed threshold does to the sessions of all folds. */
export interface SweepPoint {
  readonly threshold: number
  readonly detection: Proportion
  readonly falsePositives: Proportion
}

const THRESHOLDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99] as const

export function sweepOf(sessions: readonly Scored[]): SweepPoint[] {
  const scoresOf = (unsafe: boolean) =>
    sessions.filter((session) => session.unsafe === unsafe).map(({ score }) => score)
  const [unsafe, safe] = [scoresOf(true), scoresOf(false)]
  const reached = (scores: readonly number[], threshold: number): Proportion =>
    wilson(scores.filter((score) => score >= threshold).length, scores.length)
  return THRESHOLDS.map((threshold) => ({
    threshold,
    detection: reached(unsafe, threshold),
    falsePositives: reached(safe, threshold),
  }))
}
