/**
 * W3C trace context of a step: two headers of its event, and of the decision that answers it. Nothing is decided by it. Source:
 * https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACESTATE = /^[\x20-\x7e]{1,512}$/

/** The trace headers among `headers`, as they are to go on; undefined where there is no valid one: the standard has it ignored then. */
export function traceHeadersOf(
  headers: Readonly<Record<string, unknown>> | TraceContext,
): Record<string, string> | undefined {
  const { traceparent, tracestate }: { traceparent?: unknown; tracestate?: unknown } = headers
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const isState = typeof tracestate === 'string' && TRACESTATE.test(tracestate)
  return isState ? { traceparent, tracestate } : { traceparent }
}
