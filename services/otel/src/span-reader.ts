import { LRUCache } from 'lru-cache'
import type { Delivery } from './delivery.js'
import type { OtelMetrics } from './metrics.js'
import { decodeSpans } from './otlp/decode.js'
import type { Span } from './otlp/span.js'
import type { SpanMapper } from './span-mapper.js'
import { type ToolCall, type Trace, createTrace, sessionOf, toolCallOf } from './trace.js'

/** Caps of reading spans. */
export interface OtelLimits {
  /** Tool calls held back; at this many, reading pauses until some have been published. */
  readonly heldMax: number
  /** Traces remembered of agents, and of everything else. Counted apart so that other traffic evicts no agent. */
  readonly agentTracesMax: number
  readonly otherTracesMax: number
  /** Spans remembered of one trace. Later ones are still published, under the trace's conversation. */
  readonly traceSpansMax: number
  /** Span ids remembered to recognise repeated spans. */
  readonly seenMax: number
  /** Sessions remembered as started. */
  readonly sessionsMax: number
}

export const OTEL_LIMITS: OtelLimits = {
  heldMax: 10_000,
  agentTracesMax: 10_000,
  otherTracesMax: 5_000,
  traceSpansMax: 1_024,
  seenMax: 100_000,
  sessionsMax: 50_000,
}

interface Held {
  readonly call: ToolCall
  readonly sinceMs: number
}

/**
 * Tool calls that wait for earlier ones of their trace: each process exports in its own batches, so spans arrive out of order by
 * seconds. A call that is released takes along every call that began before it.
 */
function createHolding(holdMs: number) {
  const byTrace = new Map<string, Held[]>()
  let size = 0

  /** Takes out the calls of each trace that began at `untilUs` or before. */
  function take(untilUs: (held: readonly Held[]) => number): readonly ToolCall[] {
    const taken: ToolCall[] = []
    for (const [traceId, held] of byTrace) {
      const until = untilUs(held)
      const left = held.filter((each) => startOf(each) > until)
      if (left.length === held.length) continue
      for (const each of held) if (startOf(each) <= until) taken.push(each.call)
      if (left.length > 0) byTrace.set(traceId, left)
      else byTrace.delete(traceId)
    }
    size -= taken.length
    return taken.sort(byStart)
  }

  return {
    add: (call: ToolCall, sinceMs: number): void => {
      const { traceId } = call.span
      const held = byTrace.get(traceId) ?? []
      held.push({ call, sinceMs })
      byTrace.set(traceId, held)
      size++
    },
    due: (nowMs: number) =>
      take((held) => Math.max(...held.filter(({ sinceMs }) => nowMs - sinceMs >= holdMs).map(startOf))),
    all: () => take(() => Number.POSITIVE_INFINITY),
    size: () => size,
  }
}

const startOf = ({ call }: Held): number => call.span.startUs

/**
 * Stable for equal starts: some SDKs round starts to milliseconds, and spans are exported as they end, so the first to arrive counts
 * as the earlier.
 */
const byStart = (a: ToolCall, b: ToolCall): number => a.span.startUs - b.span.startUs

/** The traces of recently read spans. */
function createTraces(limits: Pick<OtelLimits, 'agentTracesMax' | 'otherTracesMax' | 'traceSpansMax'>) {
  const agents = new LRUCache<string, Trace>({ max: limits.agentTracesMax })
  const others = new LRUCache<string, Trace>({ max: limits.otherTracesMax })

  function of(traceId: string): Trace {
    const known = agents.get(traceId) ?? others.get(traceId)
    if (known) return known
    const made = createTrace(limits.traceSpansMax)
    others.set(traceId, made)
    return made
  }

  return {
    of,
    /** Notes a span of any kind: even a database span connects a call to the span around it. */
    learn: (span: Span, call: ToolCall | undefined): void => {
      const trace = of(span.traceId)
      trace.learn(span, call)
      if (!trace.isAgents() || agents.has(span.traceId)) return
      others.delete(span.traceId)
      agents.set(span.traceId, trace)
    },
  }
}

export interface SpanReaderOptions {
  readonly tenant: string
  readonly holdMs: number
  readonly mapper: SpanMapper
  readonly delivery: Pick<Delivery, 'push' | 'size'>
  readonly limits: OtelLimits
  readonly metrics: OtelMetrics
}

/** Reads spans, holds the tool calls among them for a while, and publishes them in order. */
export function createSpanReader(options: SpanReaderOptions) {
  const { tenant, mapper, delivery, limits, metrics } = options
  const traces = createTraces(limits)
  const holding = createHolding(options.holdMs)
  const seen = new LRUCache<string, true>({ max: limits.seenMax })
  /** By session, the start of its last published step. */
  const lastStarts = new LRUCache<string, number>({ max: limits.sessionsMax })

  function take(span: Span, nowMs: number, isPublished: (spanId: string) => boolean): void {
    const call = toolCallOf(span)
    traces.learn(span, call)
    if (!call) return metrics.spans('other')
    const id = `${span.traceId}${span.spanId}`
    if (seen.has(id)) return metrics.spans('repeated')
    seen.set(id, true)
    if (isPublished(span.spanId)) {
      traces.of(span.traceId).report(call)
      return metrics.spans('repeated')
    }
    holding.add(call, nowMs)
  }

  function publish(calls: readonly ToolCall[]): void {
    const bySession = new Map<string, [ToolCall, ...ToolCall[]]>()
    for (const call of calls) {
      const trace = traces.of(call.span.traceId)
      if (trace.isReportedElsewhere(call)) {
        metrics.spans('inner')
        continue
      }
      trace.report(call)
      const { by, sessionId } = sessionOf(call, trace, tenant)
      metrics.spans('reported')
      metrics.step(by)
      noteOrder(sessionId, call.span.startUs)
      const ofSession = bySession.get(sessionId)
      if (ofSession) ofSession.push(call)
      else bySession.set(sessionId, [call])
    }
    for (const [sessionId, ofSession] of bySession)
      delivery.push(mapper.map(sessionId, ofSession, traces.of(ofSession[0].span.traceId).agent()))
    metrics.held(holding.size())
  }

  function noteOrder(sessionId: string, startUs: number): void {
    const last = lastStarts.get(sessionId) ?? startUs
    if (startUs < last) metrics.late()
    lastStarts.set(sessionId, Math.max(last, startUs))
  }

  return {
    /** Takes one record of the topic. `isPublished`: whether the tool call of a span was published before. */
    read: (
      value: Uint8Array | null,
      nowMs: number,
      isPublished: (spanId: string) => boolean = () => false,
    ): void => {
      const read = decodeSpans(value)
      if (!read) return metrics.spans('undecodable')
      metrics.spans('invalid', read.invalid)
      for (const span of read.spans) take(span, nowMs, isPublished)
      metrics.held(holding.size())
    },
    /** Publishes the calls that have waited long enough. */
    tick: (nowMs: number): void => publish(holding.due(nowMs)),
    /** Publishes everything. */
    flush: (): void => publish(holding.all()),
    /** Whether no more can be held. */
    isFull: () => holding.size() + delivery.size() >= limits.heldMax,
  }
}
