export { pendingOf } from './state/calls.js'
export { createControlView, type ControlView } from './controls/view.js'
export { foundCategory, foundIn } from './verdict/judge.js'
export { crossed } from './risk/scorer.js'
export { findFleetSpecs, fleetRuns, type FleetRun, type FleetSpec } from './state/calls.js'
export { applyControl, controlsBefore, NO_CONTROLS } from './controls/controls.js'
export { deadlineIdOf, nextDeadline, type NextDeadline } from './events/deadline.js'
export { TRUSTED, UNTRUSTED } from './labels/safety-state.js'
export { driftOf, type Drift } from './risk/transitions.js'
export { sessionFeaturesOf, SESSION_FEATURES, STEP_FEATURES, type SessionView } from './risk/features.js'
export * from './labels/flow-state.js'
export {
  countOf,
  GROUPS,
  matchFingerprints,
  ORIGINS,
  distinctiveShare,
  type Group,
  type Matches,
  type Origin,
} from './provenance/matches.js'
export { observeStep, type ObservedStep } from './events/observe.js'
export { HISTORY_NAMES } from './state/history.js'
export { transitionsOf, outcomeTransition, type Transition } from './risk/transitions.js'
export { decisionOf, modeOf, refusalOf, refuse, type Outcome } from './verdict/outcome.js'
export type { LoggedEvent } from '@plimsoll/contracts'
export { decodeState, encodeState, RECORD_SCHEMA, type Decoded } from './state/record.js'
export { isLabelsOnly, estimateSessionRisk, type StepRisk } from './risk/risk.js'
export {
  adopt,
  updateCandidateMemory,
  EMPTY_CANDIDATE_MEMORY,
  type CandidateMemory,
} from './comparison/candidate-memory.js'
export * from './rules.js'
export { acrossBuckets, LEAVES_MAX, marginOf, scoreOf, type CompiledScorer } from './risk/scorer.js'
export {
  advanceSafetyState,
  escalationOf,
  exposureOf,
  INITIAL_STATE,
  joinLabels,
  reversibilityOf,
  riskLevelOf,
  SAFETY_STATES,
  safetyState,
  stepLabelsOf,
  type StepLabels,
} from './labels/safety-state.js'
export { LIMITS, repin, type Call, type PendingCall, type SessionState } from './state/session.js'
export { addSource, type Sources } from './provenance/sources.js'
export * from './spec-rule.js'
export type { Pattern, Reading, Readings, StepFacts } from './spec-rule.js'
export { isReaching } from './specs/counters.js'
export { WINDOW_CELLS } from './specs/counters.js'
export { OBLIGATION_CELLS } from './specs/matching.js'
export { WHOLENESS, type Memory } from './spec-rule.js'
export {
  changeOf,
  hasOtherReasons,
  VERDICT_CHANGES,
  type Cause,
  type ChangeKind,
  type Judged,
  type StepChange,
} from './comparison/verdict-change.js'
export { severity } from './verdict/judge.js'
export { carriedIn, type Carried } from './specs/status.js'
export { owedObligations, type OwedObligation } from './specs/status.js'
export { hash32, recentOf } from './events/declassified.js'
export { shadowOf, type Shadow, type ShadowJudgement } from './comparison/shadow.js'
export { advance, needsNoSession, step } from './step.js'
export { ENGINE_VERSION } from './verdict/outcome.js'
export { holdsSession } from './verdict/line.js'
