import {
  ESCALATIONS,
  EXPOSURES,
  LEVELS,
  REVERSIBILITIES,
  SPACE_SIZES,
  TAINTS,
  type StateSpace,
} from '@plimsoll/contracts'
import {
  escalationOf,
  exposureOf,
  flowBucketOf,
  flowLevelOf,
  flowTaintOf,
  reversibilityOf,
} from '@plimsoll/engine'

/** A state in words; of an absorbing one (S, S + 1) its name. */
export function stateName(space: StateSpace, s: number): string {
  if (s >= SPACE_SIZES[space]) return s === SPACE_SIZES[space] ? '→ violated' : '→ ended'
  if (space === 'paper5') return LEVELS[s] ?? String(s)
  if (space === 'paper60')
    return `${EXPOSURES[exposureOf(s)]}, ${ESCALATIONS[escalationOf(s)]}, ${REVERSIBILITIES[reversibilityOf(s)]}`
  return `${LEVELS[flowLevelOf(s)]}, read ${TAINTS[flowTaintOf(s)]}, bucket ${flowBucketOf(s)}`
}
