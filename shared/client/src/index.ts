export {
  createLogChannel,
  type Channel,
  type ChannelRecord,
  type DecisionRecord,
  type Listening,
} from './transport/outbound.js'
export { createClient, type ClientOptions } from './client.js'
export { TIMEOUT_MS, type ClientSettings, type StepWithoutVerdict } from './transport/link.js'
export type { Disclosure } from '@plimsoll/policy'
export { OBSERVER_PARTS, stepLines, type ObserverPart } from '@plimsoll/labels'
export { explain, StepBlocked } from './session.js'
export { FAIL_MODES, type FailMode, type FailModes } from './pending/proposals.js'
export { createGuard, type Guard, type GuardOptions } from './guard.js'
export type { Approval } from './session/guard-session.js'
export { CLIENT_LIMITS, type ClientLimits } from './pending/journal.js'
export type { Relative } from './session.js'
export { joinedHandover } from './observe/observation.js'
export type { WithoutVerdictCause } from './pending/proposals.js'
export * from './session.js'
export { systemTimers, type Timers } from './wait.js'
export { raiseClaims, raiseTaint } from './session.js'
export { answerOf } from './pending/stop-memory.js'
export { mostOf, readable } from './session.js'
export { PARTIAL } from './observe/observation.js'
export { createLineage as createKnowledge, type Lineage as Knowledge } from './observe/lineage.js'
export type { CurrentTrace } from './transport/trace.js'
