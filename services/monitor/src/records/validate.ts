import {
  type Control,
  type Decision,
  type Event,
  type Fault,
  type InternalEvent,
  CONTROL_KEY,
  EVENT_SCHEMA,
  INTERNAL_EVENTS,
  PROOF_HEADER,
  controlSchema,
  eventSchema,
  idSchema,
  isSignedBy,
  toolNameSchema,
  parseJson,
  unknownSignals,
} from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import { type LogRecord, partitionOf } from '@plimsoll/runtime'
import { z } from 'zod'
import { type IdentityRules, identityFaultOf } from './identity.js'
import type { QuotaGate, QuotaScope } from './quota.js'

/** A validated record: an event or a control change to fold, or a fault, which needs no state. */
export type ValidatedRecord = ValidEvent | ValidControl | InvalidRecord

export interface ValidEvent {
  readonly kind: 'event'
  readonly record: LogRecord
  readonly event: Event
  /** Whether it is an agent's event without proof, while identities are optional. */
  readonly isUnproved?: boolean
  /** How many of its signals were dropped, because their names are unknown. */
  readonly droppedSignals?: number
}

export interface ValidControl {
  readonly kind: 'control'
  readonly record: LogRecord
  readonly control: Control
}

export interface InvalidRecord {
  readonly kind: 'fault'
  readonly record: LogRecord
  readonly fault: Fault
  /** The answer to its sender, if one waits. */
  readonly refusal?: Decision
  /** The exceeded quota, if any. */
  readonly scope?: QuotaScope
}

export interface AdmissionRules {
  readonly eventBytesMax: number
  /** The deployment's key; without one every internal event is refused. */
  readonly signingKey: string | undefined
  /** Without it identities are not verified. */
  readonly identity?: IdentityRules | undefined
  /** Of the events topic: a session's events are in the partition of its key. */
  readonly partitions: number
}

const TYPES: ReadonlySet<string> = new Set(eventSchema.options.map((option) => option.shape.type.value))
const CONTROL_TYPES: ReadonlySet<string> = new Set(
  controlSchema.options.map((option) => option.shape.type.value),
)
/** Types that the deployment itself writes: exempt from quotas, and signed. */
const OWN_TYPES: ReadonlySet<string> = new Set([...INTERNAL_EVENTS, ...CONTROL_TYPES])

/**
 * Reads a record. Total: any bytes are an event, a control change or a fault. Pure: a redelivery reads the same. A record whose quota is
 * exceeded (`scope`) is refused without being validated, unless it is the deployment's own.
 */
export function validateRecord(
  record: LogRecord,
  rules: AdmissionRules,
  scope?: QuotaScope,
): ValidatedRecord {
  const size = record.value?.length ?? 0
  const isOversize = size > rules.eventBytesMax
  const json = isOversize ? undefined : parseObject(record.value)
  if (scope && !(json && isOneOf(OWN_TYPES, json)))
    return {
      ...faulty(record, 'quota_exceeded', `the ${scope} exceeds its events per second`, json),
      scope,
    }
  if (isOversize)
    return faulty(
      record,
      'event_oversize',
      `the event has ${size} bytes; at most ${rules.eventBytesMax} are accepted`,
    )
  if (!json) return faulty(record, 'not_json', 'the record is not a JSON object in UTF-8')
  const fault = faultOfKind(json)
  if (fault) return faulty(record, fault.code, fault.message, json)
  if (isOneOf(CONTROL_TYPES, json)) return validateControl(record, json, rules)
  const parsed = eventSchema.safeParse(json)
  if (!parsed.success) return faulty(record, 'schema_invalid', problemsOf(parsed.error), json)
  const valid = validateEvent(record, parsed.data, rules)
  const { length: droppedSignals } = unknownSignals(json)
  return valid.kind === 'event' && droppedSignals > 0 ? { ...valid, droppedSignals } : valid
}

const isOneOf = (types: ReadonlySet<string>, { type }: Record<string, unknown>): boolean =>
  typeof type === 'string' && types.has(type)

/** A control change is copied into each partition and signed for it. Source: docs/decisions/20261122-controls.md. */
function validateControl(record: LogRecord, json: unknown, { signingKey }: AdmissionRules): ValidatedRecord {
  const parsed = controlSchema.safeParse(json)
  if (!parsed.success) return faulty(record, 'schema_invalid', problemsOf(parsed.error))
  const control = parsed.data
  if (!CONTROL_KEY.test(record.key ?? ''))
    return faulty(record, 'key_mismatch', `the key of a control change is \`#\` and a number`)
  if (control.partition !== record.partition)
    return faulty(
      record,
      'partition_mismatch',
      `the change \`${control.id}\` is for partition ${control.partition}, not ${record.partition}`,
    )
  if (signingKey === undefined || !isSignedBy(control, signingKey))
    return faulty(record, 'signature_invalid', `the signature of \`${control.type}\` does not verify`)
  return { kind: 'control', record, control }
}

