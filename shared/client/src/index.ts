export * from './answer.js'
export { type ClientOptions, createClient } from './client.js'
export { type Guard, type GuardOptions, createGuard } from './guard.js'
export * from './session.js'
export { type FailMode, type FailModes, FAIL_MODES, type WithoutVerdictCause } from './pending/proposals.js'
export {
  type ClientLimits,
  type ClientSettings,
  type StepWithoutVerdict,
  CLIENT_LIMITS,
  TIMEOUT_MS,
} from './transport/link.js'
export {
  type Channel,
  type ChannelRecord,
  type DecisionRecord,
  type Listening,
  createLogChannel,
} from './transport/outbound.js'
export type { CurrentTrace } from './transport/trace.js'
export { type Timers, systemTimers } from './wait.js'
export type { Disclosure } from '@plimsoll/policy'
export { OBSERVER_PARTS, type ObserverPart, stepLines } from '@plimsoll/labels'
// For `plimsoll mcp`, which keeps approvals and requests as files of the user.
export {
  type KeptApproval,
  type KeptApprovals,
  type KeptApprovalsOptions,
  KEPT_ID,
  createKeptApprovals,
} from './approvals/kept-approvals.js'
export { readObject, writePrivate } from './approvals/private-files.js'
// For the gateway, which reads texts and follows sessions on behalf of its agents.
export { type HandoverTracker, createHandoverTracker } from './observe/handover-tracker.js'
export { WORST, addsTo, inheritedFrom, joinHandovers, joinInherits } from './observe/handover.js'
export { PARTIAL } from './observe/observation.js'
export {
  type TextObserver,
  createScriptReadings,
  observeArguments,
  observeInstruction,
  observeResult,
  observeTask,
  parseFrozen,
} from './observe/observe-texts.js'
export { raiseClaims, raiseSignals } from './observe/raise.js'
export { answerOf } from './pending/stop-memory.js'
