import type { ApprovalTerms, Evidence, Mode, StateSpace, Verdict, Versions } from '@plimsoll/contracts'
import type { StepLabels } from './labels/safety-state.js'
import type { CompiledScorer } from './risk/scorer.js'
import type { AllowRule, MemoryRules, SpecRule, ToolMemory } from './spec-rule.js'

/** A compiled policy, bundle and catalogue: everything `step` looks up, each look-up O(1). Made by @plimsoll/policy. */
export interface Rules {
  readonly versions: Versions
  /** Identifies the state space of its chains: transitions are counted together for all rules of one meaning. */
  readonly meaning: string
  /** The rule of a tool by its name; a rule without labels for an unknown tool. */
  readonly tool: (name: string) => ToolRule
  /** The categories that the bundle has a chain for. */
  readonly categories: readonly string[]
  /** The chain of a category, or the aggregate if the bundle has none for it. */
  readonly chain: (category: string) => Chain
  /** The model for labels-only sessions, see `isLabelsOnly`. Absent if the bundle has none. */
  readonly labelsOnly?: Pick<Rules, 'chain' | 'flow'>
  /** Steps that P(h) looks ahead, including the proposed step. */
  readonly horizon: number
  readonly line: Readonly<Record<Evidence, Verdict>>
  /** Absent if the policy does not judge it. */
  readonly integrity?: Readonly<Record<'untrusted' | 'instructed' | 'irreversible', Verdict>>
  /** For an irreversible step that the task does not ask for; absent if the policy does not judge it. */
  readonly irreversible?: Verdict
  readonly hazard: Thresholds
  readonly forward: Thresholds
  /** How far below its threshold a probability must fall to leave the band. */
  readonly hysteresis: number
  readonly unlabelled: {
    readonly verdict: Verdict
    /** For a tool whose name plainly says what it changes or runs; absent: `verdict`. */
    readonly byName?: Verdict
    readonly labels: StepLabels
    readonly approval: ApprovalTerms | undefined
  }
  readonly approvalTtlMs: number
  /** The terms of approvals of the same call in one session; absent if the policy permits none. */
  readonly sameCall?: ApprovalTerms
  /** The scorers of the space `flow`; absent in other spaces. */
  readonly flow?: FlowRules
  /** What the policy's specs remember of a session. */
  readonly memory: MemoryRules
}

export interface FlowRules {
  /** Over STEP_FEATURES: p1 of a proposed step. */
  readonly hazard: CompiledScorer
  /** Over SESSION_FEATURES: the score that puts a session into a bucket. */
  readonly session: CompiledScorer
  /** Over CONDUCT_FEATURES, absent if the bundle has none. */
  readonly conduct?: { readonly scorer: CompiledScorer; readonly steps: number }
  /** Ascending, one fewer than buckets. */
  readonly edges: Float64Array
  /** Ascending: the mean probability of each non-empty bucket; empty if the bundle has none. */
  readonly centres: Float64Array
}

/** Verdicts at three ascending thresholds, whose values are the chain's. */
export type Thresholds = readonly [Verdict, Verdict, Verdict]

export interface ToolRule {
  readonly labels: StepLabels | undefined
  /** If set, labels from the client that name capability and reversibility replace the tool's, but never below this minimum. */
  readonly least?: StepLabels
  /** Labels of an unlabelled tool whose name says what it does; used instead of the policy's `unlabelled` labels. */
  readonly byName?: StepLabels
  /** Whether no catalogue labels the tool, and its name says that it does something irreversible. */
  readonly isFinalByName?: boolean
  /** The policy's tags that the catalogue gives the tool, as bits. */
  readonly tags: number
  /** Whether a spec names the tool: then it counts as known even without labels. */
  readonly isNamed: boolean
  /** Per tier the specs that can match the tool, in document order; in the blocklist, flow specs come last. */
  readonly blocklist: readonly SpecRule[]
  readonly mustlist: readonly SpecRule[]
  readonly allowlist: readonly AllowRule[]
  readonly confirmation: readonly SpecRule[]
  readonly memory: ToolMemory
}

/** Tables of one category over a state space; index s is the state in which the proposed step arrives. */
export interface Chain {
  /** The category, or `aggregate`. */
  readonly name: string
  readonly space: StateSpace
  /** The target it was fitted on: the recorded truth, or the cascade's level. */
  readonly target: 'observed' | 'modelled'
  /** P(this step is the violation), S values. */
  readonly hazard: Float64Array
  /** P(violated within the rules' horizon | proposed), S values. */
  readonly probability: Float64Array
  /** P(violated within horizon − 1 steps | the proposed step was survived), S values. */
  readonly survived: Float64Array
  /** P(violated within the horizon | no step is proposed), by the session's state, S values. */
  readonly ahead: Float64Array
  /** Mean number of steps to the violation given that one happens, S values; null if none can happen. */
  readonly stepsToViolation: readonly (number | null)[]
  /** Number of steps, at most the horizon, within which a violation is more likely than not, S values; 0 if there is none. */
  readonly noReturn: Uint8Array
  /** Three ascending values each. */
  readonly hazardThresholds: Float64Array
  readonly forwardThresholds: Float64Array
  /** surprise[from × S + to]: −ln P(a survived step goes from `from` to `to`), S × S values, in nats. */
  readonly surprise: Float64Array
  /** The mean of `surprise` over the chain's own steps from each state, S values, in nats. */
  readonly entropy: Float64Array
  /** Share of the fitted steps that began in each bucket; empty outside of the space `flow` or if no step was counted. */
  readonly buckets: Float64Array
}

/** The rules for new sessions, and those that running sessions are pinned to. */
export interface RulesCache {
  readonly active: Rules
  readonly pinned: (versions: Versions) => Rules | undefined
}

/** Inputs from outside the session; the decision records them. Source: docs/decisions/20261122-controls.md. */
export interface Facts {
  readonly mode: Mode
  /** Who stopped the session and why; absent if it is not stopped. */
  readonly stop?: { readonly by: string; readonly reason?: string }
  /** Fleet-wide counters, by name. */
  readonly readings?: Readonly<Record<string, number>>
}
export const NO_FACTS: Facts = Object.freeze({ mode: 'enforce' })
