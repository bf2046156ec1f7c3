import type { Act, ClaimedLabels, SignalName, Signals, ToolLabels } from '@plimsoll/contracts'
import { cascade } from './cascade.js'
import { ACTS, CAPABILITIES, CONFIDENTIALITIES, ESCALATIONS, EXPOSURES, REVERSIBILITIES } from './words.js'

/**
 * A safety state is one number, exposure × 12 + escalation × 3 + reversibility, 0…59, of indices into EXPOSURES, ESCALATIONS and
 * REVERSIBILITIES. Source: SafetyDrift §4.
 */
export const SAFETY_STATES = EXPOSURES.length * ESCALATIONS.length * REVERSIBILITIES.length
export const INITIAL_STATE = 0

/** Exposures from this index on are of data that must not leave. */
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

/** The state after a step with `labels`: maxima of exposure and escalation, the step's own reversibility. */
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

/** The maximum of each label. */
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

/** Index into EXPOSURES of data with this confidentiality; `none` if it has none. */
export function exposureIndex(confidentiality: ToolLabels['confidentiality']): number {
  return confidentiality === undefined || confidentiality === 'none'
    ? 0
    : CONFIDENTIALITIES.indexOf(confidentiality) + 1
}

/**
 * Irreversible acts that a step does or a task asks for, as bits by index into ACTS. A client reports them as signals: `asksDelete` of a
 * task, `doesDelete` of a step. O(1).
 */
export type Acts = number

/** As the contracts' `actSignal`, which the engine may not import. */
const nameOf = (prefix: 'asks' | 'does', act: Act): SignalName =>
  `${prefix}${(act.charAt(0).toUpperCase() + act.slice(1)) as Capitalize<Act>}`
const ASKS = ACTS.map((act) => nameOf('asks', act))
const DOES = ACTS.map((act) => nameOf('does', act))

const bitsIn = (signals: Signals | undefined, names: readonly SignalName[]): Acts => {
  let bits = 0
  if (!signals) return bits
  for (let i = 0; i < names.length; i++) {
    const name = names[i]
    if (name && (signals[name] ?? 0) > 0) bits |= 1 << i
  }
  return bits
}

/** The acts that a task asks for. */
export const requestedActs = (signals: Signals | undefined): Acts => bitsIn(signals, ASKS)

/** Acts by which something is lost. */
export const LOSING = (1 << ACTS.indexOf('delete')) | (1 << ACTS.indexOf('overwrite'))

/** The acts of a step; 0 if its client does not report them. The loss of what the session has made itself is none. */
export function actsDoneIn(signals: Signals | undefined): Acts {
  const does = bitsIn(signals, DOES)
  return does !== 0 && (signals?.own ?? 0) > 0 ? does & ~LOSING : does
}

/** The first act of `bits` in the order of ACTS. */
export const firstActIn = (bits: Acts): Act | undefined => ACTS.find((_, i) => (bits & (1 << i)) !== 0)

const NETWORK = ESCALATIONS.indexOf('network')
const PAY = 1 << ACTS.indexOf('pay')
const GIVING = PAY | (1 << ACTS.indexOf('grant'))
const LASTING = GIVING | (1 << ACTS.indexOf('credential'))

/** Whether the step moves money and does nothing else that is irreversible. */
export const isPaying = (signals: Signals | undefined): boolean => actsDoneIn(signals) === PAY

/** Whether the act gives a person money or access. */
export const isGiving = (does: Acts): boolean => (does & GIVING) !== 0

/** Whether its acts need approval even if part of them is reversible. */
export const isLasting = (does: Acts): boolean => (does & LASTING) !== 0

/** Whether the step runs a text in its arguments: a command line, a query, code. */
export const isProgram = (signals: Signals | undefined): boolean => (signals?.['program'] ?? 0) > 0

/**
 * Whether the step is a program that works locally: it does not reach out, and none of its known acts is irreversible. Its text is full
 * of names, paths and host-like words, so their origin says little.
 */
export const isLocalWork = (
  signals: Signals | undefined,
  { escalation }: Pick<StepLabels, 'escalation'>,
): boolean => isProgram(signals) && escalation < NETWORK && actsDoneIn(signals) === 0

/** The classes of a source, as bits. A result is trusted or untrusted, and may also be sensitive or instructed. */
export const TASK = 1
export const TRUSTED = 2
export const UNTRUSTED = 4
/** In a part of an untrusted text that reads like instructions. */
export const INSTRUCTED = 8
/** In data of confidentiality `sensitive` or more. */
export const SENSITIVE = 16
/** In an untrusted result that the agent looked up: no message of others, unless the task names its place. */
export const SOUGHT = 32
export const CLASSES = 64
/** Names of people whose messages say what is to be done, as the user writes. */
export const FOLLOWED = TASK | TRUSTED
/** In a message of somebody whom the user says to follow: named at second hand. */
export const SECOND_HAND = TRUSTED | UNTRUSTED

/** The class of a result of a step with `labels`, `isSought` by the agent. An unlabelled tool is no trusted source. */
export function classOf(labels: StepLabels, labelled: boolean, isSought = false): number {
  const trust = labels.untrusted || !labelled ? UNTRUSTED | (isSought ? SOUGHT : 0) : TRUSTED
  return labels.exposure >= SENSITIVE_EXPOSURE ? trust | SENSITIVE : trust
}

/** `known` combined with what the client saw of the result: a claim only makes it less trusted and more sensitive. */
export function claimedClass(known: number, claimed: ClaimedLabels | undefined, isTainted: boolean): number {
  const isUntrusted = isTainted || claimed?.trust === 'untrusted'
  const trust = isUntrusted ? (known & ~TRUSTED) | UNTRUSTED : known
  return exposureIndex(claimed?.confidentiality) >= SENSITIVE_EXPOSURE ? trust | SENSITIVE : trust
}
