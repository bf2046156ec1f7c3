import type { RecordedTruth } from '../traces/recording.js'
import type { Forecasts } from './calibration.js'
import type { ForecastKind } from './method-fold.js'
import type { SessionScores } from './scores.js'

/** Steps that p5After looks ahead. */
export const AHEAD = 5

/**
 * Adds what was forecast in one session, and whether it came: p1 and p5 a step up to and including the violating one; p5After a result
 * before it. A proposal that never ran is censored: it forecasts nothing that could come true. Sources without steps add nothing.
 */
export function addForecasts(
  to: Readonly<Record<ForecastKind, Forecasts>>,
  scores: SessionScores,
  { hasSteps, violatedAt, unexecuted }: RecordedTruth,
): void {
  if (!hasSteps) return
  const end = violatedAt ?? scores.p1.length - 1
  for (let i = 0; i <= end; i++) {
    if (unexecuted.has(i)) continue
    add(to.p1, scores.p1[i] ?? 0, i === violatedAt)
    add(to.p5, scores.p5[i] ?? 0, violatedAt !== undefined && violatedAt < i + AHEAD)
    if (i === violatedAt) return
    add(to.p5After, scores.p5After[i] ?? 0, violatedAt !== undefined && violatedAt <= i + AHEAD)
  }
}

function add({ probability, came }: Forecasts, value: number, isTrue: boolean): void {
  probability.push(value)
  came.push(isTrue ? 1 : 0)
}
