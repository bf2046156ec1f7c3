import type { SeenEffect } from './hazards/watches.js'
import type { Capability, Catalogue, Policy, Reason, Verdict } from '@plimsoll/contracts'

export interface VerifyOptions {
  readonly policy: Policy
  readonly catalogue: Catalogue
  /** Moves of the longest run that is checked. With it, windows of steps are exact. Default: runs of any length. */
  readonly depth?: number
  /** Limit of abstract states for one search. Default: 200,000. */
  readonly states?: number
  /** What clients may claim about steps and results beyond the catalogue. Default: `results`. */
  readonly claims?: Claims
  /** Capabilities of steps that clients run if no verdict arrives: they may run unjudged, or although they were blocked. Default: none. */
  readonly failOpen?: readonly Capability[]
}
/**
 * `none`: the catalogue and its argument rules are complete. `results`: any result may also be more confidential, less trusted or carry
 * tags. `any`: so may steps, and they may have more capabilities.
 */
export type Claims = 'none' | 'results' | 'any'

/** One move of a run. Source: docs/explanation/verification.md. */
export interface TraceStep {
  readonly event: 'proposed' | 'completed' | 'ended'
  readonly tool?: string
  /** What a client claimed beyond the catalogue. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly recipient?: 'internal' | 'external' | 'unknown'
  /** What it does to what, as far as a pattern asks for it. */
  readonly effects?: readonly SeenEffect[]
  /** Results of the argument predicates by their text; none if the arguments were not disclosed. */
  readonly where?: Readonly<Record<string, boolean>>
  readonly evidence?: 'present' | 'absent' | 'unknown'
  readonly outcome?: 'ok' | 'error'
  /** Time windows that have passed by now, by the ids of their specs. */
  readonly expired?: readonly string[]
  readonly verdict?: Verdict
  readonly reasons?: readonly Pick<Reason, 'source' | 'code' | 'verdict'>[]
  /** Whether a human approved it. */
  readonly approved?: boolean
  /** Whether it ran without a verdict. */
  readonly withoutVerdict?: boolean
}
export type Trace = readonly TraceStep[]

/**
 * `proved`: no run reaches it, regardless of prediction and even if every approval is granted. `by_approval`: only runs in which a human
 * approves the step shown, or a like step before it for the session, reach it. `alerted`: it is the end of a session, which cannot be
 * blocked; each such end raises an alert. `reached`: the trace reaches it. `bounded`: no run of up to `bound` moves reaches it; longer runs were not checked. `restated`: its
 * patterns are those of a spec, which proves nothing. `vacuous`: no run reaches it without the policy either. `not_stated`: it does not
 * state the runs that reach it.
 */
export type HazardResult =
  'proved' | 'by_approval' | 'alerted' | 'reached' | 'bounded' | 'restated' | 'vacuous' | 'not_stated'

export interface HazardReport {
  readonly id: string
  readonly text: string
  readonly result: HazardResult
  /** Moves up to which nothing was found, for `bounded`. */
  readonly bound?: number
  /** Ids of the specs that suffice to prevent it. */
  readonly heldBy: readonly string[]
  /** Ids of the specs that it restates. */
  readonly restates?: readonly string[]
  /** A shortest run that reaches it under the policy. */
  readonly trace?: Trace
  /** A shortest run that reaches it without the policy: no specs, no line. */
  readonly withoutPolicy?: Trace
  /** Abstract states that the searches visited. */
  readonly states: number
}

/** `reachable`: by the trace. `by_approval`: if a human approves. `unreachable`: by no run. `bounded`: by no run of up to `bound` moves. */
export type GoalResult = 'reachable' | 'by_approval' | 'unreachable' | 'bounded'

export interface GoalReport {
  readonly id: string
  readonly text: string
  /** Without restrictions from prediction, and without a hazard on the way. */
  readonly result: GoalResult
  readonly bound?: number
  readonly trace?: Trace
  /** With prediction at the harshest that the policy configures. */
  readonly harshest: GoalResult
  readonly states: number
}

/** Whether in some reachable state no step can ever run again. */
export interface WedgeReport {
  /** `none`: no such state. `specs`: the specs alone cause it. `prediction`: at its harshest it causes it. `bounded`: none within the limit. */
  readonly result: 'none' | 'specs' | 'prediction' | 'bounded'
  /** Tools with a step that can eventually run in every state, if they are the reason for `none`. */
  readonly always?: readonly string[]
  readonly trace?: Trace
  readonly states: number
}

/** The findings about a spec; empty if there are none. */
export type SpecFinding =
  | 'never_speaks'
  | 'never_lifts'
  | 'never_paid'
  | 'never_satisfied'
  /** The search stopped before it visited every relevant state. */
  | 'bounded'

export interface SpecReport {
  readonly id: string
  readonly tier: string
  readonly finding?: SpecFinding
}

export interface VerificationReport {
  readonly policy: string
  readonly catalogue: string
  readonly depth?: number
  readonly claims: Claims
  readonly failOpen: readonly Capability[]
  readonly hazards: readonly HazardReport[]
  readonly goals: readonly GoalReport[]
  readonly wedge: WedgeReport
  readonly specs: readonly SpecReport[]
  /** The most kinds of steps that a search distinguished, and the sum of abstract states that the searches visited. */
  readonly kinds: number
  readonly states: number
}
