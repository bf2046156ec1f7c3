import { LEVELS, SPACE_SIZES, type StateSpace } from '@plimsoll/contracts'
import {
  advanceSafetyState,
  exposureOf,
  escalationOf,
  flowLevelOf,
  flowState,
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
  /** levelOf[s]: the risk level of state s; states of one level share a prior. */
  readonly levelOf: Uint8Array
  /** Where a session in `from` stands after a step that would have led to `to`: the running maxima never fall. */
  readonly join: (from: number, to: number) => number
}

export const VIOLATED_LEVEL = LEVELS.indexOf('violated')

const SPACES: Readonly<Record<StateSpace, Omit<Space, 'name' | 'size'>>> = {
  /** The safety states of SafetyDrift §4. */
  paper60: {
    start: INITIAL_STATE,
    indexOf: (safety) => safety,
    levelOf: Uint8Array.from({ length: SPACE_SIZES.paper60 }, (_, s) => riskLevelOf(s)),
    join: (from, to) => advanceSafetyState(from, labelsLeadingTo(to)),
  },
  /** The risk levels of SafetyDrift §5.2: the highest so far. */
  paper5: {
    start: riskLevelOf(INITIAL_STATE),
    indexOf: (_safety, level) => level,
    levelOf: Uint8Array.from({ length: SPACE_SIZES.paper5 }, (_, s) => s),
    join: Math.max,
  },
  /** Risk level, taint and the bucket of the standing scorer. */
  flow: {
    start: flowState(riskLevelOf(INITIAL_STATE), 0, 0),
    indexOf: (_safety, level) => flowState(level, 0, 0),
    levelOf: Uint8Array.from({ length: SPACE_SIZES.flow }, (_, s) => flowLevelOf(s)),
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