function validateEvent(record: LogRecord, event: Event, rules: AdmissionRules): ValidatedRecord {
  const { signingKey, partitions, identity } = rules
  if (record.key !== event.sessionId)
    return faulty(
      record,
      'key_mismatch',
      `the record's key is not its session id \`${event.sessionId}\``,
      event,
    )
  const partition = partitionOf(event.sessionId, partitions)
  if (record.partition !== partition)
    return faulty(
      record,
      'partition_mismatch',
      `session \`${event.sessionId}\` belongs to partition ${partition}, not ${record.partition}`,
      event,
    )
  if (isInternal(event)) {
    if (signingKey === undefined || !isSignedBy(event, signingKey))
      return faulty(record, 'signature_invalid', `the signature of \`${event.type}\` does not verify`, event)
    return { kind: 'event', record, event }
  }
  const fault = identity && identityFaultOf(record, event, identity)
  if (fault) return faulty(record, fault.code, fault.message, event)
  return {
    kind: 'event',
    record,
    event,
    isUnproved: identity !== undefined && record.headers[PROOF_HEADER] === undefined,
  }
}

function isInternal(event: Event): event is InternalEvent {
  return INTERNAL_EVENTS.some((type) => type === event.type)
}

function parseObject(value: Buffer | null): Record<string, unknown> | undefined {
  const parsed = parseJson(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
}

/** Faults with a clearer code than `schema_invalid`. */
function faultOfKind({ schema, type }: Record<string, unknown>): Fault | undefined {
  if (typeof schema === 'number' && schema !== EVENT_SCHEMA)
    return {
      code: 'schema_version_unknown',
      message: `event schema \`${schema}\` is unknown; this monitor reads ${EVENT_SCHEMA}`,
    }
  if (typeof type === 'string' && !TYPES.has(type) && !CONTROL_TYPES.has(type))
    return { code: 'event_type_unknown', message: `event type \`${type.slice(0, 64)}\` is unknown` }
  return undefined
}

function problemsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`)
    .join('; ')
    .slice(0, 1000)
}

/** The members of a proposed step that a refusal needs. */
const waitingSchema = z.object({
  type: z.literal('step.proposed'),
  id: idSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema.catch('unknown'),
  argumentsDigest: z.string().max(64).catch(''),
})

/** A fault; with a refusal for its sender, if the record is a proposed step that can be answered. */
function faulty(record: LogRecord, code: Fault['code'], message: string, json?: unknown): InvalidRecord {
  const fault = { code, message }
  const waiting = waitingSchema.safeParse(json)
  if (!waiting.success) return { kind: 'fault', record, fault }
  return { kind: 'fault', record, fault, refusal: refusalOf(waiting.data, fault, record.timeMs) }
}

/** A chunk: records of some sessions, or one control change. */
export type Cut = EventsCut | ControlCut

export interface EventsCut {
  readonly kind: 'events'
  /** Never empty, in log order. */
  readonly admitted: readonly (ValidEvent | InvalidRecord)[]
}

export interface ControlCut {
  readonly kind: 'control'
  readonly admitted: ValidControl
}

/**
 * Validates `records` and cuts them into chunks of at most `eventsMax`, lazily. A control change is a chunk of its own, so that all of a chunk
 * is judged under the same controls. An invalid control change is no such chunk.
 */
export function* cut(
  records: readonly LogRecord[],
  eventsMax: number,
  admitRecord: (record: LogRecord) => ValidatedRecord,
): Generator<Cut, void, void> {
  let admitted: (ValidEvent | InvalidRecord)[] = []
  for (const record of records) {
    const each = admitRecord(record)
    if (each.kind !== 'control') admitted.push(each)
    if (admitted.length === eventsMax || (each.kind === 'control' && admitted.length > 0)) {
      yield { kind: 'events', admitted }
      admitted = []
    }
    if (each.kind === 'control') yield { kind: 'control', admitted: each }
  }
  if (admitted.length > 0) yield { kind: 'events', admitted }
}

/** Validates records after checking their quotas. */
export const createAdmission =
  (rules: AdmissionRules, gate: QuotaGate) =>
  (record: LogRecord): ValidatedRecord =>
    validateRecord(record, rules, gate.scopeOver(record))

/** One event of a session with the record it came in. */
export interface SessionEvent {
  readonly record: LogRecord
  readonly event: Event
}
