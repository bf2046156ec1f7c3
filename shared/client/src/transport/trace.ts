import type { TraceContext } from '@plimsoll/contracts'

/** `callback`, whose own errors are its owner's: they become a process warning and touch nothing here. */
export function shielded<A extends unknown[]>(
  name: string,
  callback: ((...args: A) => void) | undefined,
): (...args: A) => void {
  if (!callback) return () => {}
  return (...args) => {
    try {
      callback(...args)
    } catch (error) {
      process.emitWarning(
        `plimsoll: \`${name}\` threw: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

/** Gives the trace context of whatever is being done at the moment, where there is any. */
export type CurrentTrace = () => TraceContext | undefined

/** That of OpenTelemetry's active span where `@opentelemetry/api` is installed; nothing where it is not. */
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
    // Anyone who does not trace has no need of it.
    return () => undefined
  }
}

/** A trace that cannot be told must not stop a step: its error becomes a process warning. */
export function withoutThrowing(current: CurrentTrace): CurrentTrace {
  return () => {
    let found: TraceContext | undefined
    shielded('trace', () => {
      found = current()
    })()
    return found
  }
}
