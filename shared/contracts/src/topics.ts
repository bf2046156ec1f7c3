/** Names of the topics a deployment uses. */
export interface Topics {
  readonly events: string
  readonly decisions: string
  readonly deadLetters: string
  /** Documents by version, control changes, and each partition's report on them: one partition, compacted. See registry.ts. */
  readonly registry: string
  /** Steps on which a candidate in shadow differs. See shadow.ts. */
  readonly shadow: string
}

/** The topics under `prefix`, `plimsoll` by default. */
export function topicsOf(prefix = 'plimsoll'): Topics {
  return {
    events: `${prefix}.events`,
    decisions: `${prefix}.decisions`,
    deadLetters: `${prefix}.deadletters`,
    registry: `${prefix}.registry`,
    shadow: `${prefix}.shadow`,
  }
}

/** Headers of events and decisions, for routing and counting without reading values. No decision depends on them. */
export const TENANT_HEADER = 'plimsoll-tenant'

/** Headers of a dead letter; its key and value are those of the original record. */
export const DEAD_LETTER_HEADERS = {
  code: 'plimsoll-code',
  message: 'plimsoll-message',
  topic: 'plimsoll-topic',
  partition: 'plimsoll-partition',
  offset: 'plimsoll-offset',
  /** Bytes of the original value if the dead letter holds only its beginning. */
  cutFrom: 'plimsoll-cut-from',
  /** Bytes of the original key if it was too long to keep. */
  keyCutFrom: 'plimsoll-key-cut-from',
} as const

/** Maximum bytes of a dead letter's value, so that every record fits; the log keeps the whole. */
export const DEAD_LETTER_BYTES_MAX = 512 * 1024

/** Header of an event that was replayed from a dead letter: `PARTITION:OFFSET` of that letter. */
export const REDRIVEN_HEADER = 'plimsoll-redriven-from'

/** Key of the tombstones that `plimsoll doctor` writes to the registry to read Kafka's clock, and the header that identifies each. */
export const REGISTRY_PROBE_KEY = 'probe'
export const PROBE_HEADER = 'plimsoll-probe'

/**
 * W3C trace context of a step: two headers of its event and of its decision. No verdict depends on it. Source:
 * https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACESTATE = /^[\x20-\x7e]{1,512}$/

/** The trace headers of `headers` to pass on; undefined without a valid one, as the standard says. */
export function traceHeadersOf(
  headers: Readonly<Record<string, unknown>> | TraceContext,
): Record<string, string> | undefined {
  const { traceparent, tracestate }: { traceparent?: unknown; tracestate?: unknown } = headers
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const isState = typeof tracestate === 'string' && TRACESTATE.test(tracestate)
  return isState ? { traceparent, tracestate } : { traceparent }
}
