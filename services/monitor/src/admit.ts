import {
  eventSchema,
  EVENT_SCHEMA,
  INTERNAL_EVENTS,
  idSchema,
  isSignedBy,
  toolNameSchema,
  type Decision,
  type Event,
  type Fault,
  type InternalEvent,
} from '@plimsoll/contracts'
import { refusalOf } from '@plimsoll/engine'
import { partitionOf, type LogRecord } from '@plimsoll/runtime'
import { z } from 'zod'

/** A record as the monitor takes it: an event to fold, or a fault that no session's state is needed for. */
export type Admitted =
  | { readonly kind: 'event'; readonly record: LogRecord; readonly event: Event }
  | { readonly kind: 'fault'; readonly record: LogRecord; readonly fault: Fault; readonly refusal?: Decision }

export interface AdmissionRules {
  readonly eventBytesMax: number
  /** The deployment's key; without one every internal event is refused. */
  readonly signingKey: string | undefined
  /** Of the events topic: a session's events lie in the one partition that its key gives. */
  readonly partitions: number
}

const TYPES: ReadonlySet<string> = new Set(eventSchema.options.map((option) => option.shape.type.value))

/** Reads a record. Total: whatever its bytes are, it is an event or a fault; and pure, so that a redelivery reads the same. */
export function admit(record: LogRecord, rules: AdmissionRules): Admitted {
  const size = record.value?.length ?? 0
  if (size > rules.eventBytesMax)
    return faulty(
      record,
      'event_oversize',
      `the event has ${size} bytes; at most ${rules.eventBytesMax} are taken`,
    )
  const json = parseJson(record.value)
  if (json === undefined) return faulty(record, 'not_json', 'the record is not a JSON object in UTF-8')
  const fault = faultOfKind(json)
  if (fault) return faulty(record, fault.code, fault.message, json)
  const parsed = eventSchema.safeParse(json)
  if (!parsed.success) return faulty(record, 'schema_invalid', problemsOf(parsed.error), json)
  return admitEvent(record, parsed.data, rules)
}

function admitEvent(record: LogRecord, event: Event, { signingKey, partitions }: AdmissionRules): Admitted {
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
  if (isInternal(event) && (signingKey === undefined || !isSignedBy(event, signingKey)))
    return faulty(record, 'signature_invalid', `the signature of \`${event.type}\` does not verify`, event)
  return { kind: 'event', record, event }
}

function isInternal(event: Event): event is InternalEvent {
  return INTERNAL_EVENTS.some((type) => type === event.type)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parseJson(value: Buffer | null): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(decoder.decode(value ?? Buffer.alloc(0)))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** The faults that deserve a clearer name than the schema would give them. */
function faultOfKind({ schema, type }: Record<string, unknown>): Fault | undefined {
  if (typeof schema === 'number' && schema !== EVENT_SCHEMA)
    return {
      code: 'schema_version_unknown',
      message: `event schema \`${schema}\` is not known; this monitor reads ${EVENT_SCHEMA}`,
    }
  if (typeof type === 'string' && !TYPES.has(type))
    return { code: 'event_type_unknown', message: `event type \`${type.slice(0, 64)}\` is not known` }
  return undefined
}

function problemsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`)
    .join('; ')
    .slice(0, 1000)
}

/** As much of a proposal as a refusal needs. */
const waitingSchema = z.object({
  type: z.literal('tool.proposed'),
  id: idSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema.catch('unknown'),
  argumentsDigest: z.string().max(64).catch(''),
})

/** A fault; and where the record is a proposal that can be answered, the refusal that its sender waits for. */
function faulty(record: LogRecord, code: Fault['code'], message: string, json?: unknown): Admitted {
  const fault = { code, message }
  const waiting = waitingSchema.safeParse(json)
  if (!waiting.success) return { kind: 'fault', record, fault }
  return { kind: 'fault', record, fault, refusal: refusalOf(waiting.data, fault, record.timeMs) }
}
