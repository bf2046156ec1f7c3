import type { TraceContext } from '@plimsoll/contracts'

/** `callback`, whose errors become process warnings instead of reaching the client. */
export function shielded<A extends unknown[], R>(
  name: string,
  callback: ((...args: A) => R) | undefined,
): (...args: A) => R | undefined {
  return (...args) => {
    try {
      return callback?.(...args)
    } catch (error) {
      warnOf(name, error)
      return undefined
    }
  }
}

/** A process warning about the callback `name`. */
export function warnOf(name: string, error: unknown): void {
  const problem = error instanceof Error ? error.message : String(error)
  process.emitWarning(`plimsoll: \`${name}\` threw: ${problem}`)
}

/** Calls `each` for every error of a reader of arguments, and warns of the first. The steps get the worst labels. */
export function readerErrors(each: (error: unknown) => void): (error: unknown) => void {
  let isFirst = true
  return (error) => {
    each(error)
    if (isFirst) warnOf('a reader of arguments', error)
    isFirst = false
  }
}

/** Returns the trace context of the current operation, if it has one. */
export type CurrentTrace = () => TraceContext | undefined

/** Reads OpenTelemetry's active span if `@opentelemetry/api` is installed. */
export async function openTelemetryTrace(): Promise<CurrentTrace> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return () => {
      const span = trace.getActiveSpan()?.spanContext()
      if (!span) return undefined
      const flags = span.traceFlags.toString(16).padStart(2, '0')
      return {
        traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
        tracestate: span.traceState?.serialize(),
      }
    }
  } catch {
    return () => undefined
  }
}
