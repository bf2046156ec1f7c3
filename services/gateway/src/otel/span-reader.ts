import type { EventLog } from '@plimsoll/runtime'
import { decodeSpans, type Encoding } from './otlp/decode.js'
import type { Span } from './otlp/span.js'
import type { Delivery } from './events/delivery.js'
import type { Teller } from './events/teller.js'
import type { OtelLimits } from './limits.js'
import { createLru } from './lru.js'
import type { OtelMetrics } from './metrics.js'
import { createHolding } from './spans/holding.js'
import { sessionOf } from './spans/session-key.js'
import { toolCallOf, type ToolCall } from './spans/tool-call.js'
import { createTraces } from './spans/traces.js'

/** Reads spans, holds the runs of tools among them for a while, and tells them in order. */
export interface SpanReader {
  /** Takes one record of the topic. `isTold`: of the runs of tools in it, those that were told before. */
  read(value: Uint8Array | null, nowMs: number, isTold?: (spanId: string) => boolean): void
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
  readonly teller: Teller
  readonly delivery: Pick<Delivery, 'push' | 'size'>
  readonly limits: OtelLimits
  readonly metrics: OtelMetrics
}

export type SpanSource = Pick<EventLog, 'read' | 'offsetAt' | 'describe'>

export function createSpanReader(options: SpanReaderOptions): SpanReader {
  const { encoding, tenant, teller, delivery, limits, metrics } = options
  const traces = createTraces(limits)
  const holding = createHolding(options.holdMs)
  const seen = createLru<true>(limits.seenMax)
  /** By session, when the last step told of it began. */
  const lastStarts = createLru<number>(limits.sessionsMax)

  function take(span: Span, nowMs: number, isTold: (spanId: string) => boolean): void {
    const call = toolCallOf(span)
    traces.learn(span, call)
    if (!call) return metrics.spans('other')
    const id = `${span.traceId}${span.spanId}`
    if (seen.has(id)) return metrics.spans('repeated')
    seen.set(id, true)
    if (isTold(span.spanId)) {
      traces.of(span.traceId).tell(call)
      return metrics.spans('repeated')
    }
    holding.add(call, nowMs)
  }

  function tell(calls: readonly ToolCall[]): void {
    const bySession = new Map<string, ToolCall[]>()
    for (const call of calls) {
      const trace = traces.of(call.span.traceId)
      if (trace.isToldElsewhere(call)) {
        metrics.spans('inner')
        continue
      }
      trace.tell(call)
      const { by, sessionId } = sessionOf(call, trace, tenant)
      metrics.spans('told')
      metrics.step(by)
      noteOrder(sessionId, call.span.startUs)
      const ofSession = bySession.get(sessionId) ?? []
      ofSession.push(call)
      bySession.set(sessionId, ofSession)
    }
    for (const [sessionId, ofSession] of bySession) {
      const traceId = ofSession[0]?.span.traceId ?? ''
      delivery.push(teller.tell(sessionId, ofSession, traces.of(traceId).agent()))
    }
    metrics.held(holding.size())
  }

  function noteOrder(sessionId: string, startUs: number): void {
    const last = lastStarts.get(sessionId) ?? startUs
    if (startUs < last) metrics.late()
    lastStarts.set(sessionId, Math.max(last, startUs))
  }

  return {
    read: (value, nowMs, isTold = () => false) => {
      const read = decodeSpans(value, encoding)
      metrics.record(read ? 'read' : 'undecodable')
      if (!read) return
      metrics.spans('invalid', read.invalid)
      for (const span of read.spans) take(span, nowMs, isTold)
      metrics.held(holding.size())
    },
    tick: (nowMs) => tell(holding.due(nowMs)),
    flush: () => tell(holding.all()),
    isFull: () => holding.size() + delivery.size() >= limits.heldMax,
  }
}
