import type { Evidence, Mode, StateSpace, Verdict, Versions } from '@plimsoll/contracts'
import type { StepLabels } from './labels/safety-state.js'
import type { CompiledScorer } from './risk/scorer.js'
import type { AllowRule, MemoryRules, SpecRule, ToolMemory } from './spec-rule.js'

/** A policy, a bundle and a catalogue, compiled: everything `step` looks up, each look-up O(1). Made by @plimsoll/policy. */
export interface Rules {
  readonly versions: Versions
  /** What the states of its chains mean: sessions under rules of one meaning are counted together. */
  readonly meaning: string
  /** What is known of a tool, by its name; for a tool that nothing names, a rule without labels. */
  readonly tool: (name: string) => ToolRule
  /** The chain of a category, or the aggregate where the bundle has none. */
  readonly chain: (category: string) => Chain
  /** What labels-only sessions are judged by instead: see `isLabelsOnly`. Absent where the bundle has no model of their own for them. */
  readonly labelsOnly?: Pick<Rules, 'chain' | 'flow'>
  /** Steps that P(h) looks ahead, the proposed one included. */
  readonly horizon: number
  readonly line: Readonly<Record<Evidence, Verdict>>
  /** Absent where the policy does not judge it. */
  readonly integrity?: Readonly<Record<'untrusted' | 'instructed' | 'irreversible', Verdict>>
  /** Of an irreversible step that the task does not ask for; absent where the policy does not judge it. */
  readonly irreversible?: Verdict
  readonly hazard: Thresholds
  readonly forward: Thresholds
  /** How far below its threshold a band is left. */
  readonly hysteresis: number
  readonly unlabelled: { readonly verdict: Verdict; readonly labels: StepLabels }
  readonly approvalTtlMs: number
  /** The scorers of the space `flow`; absent in the others. */
  readonly flow?: FlowRules
  /** What the policy's specs remember of a session. */
  readonly memory: MemoryRules
}

export interface FlowRules {
  /** Over STEP_FEATURES: p1 of a proposed step. */
  readonly hazard: CompiledScorer
  /** Over SESSION_FEATURES: which of the buckets a session falls into. */
  readonly session: CompiledScorer
  /** Ascending; one less than there are buckets. */
  readonly edges: Float64Array
  /** Ascending: the mean probability of each bucket that sessions were in; empty where the bundle does not tell. */
  readonly centres: Float64Array
}

/** Verdicts at three ascending thresholds, whose values are the chain's. */
export type Thresholds = readonly [Verdict, Verdict, Verdict]

export interface ToolRule {
  readonly labels: StepLabels | undefined
  /** Where it is there, a client's labels that name capability and reversibility count as they are, but never below it. */
  readonly least?: StepLabels
  /** Of a tool that nothing labels and that by its name plainly reads: what it is taken for instead of the policy's stand-in. */
  readonly readAs?: StepLabels
  /** Bits of those of the policy's tags that the catalogue gives the tool. */
  readonly tags: number
  /** Whether a spec names the tool: then it is no stranger, labelled or not. */
  readonly isNamed: boolean
  /** Of each tier those that may speak on the tool, in the order of the document; of the blocklist those with a flow last. */
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
  /** What counted as violated when it was fitted: the recordings' truth, or the cascade. */
  readonly target: 'observed' | 'modelled'
  /** P(this step is the violation), S values. */
  readonly hazard: Float64Array
  /** P(violated within the rules' horizon | proposed), S values. */
  readonly probability: Float64Array
  /** P(violated within one step less than the horizon | the proposed step was survived), S values. */
  readonly survived: Float64Array
  /** P(violated within the horizon | nothing is proposed yet), by the state a session is in, S values. */
  readonly ahead: Float64Array
  /** Mean further steps to the violation given that one comes, S values; null where none can. */
  readonly stepsToViolation: readonly (number | null)[]
  /** Three ascending values each. */
  readonly hazardThresholds: Float64Array
  readonly forwardThresholds: Float64Array
  /** surprise[from × S + to]: −ln P(a step that is survived goes from `from` to `to`), S × S values, in nats. */
  readonly surprise: Float64Array
  /** The mean of `surprise` over the chain's own steps from each state, S values, in nats. */
  readonly entropy: Float64Array
  /** Share of its steps that began in each bucket, one value each; none outside of the space `flow`, or where no step was counted. */
  readonly buckets: Float64Array
}

/** The rules for new sessions, and those that running sessions are pinned to. */
export interface RulesCache {
  readonly active: Rules
  readonly pinned: (versions: Versions) => Rules | undefined
}

/** What the engine is told from outside the session; the decision records it. Source: docs/decisions/20261122-controls.md. */
export interface Facts {
  readonly mode: Mode
  /** Whom the stop switch was thrown by, where it stands for this session. */
  readonly stop?: { readonly by: string; readonly reason?: string }
  /** Counters of many sessions, by name. */
  readonly readings?: Readonly<Record<string, number>>
}
export const NO_FACTS: Facts = Object.freeze({ mode: 'enforce' })
