export {
  createLogChannel,
  type Channel,
  type ChannelRecord,
  type DecisionRecord,
  type Listening,
} from './channel.js'
export { createClient, type ClientOptions } from './client.js'
export { TIMEOUT_MS, type ClientSettings, type StepWithoutVerdict } from './link.js'
export type { Disclosure } from '@plimsoll/policy'
export { OBSERVER_PARTS, stepLines, type ObserverPart } from '@plimsoll/labels'
export { explain, StepBlocked } from './explanation.js'
export { FAIL_MODES, type FailMode, type FailModes } from './fail-modes.js'
export { createGuard, type Guard, type GuardOptions } from './guard.js'
export type { Approval } from './guard-session.js'
export { CLIENT_LIMITS, type ClientLimits } from './limits.js'
export type { Relative } from './handover.js'
export { joinedHandover } from './joined-handover.js'
export type { WithoutVerdictCause } from './proposals.js'
export * from './session.js'
export { systemTimers, type Timers } from './timers.js'
export { raiseClaims, raiseTaint } from './claims.js'
export { answerOf } from './answers.js'
export { mostOf, readable } from './handover.js'
export { PARTIAL } from './observation.js'
export { createLineage as createKnowledge, type Lineage as Knowledge } from './lineage.js'
export type { CurrentTrace } from './trace.js'
