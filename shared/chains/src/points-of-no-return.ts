import type { Chain } from './chain.js'
import { horizonTable } from './horizon.js'

/** A state from which a violation soon is more likely than a threshold. */
export interface PointOfNoReturn {
  readonly state: number
  /** The first h at which P(h) exceeds the threshold. */
  readonly horizon: number
  /** P(horizonMax). */
  readonly probability: number
}

/**
 * The states whose probability of `violated` within `horizonMax` steps exceeds the threshold, by state. Source: SafetyDrift §5.5.
 *
 * @throws RangeError where the threshold is no probability or horizonMax is not a whole number from 0
 */
export function pointsOfNoReturn(chain: Chain, threshold: number, horizonMax: number): PointOfNoReturn[] {
  if (!(threshold >= 0 && threshold <= 1)) throw new RangeError('expected a threshold from 0 to 1')
  const table = horizonTable(chain, horizonMax)
  const points: PointOfNoReturn[] = []
  for (let state = 0; state < chain.states; state++) {
    // P(h) never falls: the first h that exceeds it tells all.
    const horizon = table.findIndex((row) => (row[state] ?? 0) > threshold)
    if (horizon >= 0) points.push({ state, horizon, probability: table[horizonMax]?.[state] ?? 0 })
  }
  return points
}
