import type { ToolLabels, ClaimedLabels } from '@plimsoll/contracts'
import { cascade } from './cascade.js'
import { CAPABILITIES, CONFIDENTIALITIES, ESCALATIONS, EXPOSURES, REVERSIBILITIES } from './words.js'

/**
 * A safety state is one number, exposure × 12 + escalation × 3 + reversibility, 0…59, of indices into EXPOSURES, ESCALATIONS and
 * REVERSIBILITIES. Source: SafetyDrift §4.
 */
export const SAFETY_STATES = EXPOSURES.length * ESCALATIONS.length * REVERSIBILITIES.length
export const INITIAL_STATE = 0

/** Exposures from here on are of data that must not leave. */
export const SENSITIVE_EXPOSURE = EXPOSURES.indexOf('sensitive')

const REVERSIBILITY_COUNT = REVERSIBILITIES.length
const ROW = ESCALATIONS.length * REVERSIBILITY_COUNT

/** Labels of one step as indices: what `advanceSafetyState` reads. */
export interface StepLabels {
  /** Exposure that the step's result brings: 0 none … 4 credentials. */
  readonly exposure: number
  /** 0 read_only … 3 network. */
  readonly escalation: number
  /** 0 reversible … 2 irreversible. */
  readonly reversibility: number
  readonly untrusted: boolean
}

export const exposureOf = (state: number): number => Math.floor(state / ROW)
export const escalationOf = (state: number): number => Math.floor((state % ROW) / REVERSIBILITY_COUNT)
export const reversibilityOf = (state: number): number => state % REVERSIBILITY_COUNT

export function safetyState(exposure: number, escalation: number, reversibility: number): number {
  return exposure * ROW + escalation * REVERSIBILITY_COUNT + reversibility
}

/** The state in which a step with `labels` arrives: maxima of exposure and escalation, the step's own reversibility. */
export function advanceSafetyState(state: number, labels: StepLabels): number {
  const exposure = Math.max(exposureOf(state), labels.exposure)
  const escalation = Math.max(escalationOf(state), labels.escalation)
  return safetyState(exposure, escalation, labels.reversibility)
}

/** `state` with its exposure raised to `exposure` where that is more. */
export function raiseExposure(state: number, exposure: number): number {
  return safetyState(Math.max(exposureOf(state), exposure), escalationOf(state), reversibilityOf(state))
}

const LEVEL_TABLE = Uint8Array.from({ length: SAFETY_STATES }, (_, state) =>
  cascade(exposureOf(state), escalationOf(state), reversibilityOf(state)),
)

/** Risk level of a state, as an index into LEVELS: one table lookup. */
export const riskLevelOf = (state: number): number => LEVEL_TABLE[state] ?? 0

/** A tool's labels as indices. */
export function stepLabelsOf(labels: ToolLabels): StepLabels {
  return {
    exposure: exposureIndex(labels.confidentiality),
    escalation: CAPABILITIES.indexOf(labels.capability),
    reversibility: REVERSIBILITIES.indexOf(labels.reversibility),
    untrusted: labels.trust === 'untrusted',
  }
}

/** Of each label the higher. */
export function joinLabels(a: StepLabels, b: StepLabels): StepLabels {
  return {
    exposure: Math.max(a.exposure, b.exposure),
    escalation: Math.max(a.escalation, b.escalation),
    reversibility: Math.max(a.reversibility, b.reversibility),
    untrusted: a.untrusted || b.untrusted,
  }
}

/** `base` raised by what a client claims; a claim never lowers. */
export function raiseLabels(base: StepLabels, claimed: ClaimedLabels | undefined): StepLabels {
  if (!claimed) return base
  const escalation = claimed.capability ? CAPABILITIES.indexOf(claimed.capability) : 0
  const reversibility = claimed.reversibility ? REVERSIBILITIES.indexOf(claimed.reversibility) : 0
  return {
    exposure: Math.max(base.exposure, exposureIndex(claimed.confidentiality)),
    escalation: Math.max(base.escalation, escalation),
    reversibility: Math.max(base.reversibility, reversibility),
    untrusted: base.untrusted || claimed.trust === 'untrusted',
  }
}

/** Index into EXPOSURES of data with this confidentiality: none where it has none. */
export function exposureIndex(confidentiality: ToolLabels['confidentiality']): number {
  return confidentiality === undefined || confidentiality === 'none'
    ? 0
    : CONFIDENTIALITIES.indexOf(confidentiality) + 1
}
