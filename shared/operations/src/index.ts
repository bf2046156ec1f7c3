export { deadLetterOf, helpOnCode, type DeadLetter, type Origin } from './dead-letters/dead-letter.js'
export {
  listDeadLetters,
  parsePosition,
  positionText,
  readDeadLetter,
  type DeadLetterFilter,
  type Listed,
  type ListedLetter,
  type Position,
} from './dead-letters/find-dead-letters.js'
export { planOf, planRedrive, redrive, type Left, type RedrivePlan } from './dead-letters/redrive.js'
export {
  appealDecision,
  findDecision,
  readAppeals,
  type AppealPlace,
  type AppealsWindow,
} from './sessions/appeals.js'
export { findProposals, type ProposalSearch } from './sessions/find-proposal.js'
export { listSessions, type ListedSessions, type SessionFilter } from './sessions/list-sessions.js'
export { findSession, storedSessionOf, type StoredSession } from './sessions/list-sessions.js'
export {
  detailsOf,
  summaryOf,
  type PendingApproval,
  type SessionDetails,
  type SessionSummary,
} from './sessions/list-sessions.js'
export { policyStatus, type OpenObligation, type PolicyStatus } from './sessions/policy-status.js'
export {
  readTimeline,
  timelineOf,
  type Timeline,
  type TimelineEntry,
  type TimelineOptions,
} from './sessions/timeline.js'
export { examineDeployment, type DoctorOptions } from './doctor/doctor.js'
export type { Finding, Status } from './doctor/redis.js'
export { assertPrefixes, publishDocuments, readDocuments, resolveVersions } from './control/documents.js'
export { openControlChannel, type ControlChannelOptions } from './control/control-channel.js'
export * from './control/send-control.js'
export * from './control/status.js'
export { assertValid, partitionsOf } from './records.js'
export { counted } from './doctor/topics.js'
export {
  createDecisionTally,
  readDecisionsTopic,
  type Observed,
  type ObservedReason,
  type ObservedTool,
} from './sessions/tally-decisions.js'
