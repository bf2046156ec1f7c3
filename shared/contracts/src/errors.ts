/**
 * Every error of Plimsoll, whether a retry can help, and what to do. `docs/reference/errors.md` is generated from it. `event` codes
 * answer bad events (dead letter, and a blocking decision if a client waits); `process` codes are thrown.
 */
export const ERRORS = {
  not_json: { kind: 'event', retryable: false, help: 'publish the event as UTF-8 JSON' },
  schema_invalid: { kind: 'event', retryable: false, help: 'fix the fields named in the message' },
  schema_version_unknown: {
    kind: 'event',
    retryable: false,
    help: 'publish schema version 1, or upgrade the monitor',
  },
  event_type_unknown: {
    kind: 'event',
    retryable: false,
    help: 'use a type of the event schema, or upgrade the monitor',
  },
  event_oversize: { kind: 'event', retryable: false, help: 'send digests instead of arguments and results' },
  key_mismatch: { kind: 'event', retryable: false, help: 'publish with the session id as the record key' },
  partition_mismatch: {
    kind: 'event',
    retryable: false,
    help: "publish with the partitioner of Kafka's Java clients (murmur2 of the key; `murmur2_random` in librdkafka)",
  },
  signature_invalid: {
    kind: 'event',
    retryable: false,
    help: "sign internal events with the deployment's key",
  },
  identity_missing: {
    kind: 'event',
    retryable: false,
    help: 'start sessions through a gateway, or by a client that has the identity key (`identityKey`) and, for a sub-agent, its parent with its token',
  },
  identity_invalid: {
    kind: 'event',
    retryable: false,
    help: "match the token in `session.started`: set the same tenant, agent and category, soon after the token was issued, under the monitors' identity key",
  },
  proof_invalid: {
    kind: 'event',
    retryable: false,
    help: 'send events of a session with its key: through a gateway, or a client that has the identity key',
  },
  session_state_lost: {
    kind: 'event',
    retryable: false,
    help: 'start the session first; if it was started, its record has expired or was lost',
  },
  session_already_started: {
    kind: 'event',
    retryable: false,
    help: 'use a new session id for a new session',
  },
  session_ended: { kind: 'event', retryable: false, help: 'start a new session' },
  sequence_gap: { kind: 'event', retryable: true, help: 'publish the missing events, then this one again' },
  sequence_stale: {
    kind: 'event',
    retryable: false,
    help: 'number the events of each producer from 0 without repeats; use a new producer name for a new process',
  },
  call_conflict: {
    kind: 'event',
    retryable: false,
    help: 'give each open call of a session a different id',
  },
  too_many_open_calls: {
    kind: 'event',
    retryable: true,
    help: 'complete or end open calls before proposing more',
  },
  approval_unknown: {
    kind: 'event',
    retryable: false,
    help: 'the decision has no pending approval request, or it was resolved already',
  },
  approval_mismatch: {
    kind: 'event',
    retryable: false,
    help: 'resolve the decision with the digest of the shown arguments and its `expiresAt`',
  },
  approval_expired: { kind: 'event', retryable: false, help: 'let the agent propose the step again' },
  spec_unknown: {
    kind: 'event',
    retryable: false,
    help: 'name a flow spec of the policy that the session is pinned to: `plimsoll sessions show` prints its version',
  },
  version_unavailable: {
    kind: 'event',
    retryable: true,
    help: 'publish the bundle, policy or catalogue that is missing (`plimsoll publish FILE`), or give it to the monitor as a file',
  },
  quota_exceeded: {
    kind: 'event',
    retryable: true,
    help: 'send fewer events per second, or raise the quota; refused events can be sent again',
  },
  control_stale: {
    kind: 'event',
    retryable: false,
    help: 'a later change is in force: check the clock of the sending machine, and send the change again',
  },
  controls_full: {
    kind: 'event',
    retryable: false,
    help: 'remove settings (mode `inherit`, or resume) before adding more',
  },
  engine_failed: {
    kind: 'event',
    retryable: false,
    help: 'a bug in Plimsoll: report it with the dead letter',
  },
  config_invalid: { kind: 'process', retryable: false, help: 'fix every setting named in the message' },
  document_invalid: { kind: 'process', retryable: false, help: 'fix the fields named in the message' },
  version_unknown: {
    kind: 'process',
    retryable: false,
    help: 'publish the document first: `plimsoll publish FILE`',
  },
  traces_invalid: { kind: 'process', retryable: false, help: 'fix the line named in the message' },
  counts_too_few: {
    kind: 'process',
    retryable: false,
    help: 'let the monitors count for longer, or name the bundle of the sessions',
  },
  tools_invalid: {
    kind: 'process',
    retryable: false,
    help: 'give a list of tools as MCP lists them, in JSON, or a server that has some',
  },
  tool_server_failed: {
    kind: 'process',
    retryable: true,
    help: 'run its command by itself: it must start, keep running, and use MCP on its standard input and output',
  },
  arguments_unseen: {
    kind: 'process',
    retryable: false,
    help: 'approve where the arguments are shown, have the client disclose them all, deny, or give `--unseen`',
  },
  usage_invalid: { kind: 'process', retryable: false, help: 'see the help of the command' },
  log_unavailable: {
    kind: 'process',
    retryable: true,
    help: 'check that Kafka runs and that its addresses are right',
  },
  log_changed: {
    kind: 'process',
    retryable: false,
    help: 'the topic was recreated or has another number of partitions: drain, clear the session store, start again',
  },
  store_unavailable: {
    kind: 'process',
    retryable: true,
    help: 'check that Redis runs and that its address is right',
  },
  record_invalid: {
    kind: 'process',
    retryable: false,
    help: 'a session record cannot be read: restore it or delete it',
  },
  record_unknown: {
    kind: 'process',
    retryable: true,
    help: 'name a step that the proof file has, and wait for its checkpoint',
  },
  record_too_new: {
    kind: 'process',
    retryable: false,
    help: 'upgrade this monitor: a newer one has written the record',
  },
  contended: {
    kind: 'process',
    retryable: true,
    help: 'another owner writes the same sessions: the batch is retried',
  },
  unauthenticated: {
    kind: 'process',
    retryable: false,
    help: 'send an API key or an OIDC token of one of the principals of the gateway: `authorization: Bearer …`',
  },
  forbidden: {
    kind: 'process',
    retryable: false,
    help: 'a principal can only use its own sessions, of its own tenant',
  },
  gateway_unavailable: {
    kind: 'process',
    retryable: true,
    help: 'check that the gateway runs and that its address is right',
  },
  issuer_unavailable: {
    kind: 'process',
    retryable: true,
    help: 'check that the OIDC issuer in the file of principals can be reached from the gateway',
  },
  session_unknown: {
    kind: 'process',
    retryable: false,
    help: 'start a session, or use its id and token at the gateway that started it',
  },
  queue_full: { kind: 'process', retryable: true, help: 'wait for earlier events, or raise the limit' },
  step_blocked: {
    kind: 'process',
    retryable: false,
    help: 'show it to the agent: `message` has the reasons and the alternative, if there is one; `answer` has the decision',
  },
  closed: { kind: 'process', retryable: false, help: 'the client or service has been closed' },
} as const satisfies Record<string, { kind: 'event' | 'process'; retryable: boolean; help: string }>

export type ErrorCode = keyof typeof ERRORS
export type EventErrorCode = {
  [K in ErrorCode]: (typeof ERRORS)[K]['kind'] extends 'event' ? K : never
}[ErrorCode]

/** A fault of one event, recorded in its dead letter. */
export interface Fault {
  readonly code: EventErrorCode
  /** One line, lower case, the user's input in backticks. */
  readonly message: string
  /** For `sequence_gap` and `sequence_stale`: the producer's next expected number. */
  readonly expectedSeq?: number
}

/** The one error that Plimsoll throws; `code` is in `ERRORS` and in docs/reference/errors.md. */
export class PlimsollError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'PlimsollError'
    this.code = code
    this.retryable = ERRORS[code].retryable
    this.details = options.details ?? {}
  }
}
