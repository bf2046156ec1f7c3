import type { EventLog } from '@plimsoll/runtime'
import type { Delivery } from './events/delivery.js'
import type { SpanMapper } from './events/span-mapper.js'
import type { OtelLimits } from './limits.js'
import { createLru } from './lru.js'
import type { OtelMetrics } from './metrics.js'
import { type Encoding, decodeSpans } from './otlp/decode.js'
import type { Span } from './otlp/span.js'
import { type ToolCall, type Trace, createTrace, sessionOf, toolCallOf } from './spans/trace.js'

/**
 * Runs of tools that wait for what belongs before them: exporters send in batches, each process its own, so that spans come out of order
 * by seconds. What has begun before a call that is given up is given up with it.
 */
export interface Holding {
  add(call: ToolCall, nowMs: number): void
  /** Takes out what has waited long enough, in the order in which it began. */
  due(nowMs: number): readonly ToolCall[]
  /** Takes out everything, in that order. */
  all(): readonly ToolCall[]
  size(): number
}

interface Held {
  readonly call: ToolCall
  readonly sinceMs: number
}

export function createHolding(holdMs: number): Holding {
  const byTrace = new Map<string, Held[]>()
  let size = 0

  function take(isDue: (held: readonly Held[]) => readonly Held[]): readonly ToolCall[] {
    const taken: ToolCall[] = []
    for (const [traceId, held] of byTrace) {
      const due = new Set(isDue(held))
      if (due.size === 0) continue
      for (const { call } of due) taken.push(call)
      const left = held.filter((each) => !due.has(each))
      if (left.length > 0) byTrace.set(traceId, left)
      else byTrace.delete(traceId)
    }
    size -= taken.length
    return taken.sort(byStart)
  }

  return {
    add: (call, sinceMs) => {
      const { traceId } = call.span
      const held = byTrace.get(traceId) ?? []
      held.push({ call, sinceMs })
      byTrace.set(traceId, held)
      size++
    },
    due: (nowMs) =>
      take((held) => {
        const last = Math.max(...held.filter(({ sinceMs }) => nowMs - sinceMs >= holdMs).map(startOf))
        return held.filter((each) => startOf(each) <= last)
      }),
    all: () => take((held) => held),
    size: () => size,
  }
}

const startOf = ({ call }: Held): number => call.span.startUs

/**
 * Some SDKs begin spans at whole milliseconds and measure their ends: of two that began at once, the one that came first goes first, for
 * spans are exported as they end.
 */
const byStart = (a: ToolCall, b: ToolCall): number => a.span.startUs - b.span.startUs

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

/** Reads spans, holds the runs of tools among them for a while, and tells them in order. */
export interface SpanReader {
  /** Takes one record of the topic. `isTold`: of the runs of tools in it, those that were told before. */
  read(value: Uint8Array | null, nowMs: number, isReported?: (spanId: string) => boolean): void
  /** Tells what has waited long enough. */
  tick(nowMs: number): void
  /** Tells everything. */
  flush(): void
  /** Whether as much waits as may. */
  isFull(): boolean
}

export interface SpanReaderOptions {
  readonly encoding: Encoding
  readonly tenant: string
  readonly holdMs: number
  readonly mapper: SpanMapper
  readonly delivery: Pick<Delivery, 'push' | 'size'>
  readonly limits: OtelLimits
  readonly metrics: OtelMetrics
}

export type SpanSource = Pick<EventLog, 'read' | 'offsetAt' | 'describe'>

export function createSpanReader(options: SpanReaderOptions): SpanReader {
  const { encoding, tenant, mapper, delivery, limits, metrics } = options
  const traces = createTraces(limits)
  const holding = createHolding(options.holdMs)
  const seen = createLru<true>(limits.seenMax)
  /** By session, when the last step told of it began. */
  const lastStarts = createLru<number>(limits.sessionsMax)

  function take(span: Span, nowMs: number, isReported: (spanId: string) => boolean): void {
    const call = toolCallOf(span)
    traces.learn(span, call)
    if (!call) return metrics.spans('other')
    const id = `${span.traceId}${span.spanId}`
    if (seen.has(id)) return metrics.spans('repeated')
    seen.set(id, true)
    if (isReported(span.spanId)) {
      traces.of(span.traceId).report(call)
      return metrics.spans('repeated')
    }
    holding.add(call, nowMs)
  }

  function report(calls: readonly ToolCall[]): void {
    const bySession = new Map<string, ToolCall[]>()
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
      const ofSession = bySession.get(sessionId) ?? []
      ofSession.push(call)
      bySession.set(sessionId, ofSession)
    }
    for (const [sessionId, ofSession] of bySession) {
      const traceId = ofSession[0]?.span.traceId ?? ''
      delivery.push(mapper.report(sessionId, ofSession, traces.of(traceId).agent()))
    }
    metrics.held(holding.size())
  }

  function noteOrder(sessionId: string, startUs: number): void {
    const last = lastStarts.get(sessionId) ?? startUs
    if (startUs < last) metrics.late()
    lastStarts.set(sessionId, Math.max(last, startUs))
  }

  return {
    read: (value, nowMs, isReported = () => false) => {
      const read = decodeSpans(value, encoding)
      metrics.record(read ? 'read' : 'undecodable')
      if (!read) return
      metrics.spans('invalid', read.invalid)
      for (const span of read.spans) take(span, nowMs, isReported)
      metrics.held(holding.size())
    },
    tick: (nowMs) => report(holding.due(nowMs)),
    flush: () => report(holding.all()),
    isFull: () => holding.size() + delivery.size() >= limits.heldMax,
  }
}
