import {
  type Attributes,
  type Context,
  type TextMapPropagator,
  ROOT_CONTEXT,
  SpanKind,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Decision, type Topics, decisionSchema } from '@plimsoll/contracts'
import {
  type Batch,
  type Clock,
  type Consumption,
  type EventLog,
  type LogRecord,
  type Logger,
  systemClock,
} from '@plimsoll/runtime'
import { createLru } from '../lru.js'
import type { OtelMetrics } from '../metrics.js'

/** A decision as a span. */
export interface DecisionSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Around it: the span that asked, where its trace context came with the proposal. */
  readonly parent: Context
}

const propagator: TextMapPropagator = new W3CTraceContextPropagator()
const getter = {
  keys: (headers: Readonly<Record<string, string>>) => Object.keys(headers),
  get: (headers: Readonly<Record<string, string>>, name: string) => headers[name],
}

/** Reasons that are told; a decision seldom has more than three. */
const REASONS_MAX = 16

/** From the moment that the log had the event to the moment that it had the decision. */
export function decisionSpanOf(
  decision: Decision,
  { timeMs, headers }: { readonly timeMs: number; readonly headers: Readonly<Record<string, string>> },
): DecisionSpan {
  return {
    name: `plimsoll.decision ${decision.kind}`,
    kind: SpanKind.INTERNAL,
    startMs: decision.time,
    endMs: Math.max(decision.time, timeMs),
    attributes: attributesOf(decision),
    parent: propagator.extract(ROOT_CONTEXT, headers, getter),
  }
}

/** None of the names by which spans of agents are told from others: these spans may come back to anyone who reads those. */
function attributesOf(decision: Decision): Attributes {
  const { id, sessionId, kind, callId, tool, verdict, mode, reasons, risk, versions } = decision
  return {
    'plimsoll.decision.id': id,
    'plimsoll.session.id': sessionId,
    'plimsoll.kind': kind,
    'plimsoll.call.id': callId,
    'plimsoll.tool': tool,
    'plimsoll.verdict': verdict,
    'plimsoll.mode': mode,
    'plimsoll.reasons': reasons.slice(0, REASONS_MAX).map(({ code }) => code),
    ...(risk && {
      'plimsoll.risk.level': risk.level,
      'plimsoll.risk.exposure': risk.exposure,
      'plimsoll.risk.taint': risk.taint,
    }),
    ...(versions && {
      'plimsoll.policy.version': versions.policy,
      'plimsoll.bundle.version': versions.bundle,
    }),
  }
}

/** Sends spans, and says what became of them. */
export interface SpanSender {
  /** Resolves with how many were exported: all, none, or those that the sampling of their traces has left. Never rejects. */
  send(spans: readonly DecisionSpan[]): Promise<SentSpans>
  close(): Promise<void>
}

export interface SentSpans {
  readonly exported: number
  /** Those whose export failed; the exporter has tried again what may be. */
  readonly failed: number
  readonly error?: Error | undefined
}

export interface SpanSenderOptions {
  /** Of an OTLP/HTTP endpoint for traces, with its path. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** Over OpenTelemetry's own exporter, which speaks OTLP/HTTP in JSON. */
export function createSpanSender({ url, headers = {}, timeoutMs }: SpanSenderOptions): SpanSender {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs })
  const made: ReadableSpan[] = []
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plimsoll' }),
    spanProcessors: [collecting(made)],
  })
  const tracer = provider.getTracer('plimsoll')

  return {
    send: async (spans) => {
      for (const { name, kind, startMs, endMs, attributes, parent } of spans)
        tracer.startSpan(name, { kind, attributes, startTime: startMs }, parent).end(endMs)
      const batch = made.splice(0)
      if (batch.length === 0) return { exported: 0, failed: 0 }
      const error = await exported(exporter, batch)
      return error ? { exported: 0, failed: batch.length, error } : { exported: batch.length, failed: 0 }
    },
    close: () => provider.shutdown().then(() => exporter.shutdown()),
  }
}

/** Spans are exported batch by batch of decisions, whose offsets are committed then: nothing waits in a queue of its own. */
const collecting = (made: ReadableSpan[]): SpanProcessor => ({
  onStart: () => {},
  onEnd: (span) => void made.push(span),
  forceFlush: async () => {},
  shutdown: async () => {},
})

function exported(exporter: SpanExporter, batch: ReadableSpan[]): Promise<Error | undefined> {
  return new Promise((resolve) => {
    exporter.export(batch, ({ code, error }) => {
      const hasFailed = code !== ExportResultCode.SUCCESS
      resolve(hasFailed ? (error ?? new Error('the endpoint has not taken the spans')) : undefined)
    })
  })
}

export interface RunDecisionSpansOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Consumer group of those who emit. */
  readonly group: string
  /** Of an OTLP/HTTP endpoint for traces, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly metrics: OtelMetrics
  readonly logger: Logger
  readonly clock?: Clock
  readonly signal?: AbortSignal | undefined
}

/** Decisions by which repeated ones are known. */
const SEEN_MAX = 10_000
/** Older decisions have no span: anyone who begins to emit does not begin with the history. */
const AGE_MAX_MS = 900_000
const TIMEOUT_MS = 10_000
/** Spans of one request. */
const SPANS_MAX = 512

/**
 * Emits a span for every decision but those that repeat another. What an endpoint does not take is counted and left: a trace is worth
 * nobody's waiting. Resolves once the group has been joined; rejects as `consume` does.
 */
export async function runDecisionSpans(options: RunDecisionSpansOptions): Promise<Consumption> {
  const { log, topics, url, headers, timeoutMs = TIMEOUT_MS, metrics, logger, clock = systemClock } = options
  const sender = createSpanSender({ url, ...(headers && { headers }), timeoutMs })
  const seen = createLru<true>(SEEN_MAX)

  function isNew({ id, kind }: Decision, { timeMs }: LogRecord): boolean {
    if (kind === 'repeat' || seen.has(id) || clock.now() - timeMs > AGE_MAX_MS) return false
    seen.set(id, true)
    return true
  }

  async function onBatch(batch: Batch): Promise<void> {
    const { records } = batch
    for (let from = 0; from < records.length; from += SPANS_MAX) {
      const part = records.slice(from, from + SPANS_MAX)
      const spans = part.flatMap((record) => {
        const decision = decisionIn(record)
        return decision && isNew(decision, record) ? [decisionSpanOf(decision, record)] : []
      })
      const { exported, failed, error } = await sender.send(spans)
      if (error) logger.warn('spans of decisions were not exported', { error, count: failed })
      metrics.decisionSpans('exported', exported)
      metrics.decisionSpans('failed', failed)
      const last = part.at(-1)
      if (last) await batch.commit(last.offset)
    }
  }

  const consumption = await log.consume({
    topic: topics.decisions,
    group: options.group,
    onBatch,
    ...(options.signal && { signal: options.signal }),
    onError: (error) => logger.warn('a batch of decisions is taken again', { error }),
  })
  return {
    isRunning: () => consumption.isRunning(),
    close: async () => {
      await consumption.close()
      await sender.close()
    },
  }
}

function decisionIn({ value }: LogRecord): Decision | undefined {
  try {
    return decisionSchema.safeParse(JSON.parse(String(value))).data
  } catch {
    return undefined
  }
}
