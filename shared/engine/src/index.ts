export { pendingOf } from './calls.js'
export { createControlView, type ControlView } from './control-view.js'
export { foundCategory, foundIn } from './judge.js'
export { crossed } from './scorer.js'
export { findFleetSpecs as fleetAsked, fleetRuns, type FleetRun, type FleetSpec } from './calls.js'
export { applyControl, controlsBefore, NO_CONTROLS } from './controls.js'
export { deadlineIdOf, nextDeadline as nextDue, type NextDeadline as NextDue } from './deadline.js'
export { TRUSTED, UNTRUSTED } from './safety-state.js'
export { driftOf, type Drift } from './moves.js'
export {
  sessionFeaturesOf,
  SESSION_FEATURES,
  STEP_FEATURES,
  type SessionView as Standing,
} from './features.js'
export * from './flow-state.js'
export {
  countOf,
  GROUPS,
  matchFingerprints,
  ORIGINS,
  distinctiveShare as tellingOf,
  type Group,
  type Matches,
  type Origin,
} from './matches.js'
export { observeStep, type ObservedStep } from './observe.js'
export { HISTORY_NAMES as MARK_NAMES } from './history.js'
export {
  transitionsOf as movesOf,
  outcomeTransition as outcomeMove,
  type Transition as Move,
} from './moves.js'
export { decisionOf, modeOf, refusalOf, refuse, type Outcome } from './outcome.js'
export type { LoggedEvent } from '@plimsoll/contracts'
export { decodeState, encodeState, RECORD_SCHEMA, type Decoded } from './record.js'
export { isLabelsOnly, estimateSessionRisk as outlookOf, type StepRisk as Prospect } from './risk.js'
export {
  adopt,
  updateCandidateMemory as follow,
  EMPTY_CANDIDATE_MEMORY as NOTHING_FOLLOWED,
  type CandidateMemory as Followed,
} from './follow.js'
export * from './rules.js'
export { acrossBuckets, LEAVES_MAX, marginOf, scoreOf, type CompiledScorer } from './scorer.js'
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
} from './safety-state.js'
export { LIMITS, repin, type Call, type PendingCall, type SessionState } from './session.js'
export { addSource as remember, type Sources } from './sources.js'
export * from './specs/spec-rule.js'
export type { Pattern, Reading, Readings, StepFacts } from './specs/spec-rule.js'
export { isReaching } from './specs/counters.js'
export { WINDOW_CELLS } from './specs/counters.js'
export { OBLIGATION_CELLS } from './specs/must.js'
export { WHOLENESS, type Memory } from './specs/remember.js'
export {
  changeOf,
  hasOtherReasons,
  VERDICT_CHANGES,
  type Cause,
  type ChangeKind,
  type Judged,
  type StepChange,
} from './verdict-change.js'
export { severity } from './judge.js'
export { carriedIn, type Carried } from './specs/carried.js'
export { owedObligations as owedIn, type OwedObligation as Owed } from './specs/owed.js'
export { hash32, recentOf } from './declassification.js'
export { shadowOf, type Shadow, type ShadowJudgement } from './shadow.js'
export { advance, needsNoSession as isOnlyTold, step } from './step.js'
export { ENGINE_VERSION } from './outcome.js'
export { holdsSession } from './line.js'
