import { fieldsOf, listOf, readAttributes, type Attributes } from './attributes.js'

/** One span of a trace, as in OTLP. Source: opentelemetry-proto, trace/v1/trace.proto. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits. */
  readonly spanId: string
  /** Undefined for the trace's root. */
  readonly parentId: string | undefined
  /** Microseconds since 1970, by the clock of the process that ran it. */
  readonly startUs: number
  readonly endUs: number
  /** Whether its status is `Error`. */
  readonly isError: boolean
  readonly attributes: Attributes
  /** Attributes of the process that ran it, such as `service.name`. */
  readonly resource: Attributes
}

export interface ReadSpans {
  readonly spans: readonly Span[]
  /** How many had no valid trace id, span id or times. */
  readonly invalid: number
}

/** All spans of an `ExportTraceServiceRequest` or `TracesData`, in either encoding. Never throws. */
export function readSpans(request: unknown): ReadSpans {
  const spans: Span[] = []
  let invalid = 0
  for (const ofResource of listOf(fieldsOf(request)['resourceSpans'])) {
    const { resource: reported, scopeSpans } = fieldsOf(ofResource)
    const resource = readAttributes(fieldsOf(reported)['attributes'])
    for (const ofScope of listOf(scopeSpans)) {
      for (const raw of listOf(fieldsOf(ofScope)['spans'])) {
        const span = readSpan(raw, resource)
        if (span) spans.push(span)
        else invalid++
      }
    }
  }
  return { spans, invalid }
}

function readSpan(raw: unknown, resource: Attributes): Span | undefined {
  const fields = fieldsOf(raw)
  const traceId = idOf(fields['traceId'], TRACE_ID)
  const spanId = idOf(fields['spanId'], SPAN_ID)
  const startUs = microsecondsOf(fields['startTimeUnixNano'])
  const endUs = microsecondsOf(fields['endTimeUnixNano'])
  if (!traceId || !spanId || startUs === undefined || endUs === undefined) return undefined
  return {
    traceId,
    spanId,
    parentId: idOf(fields['parentSpanId'], SPAN_ID),
    startUs,
    // A clock that was set back must not end a span before it starts.
    endUs: Math.max(startUs, endUs),
    isError: isErrorCode(fieldsOf(fields['status'])['code']),
    attributes: readAttributes(fields['attributes']),
    resource,
  }
}

const TRACE_ID = /^(?!0{32}$)[0-9a-f]{32}$/
const SPAN_ID = /^(?!0{16}$)[0-9a-f]{16}$/

/** Ids are hex in JSON and bytes in protobuf; all zeros mean no id. */
function idOf(value: unknown, pattern: RegExp): string | undefined {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  if (typeof text !== 'string') return undefined
  const hex = text.toLowerCase()
  return pattern.test(hex) ? hex : undefined
}

/** Nanoseconds exceed a safe integer; microseconds fit until the year 2255. */
function microsecondsOf(nanoseconds: unknown): number | undefined {
  const text = String(nanoseconds)
  if (!/^\d{1,19}$/.test(text)) return undefined
  return Number(BigInt(text) / 1_000n)
}

const isErrorCode = (code: unknown): boolean => code === 2 || code === 'STATUS_CODE_ERROR'
