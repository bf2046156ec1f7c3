export { pendingOf } from './calls.js'
export { createControlView, type ControlView } from './control-view.js'
export { foundCategory, foundIn } from './judge.js'
export { crossed } from './scorer.js'
export { fleetAsked, fleetRuns, type FleetRun, type FleetSpec } from './calls.js'
export { applyControl, controlsBefore, NO_CONTROLS } from './controls.js'
export { deadlineIdOf, nextDue, type NextDue } from './deadline.js'
export { TRUSTED, UNTRUSTED } from './safety-state.js'
export { driftOf, type Drift } from './moves.js'
export { sessionFeaturesOf, SESSION_FEATURES, STEP_FEATURES, type Standing } from './features.js'
export * from './flow-state.js'
export {
  countOf,
  GROUPS,
  matchFingerprints,
  ORIGINS,
  tellingOf,
  type Group,
  type Matches,
  type Origin,
} from './matches.js'
export { observeStep, type ObservedStep } from './observe.js'
export { MARK_NAMES } from './marks.js'
export { movesOf, outcomeMove, type Move } from './moves.js'
export { decisionOf, modeOf, refusalOf, refuse, type Outcome } from './outcome.js'
export type { LoggedEvent } from '@plimsoll/contracts'
export { decodeState, encodeState, RECORD_SCHEMA, type Decoded } from './record.js'
export { isLabelsOnly, outlookOf, type Prospect } from './risk.js'
export { adopt, follow, NOTHING_FOLLOWED, type Followed } from './follow.js'
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
export { remember, type Sources } from './sources.js'
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
export { owedIn, type Owed } from './specs/owed.js'
export { hash32, recentOf } from './declassification.js'
export { shadowOf, type Shadow, type ShadowJudgement } from './shadow.js'
export { advance, isOnlyTold, step } from './step.js'
export { ENGINE_VERSION } from './outcome.js'
export { holdsSession } from './line.js'
