export {
  createLogChannel,
  type Channel,
  type ChannelRecord,
  type DecisionRecord,
  type Listening,
} from './outbound.js'
export { createClient, type ClientOptions } from './client.js'
export { TIMEOUT_MS, type ClientSettings, type StepWithoutVerdict } from './link.js'
export type { Disclosure } from '@plimsoll/policy'
export { OBSERVER_PARTS, stepLines, type ObserverPart } from '@plimsoll/labels'
export { explain, StepBlocked } from './session.js'
export { FAIL_MODES, type FailMode, type FailModes } from './proposals.js'
export { createGuard, type Guard, type GuardOptions } from './guard.js'
export type { Approval } from './guard-session.js'
export { CLIENT_LIMITS, type ClientLimits } from './journal.js'
export type { Relative } from './session.js'
export { joinedHandover } from './observation.js'
export type { WithoutVerdictCause } from './proposals.js'
export * from './session.js'
export { systemTimers, type Timers } from './wait.js'
export { raiseClaims, raiseTaint } from './session.js'
export { answerOf } from './known-stops.js'
export { mostOf, readable } from './session.js'
export { PARTIAL } from './observation.js'
export { createLineage as createKnowledge, type Lineage as Knowledge } from './lineage.js'
export type { CurrentTrace } from './trace.js'
