import { createLru } from '../lru.js'
import type { OtelLimits } from '../limits.js'
import type { Span } from '../otlp/span.js'
import type { ToolCall } from './tool-call.js'
import { createTrace, type Trace } from './trace.js'

/** The traces that spans were read of lately. */
export interface Traces {
  /** Notes `span`, of whatever kind it is: even one of a database tells what is around what. */
  learn(span: Span, call: ToolCall | undefined): void
  of(traceId: string): Trace
}

export type TracesLimits = Pick<OtelLimits, 'agentTracesMax' | 'otherTracesMax' | 'traceSpansMax'>

export function createTraces(limits: TracesLimits): Traces {
  const agents = createLru<Trace>(limits.agentTracesMax)
  const others = createLru<Trace>(limits.otherTracesMax)

  function of(traceId: string): Trace {
    const known = agents.get(traceId) ?? others.get(traceId)
    if (known) return known
    const made = createTrace(limits.traceSpansMax)
    others.set(traceId, made)
    return made
  }

  return {
    of,
    learn: (span, call) => {
      const trace = of(span.traceId)
      trace.learn(span, call)
      if (!trace.isAgents() || agents.has(span.traceId)) return
      others.delete(span.traceId)
      agents.set(span.traceId, trace)
    },
  }
}
