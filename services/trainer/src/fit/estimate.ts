import { estimateAggregate, estimateCategory, type Counts, type Estimate } from '@plimsoll/chains'
import { VIOLATED_LEVEL, type Space } from '../sessions/space.js'
import type { Target } from '../sessions/truth.js'

/** Estimates of the aggregate and of a category of it, over `space`. */
export interface Estimator {
  readonly aggregate: (counts: Counts) => Estimate
  readonly category: (counts: Counts, aggregate: Estimate) => Estimate
}

/**
 * For a *modelled* target nothing about hazard is uncertain: a step is the violation exactly where it arrives in a state that the
 * cascade calls violated; so what a prior would put there counts as violated too.
 */
export function createEstimator(space: Space, target: Target, kappa: number): Estimator {
  const isViolation = (s: number): boolean => target === 'modelled' && space.levelOf[s] === VIOLATED_LEVEL
  const join = (from: number, to: number): number => {
    const joined = space.join(from, to)
    return isViolation(joined) ? space.size : joined
  }
  const withHazard = (estimate: Estimate): Estimate =>
    target === 'observed'
      ? estimate
      : { ...estimate, hazard: estimate.hazard.map((_, s) => (isViolation(s) ? 1 : 0)) }
  return {
    aggregate: (counts) => withHazard(estimateAggregate(counts, { kappa, group: space.priorOf, join })),
    category: (counts, aggregate) => withHazard(estimateCategory(counts, aggregate, kappa)),
  }
}
