/** What the services use besides; not part of the published package. */
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
// The log as a channel, and what comes over it.
export {
  type Channel,
  type ChannelRecord,
  type DecisionRecord,
  type Listening,
  createLogChannel,
} from './transport/outbound.js'
