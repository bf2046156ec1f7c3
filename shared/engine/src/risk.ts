import type { Escalation, Exposure, Level, Reversibility, Risk, Taint } from '@plimsoll/contracts'
import type { Chain, Rules } from './rules.js'
import {
  advanceSafetyState,
  escalationOf,
  exposureOf,
  reversibilityOf,
  riskLevelOf,
  type StepLabels,
} from './safety-state.js'
import type { SessionState } from './session.js'
import { ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES, TAINTS } from './words.js'

/** Where a proposed step would take a session, and what the chain says of it. */
export interface Prospect {
  readonly chain: Chain
  readonly safety: number
  readonly level: number
  readonly taint: number
  readonly hazard: number
  readonly probability: number
  readonly stepsToViolation: number | null
  readonly band: number
}

/** Looks up what the chain says of a step with `labels`. O(1): four table reads. */
export function prospectOf(state: SessionState, labels: StepLabels, rules: Rules): Prospect {
  const chain = rules.chain(state.category)
  const safety = advanceSafetyState(state.safety, labels)
  const level = Math.max(state.level, riskLevelOf(safety))
  const index = chainIndex(chain, safety, level)
  const probability = chain.probability[index] ?? 0
  return {
    chain,
    safety,
    level,
    taint: labels.untrusted ? Math.max(state.taint, 1) : state.taint,
    hazard: chain.hazard[index] ?? 0,
    probability,
    stepsToViolation: chain.stepsToViolation[index] ?? null,
    band: bandOf(probability, state.band, chain.forwardThresholds, rules.hysteresis),
  }
}

/** The state of the chain's own space that a session is in. */
export const chainIndex = ({ space }: Chain, safety: number, level: number): number =>
  space === 'paper60' ? safety : level

/** The band 0…3 of `probability`: entered at its threshold, left only `hysteresis` below it. */
export function bandOf(
  probability: number,
  previous: number,
  thresholds: Float64Array,
  hysteresis: number,
): number {
  const reached = crossed(probability, thresholds)
  let band = previous
  while (band > reached && probability < (thresholds[band - 1] ?? 0) - hysteresis) band--
  return Math.max(band, reached)
}

/** How many of the ascending `thresholds` the value has reached. */
export function crossed(value: number, thresholds: Float64Array): number {
  let count = 0
  while (count < thresholds.length && value >= (thresholds[count] ?? Infinity)) count++
  return count
}

/** The risk block of a decision: the prospect in words, the counters of `state`. */
export function riskOf(state: SessionState, prospect: Prospect, rules: Rules): Risk {
  return {
    category: prospect.chain.name,
    exposure: nameOf<Exposure>(EXPOSURES, exposureOf(prospect.safety)),
    escalation: nameOf<Escalation>(ESCALATIONS, escalationOf(prospect.safety)),
    reversibility: nameOf<Reversibility>(REVERSIBILITIES, reversibilityOf(prospect.safety)),
    level: nameOf<Level>(LEVELS, prospect.level),
    taint: nameOf<Taint>(TAINTS, prospect.taint),
    hazard: prospect.hazard,
    horizon: rules.horizon,
    probability: prospect.probability,
    stepsToViolation: prospect.stepsToViolation,
    band: prospect.band,
    violations: state.violations,
    unjudged: state.unjudged,
    blocked: state.blocked,
  }
}

function nameOf<T extends string>(names: readonly [T, ...T[]], index: number): T {
  return names[index] ?? names[0]
}
