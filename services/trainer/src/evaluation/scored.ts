import { areaUnderCurve, detectionCurve, detectionWithin, type Detection } from '@plimsoll/chains'

/** A session's score and whether it was violated. */
export interface Scored {
  readonly score: number
  readonly unsafe: boolean
}

const scoresOf = (sessions: readonly Scored[]): Float64Array =>
  Float64Array.from(sessions, ({ score }) => score)
const labelsOf = (sessions: readonly Scored[]): Uint8Array =>
  Uint8Array.from(sessions, ({ unsafe }) => (unsafe ? 1 : 0))

/** Area under the curve of detection against false positives; NaN where either kind is missing. */
export const areaOf = (sessions: readonly Scored[]): number =>
  areaUnderCurve(scoresOf(sessions), labelsOf(sessions))

export const curveOf = (sessions: readonly Scored[]): Detection[] =>
  detectionCurve(scoresOf(sessions), labelsOf(sessions))

/** The most that any threshold with false positives within `budget` detects: read off the curve, no point made up. */
export function detectedWithin(curve: readonly Detection[], budget: number): number {
  const within = curve.filter(({ falsePositives }) => falsePositives.rate <= budget)
  return within.at(-1)?.detection.rate ?? Number.NaN
}

/** The lowest threshold that the safe sessions reach within `budget`; Infinity where even the highest is reached too often. */
export const thresholdWithin = (sessions: readonly Scored[], budget: number): number =>
  detectionWithin(scoresOf(sessions), labelsOf(sessions), budget).threshold
