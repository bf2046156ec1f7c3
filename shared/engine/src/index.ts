export { advance, needsNoSession, step } from './step.js'
export {
  NO_FACTS,
  type Chain,
  type Facts,
  type FlowRules,
  type Rules,
  type RulesCache,
  type ToolRule,
} from './rules.js'
export {
  CELLS_MAX,
  FOR_EVER,
  NO_MEMORY_RULES,
  specRule,
  type AllowRule,
  type Counter,
  type Credit,
  type Creditable,
  type Update,
  type UpdateRule,
  type Expression,
  type FleetLimit,
  type FlowLabels,
  type FlowRule,
  type MemoryRules,
  type Pattern,
  type Span,
  type Reading,
  type SpecRule,
  type ToolMemory,
  WHOLENESS,
} from './spec-rule.js'
export { applyControl, controlsBefore, NO_CONTROLS } from './controls/controls.js'
export { createControlView, type ControlView } from './controls/view.js'
export { deadlineIdOf, nextDeadline } from './events/deadline.js'
export { observeStep } from './events/observe.js'
export { recentOf } from './events/sequence.js'
export { hash32 } from './hash32.js'
export {
  FLOW_BUCKETS,
  FLOW_STATES,
  flowBucketOf,
  flowLevelOf,
  flowState,
  flowTaintOf,
  joinFlowStates,
} from './labels/flow-state.js'
export {
  advanceSafetyState,
  escalationOf,
  exposureOf,
  INITIAL_STATE,
  joinLabels,
  reversibilityOf,
  riskLevelOf,
  safetyState,
  stepLabelsOf,
  TRUSTED,
  type StepLabels,
  UNTRUSTED,
} from './labels/safety-state.js'
export { countOf, distinctiveShare, matchFingerprints, type Matches } from './provenance/matches.js'
export { NO_LIMITS, limitsAfter, reportOfLimits } from './provenance/limits.js'
export { addSource } from './provenance/sources.js'
export { stepContributions, type Contribution, type StepContributions } from './risk/contributions.js'
export { SESSION_FEATURES, sessionFeaturesOf, STEP_FEATURES } from './risk/features.js'
export { eitherCause, estimateSessionRisk, isLabelsOnly, riskWithin } from './risk/risk.js'
export { acrossBuckets, crossed, LEAVES_MAX, marginOf, scoreOf, type CompiledScorer } from './risk/scorer.js'
export { driftOf, outcomeTransition, transitionsOf, type Transition } from './risk/transitions.js'
export type { StepEffect } from './effects/effects.js'
export { effectSentence } from './effects/sentence.js'
export { hasSpan, WINDOW_CELLS } from './specs/counters.js'
export { findFleetSpecs, fleetRuns, type FleetRun, type FleetSpec } from './specs/fleet-limits.js'
export { OBLIGATION_CELLS } from './specs/matching.js'
export { carriedIn, owedObligations, type Carried, type OwedObligation } from './specs/status.js'
export { pendingOf } from './state/calls.js'
export { foundCategory, foundIn } from './state/category.js'
export { CONDUCT_FEATURES, conductFeaturesOf } from './state/conduct.js'
export { HISTORY_NAMES } from './state/history.js'
export { decodeState, encodeState } from './state/record/record.js'
export { LIMITS, repin, type Call, type PendingCall, type SessionState } from './state/session.js'
export { shownOf } from './verdict/session-approvals.js'
export { modeOf } from './verdict/mode.js'
export type { Outcome } from './verdict/outcome.js'
export { refusalOf, refuse } from './verdict/refusal.js'
export { severity } from './verdict/severity.js'
export { ENGINE_VERSION } from './version.js'
export { holdsSession } from './verdict/sources/held.js'
export type { LoggedEvent } from '@plimsoll/contracts'

// Parts of `step`, for shared/comparison: it judges a step that another policy decided.
export { recordReportedRuns } from './step.js'
export { NO_MEMORY, type Memory } from './spec-rule.js'
export { failOverdueCalls, returned } from './events/completed.js'
export { pendingFor } from './events/proposed.js'
export { refine } from './events/refined.js'
export { contextOf, reportOfPendingCall, reportOfProposal, type StepReport } from './events/report.js'
export { startSession } from './events/reported.js'
export { block, recordRun } from './events/run.js'
export { rememberDeclassified } from './specs/memory.js'
export { findCall, putCall } from './state/calls.js'
export { createSessionState, withoutSpecMemory } from './state/session.js'
export { judge } from './verdict/judge.js'
export { verdictOf } from './verdict/severity.js'
