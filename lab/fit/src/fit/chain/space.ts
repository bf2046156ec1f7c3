import {
  type StateSpace,
  ESCALATIONS,
  EXPOSURES,
  LEVELS,
  REVERSIBILITIES,
  SPACE_SIZES,
  TAINTS,
} from '@plimsoll/contracts'
import {
  advanceSafetyState,
  exposureOf,
  escalationOf,
  flowBucketOf,
  flowLevelOf,
  flowState,
  flowTaintOf,
  INITIAL_STATE,
  joinFlowStates,
  reversibilityOf,
  riskLevelOf,
} from '@plimsoll/engine'

/** A declared state space as the chains see it: numbers. */
export interface Space {
  readonly name: StateSpace
  readonly size: number
  /** The state before the first step. */
  readonly start: number
  /** Index of a session whose safety state is `safety` and whose highest risk level so far is `level`. */
  readonly indexOf: (safety: number, level: number) => number
  /** levelOf[s]: the risk level of state s. */
  readonly levelOf: Uint8Array
  /** priorOf[s]: states of one number share a prior. Of the published spaces their level. */
  readonly priorOf: Uint8Array
  /** The state of a session in `from` after a step that would have led to `to`: the running maxima never fall. */
  readonly join: (from: number, to: number) => number
}

export const VIOLATED_LEVEL = LEVELS.indexOf('violated')

const levelsOf = (space: StateSpace, levelOf: (s: number) => number): Pick<Space, 'levelOf' | 'priorOf'> => {
  const levels = Uint8Array.from({ length: SPACE_SIZES[space] }, (_, s) => levelOf(s))
  return { levelOf: levels, priorOf: levels }
}

const SPACES: Readonly<Record<StateSpace, Omit<Space, 'name' | 'size'>>> = {
  /** The safety states of SafetyDrift §4. */
  paper60: {
    start: INITIAL_STATE,
    indexOf: (safety) => safety,
    ...levelsOf('paper60', riskLevelOf),
    join: (from, to) => advanceSafetyState(from, labelsLeadingTo(to)),
  },
  /** The risk levels of SafetyDrift §5.2: the highest so far. */
  paper5: {
    start: riskLevelOf(INITIAL_STATE),
    indexOf: (_safety, level) => level,
    ...levelsOf('paper5', (s) => s),
    join: Math.max,
  },
  /** Risk level, taint and the bucket of the session scorer. */
  flow: {
    start: flowState(riskLevelOf(INITIAL_STATE), 0, 0),
    indexOf: (_safety, level) => flowState(level, 0, 0),
    ...levelsOf('flow', flowLevelOf),
    // Taint and bucket, whatever the level: the bucket says more than the level does.
    priorOf: Uint8Array.from({ length: SPACE_SIZES.flow }, (_, s) =>
      flowState(0, flowTaintOf(s), flowBucketOf(s)),
    ),
    join: joinFlowStates,
  },
}

export function spaceOf(name: StateSpace): Space {
  return { name, size: SPACE_SIZES[name], ...SPACES[name] }
}

const labelsLeadingTo = (state: number) => ({
  exposure: exposureOf(state),
  escalation: escalationOf(state),
  reversibility: reversibilityOf(state),
  untrusted: false,
})

/** A state in words; of an absorbing one (S, S + 1) its name. */
export function stateName(space: StateSpace, s: number): string {
  if (s >= SPACE_SIZES[space]) return s === SPACE_SIZES[space] ? '→ violated' : '→ ended'
  if (space === 'paper5') return LEVELS[s] ?? String(s)
  if (space === 'paper60')
    return `${EXPOSURES[exposureOf(s)]}, ${ESCALATIONS[escalationOf(s)]}, ${REVERSIBILITIES[reversibilityOf(s)]}`
  return `${LEVELS[flowLevelOf(s)]}, read ${TAINTS[flowTaintOf(s)]}, bucket ${flowBucketOf(s)}`
}
