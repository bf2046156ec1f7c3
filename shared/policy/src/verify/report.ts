import type { Capability, Catalogue, Policy, Reason, Verdict } from '@plimsoll/contracts'

export interface VerifyOptions {
  readonly policy: Policy
  readonly catalogue: Catalogue
  /** Moves of the longest run that is looked at; left out: runs of any length. With it windows of steps are kept to the step. */
  readonly depth?: number
  /** Abstract states that one search may come to. 200,000 where it is left out. */
  readonly states?: number
  /** What clients may say of steps and results beyond the catalogue. `results` where it is left out. */
  readonly claims?: Claims
  /** Capabilities of steps that clients let run where no verdict comes: they may run unjudged, or although they were blocked. None where it is left out. */
  readonly failOpen?: readonly Capability[]
}
/**
 * `none`: the catalogue says all, its rules on single arguments too. `results`: of any result besides, that it is more confidential, less
 * trusted or carries tags. `any`: of steps too, and that they can do more.
 */
export type Claims = 'none' | 'results' | 'any'

/** One move of a run. Source: docs/explanation/verification.md. */
export interface TraceStep {
  readonly event: 'proposed' | 'completed' | 'ended'
  readonly tool?: string
  /** What a client claimed beyond the catalogue. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly recipient?: 'internal' | 'external' | 'unknown'
  /** What the argument predicates made of the arguments, by their text; none where the arguments were not disclosed. */
  readonly where?: Readonly<Record<string, boolean>>
  readonly evidence?: 'present' | 'absent' | 'unknown'
  readonly outcome?: 'ok' | 'error'
  /** Time windows that have passed by then, by the ids of their specs. */
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
 * `proved`: no run reaches it, whatever prediction says and even when every question is approved. `by_approval`: only runs in which a human
 * approves the step shown. `alerted`: it is the end of a session, which nothing can block; each such end is told of. `reached`: the trace
 * does. `bounded`: no run of up to `bound` moves; of longer ones nothing is known. `restated`: its patterns are those of a spec, which
 * proves nothing. `vacuous`: nothing reaches it without the policy either. `not_stated`: it does not say which runs it means.
 */
export type HazardResult =
  'proved' | 'by_approval' | 'alerted' | 'reached' | 'bounded' | 'restated' | 'vacuous' | 'not_stated'

export interface HazardReport {
  readonly id: string
  readonly text: string
  readonly result: HazardResult
  /** Moves up to which nothing was found, for `bounded`. */
  readonly bound?: number
  /** Ids of the specs that were enough to hold it. */
  readonly heldBy: readonly string[]
  /** The specs that it restates. */
  readonly restates?: readonly string[]
  /** A shortest run that reaches it under the policy. */
  readonly trace?: Trace
  /** A shortest run that reaches it without the policy: no specs, no line. */
  readonly withoutPolicy?: Trace
  /** Abstract states that the searches came to. */
  readonly states: number
}

/** `reachable`: by the trace. `by_approval`: where a human approves. `unreachable`: by no run. `bounded`: by none of up to `bound` moves. */
export type GoalResult = 'reachable' | 'by_approval' | 'unreachable' | 'bounded'

export interface GoalReport {
  readonly id: string
  readonly text: string
  /** With prediction at its mildest, and no hazard on the way. */
  readonly result: GoalResult
  readonly bound?: number
  readonly trace?: Trace
  /** With prediction at the harshest that the policy configures. */
  readonly harshest: GoalResult
  readonly states: number
}

/** Whether some reachable state leaves an agent nothing that it could ever run. */
export interface WedgeReport {
  /** `none`, `specs`: those of the policy alone do it. `prediction`: at its harshest it blocks all. `bounded`: not found among so many states. */
  readonly result: 'none' | 'specs' | 'prediction' | 'bounded'
  /** Tools of which some call can be run at last in every state, where that is why there is none. */
  readonly always?: readonly string[]
  readonly trace?: Trace
  readonly states: number
}

/** What is wrong with a spec; none where nothing is. */
export type SpecFinding =
  | 'never_speaks'
  | 'never_lifts'
  | 'never_paid'
  | 'never_satisfied'
  /** Not every state that might matter was looked at. */
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
  /** Kinds of steps that the searches told apart at most, and abstract states that they came to together. */
  readonly kinds: number
  readonly states: number
}
