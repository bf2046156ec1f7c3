import {
  type Attributes,
  type TextMapPropagator,
  type Tracer,
  ROOT_CONTEXT,
  SpanKind,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Decision, type Topics, decisionSchema, parseJson } from '@plimsoll/contracts'
import {
  type Batch,
  type Clock,
  type Consumption,
  type EventLog,
  type LogRecord,
  type Logger,
  systemClock,
} from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import type { OtelMetrics } from './metrics.js'

export interface RunDecisionSpansOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Consumer group of the processes that export. */
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

/** Decision ids remembered to recognise repeated decisions. */
const SEEN_MAX = 10_000
/** Older decisions get no span: a new exporter does not start with the history. */
const AGE_MAX_MS = 900_000
const TIMEOUT_MS = 10_000
/** Spans of one request. */
const SPANS_MAX = 512

/**
 * Exports a span for every decision, but not for repeated ones. If the endpoint fails, the spans are counted and dropped: no consumer
 * should wait for a trace. Resolves once the group has been joined; rejects as `consume` does.
 */
export async function runDecisionSpans(options: RunDecisionSpansOptions): Promise<Consumption> {
  const { log, topics, metrics, logger, clock = systemClock } = options
  const exporter = createDecisionExporter(options)
  const seen = new LRUCache<string, true>({ max: SEEN_MAX })

  function isNew({ id, kind }: Decision, { timeMs }: LogRecord): boolean {
    if (kind === 'repeat' || seen.has(id) || clock.now() - timeMs > AGE_MAX_MS) return false
    seen.set(id, true)
    return true
  }

  async function onBatch(batch: Batch): Promise<void> {
    const { records } = batch
    for (let from = 0; from < records.length; from += SPANS_MAX) {
      const part = records.slice(from, from + SPANS_MAX)
      for (const record of part) {
        const decision = decisionSchema.safeParse(parseJson(record.value)).data
        if (decision && isNew(decision, record)) exporter.add(decision, record)
      }
      const { count, error } = await exporter.flush()
      if (error) logger.warn('spans of decisions were not exported', { error, count })
      metrics.decisionSpans('exported', error ? 0 : count)
      metrics.decisionSpans('failed', error ? count : 0)
      const last = part.at(-1)
      if (last) await batch.commit(last.offset)
    }
  }

  const consumption = await log.consume({
    topic: topics.decisions,
    group: options.group,
    onBatch,
    ...(options.signal && { signal: options.signal }),
    onError: (error) => logger.warn('retrying a batch of decisions', { error }),
  })
  return {
    isRunning: () => consumption.isRunning(),
    close: async () => {
      await consumption.close()
      await exporter.close()
    },
  }
}

/**
 * OpenTelemetry's own exporter: OTLP/HTTP in JSON. Spans are exported batch by batch instead of through the SDK's queue, so that a
 * batch's offset is committed only after its export.
 */
function createDecisionExporter({ url, headers = {}, timeoutMs = TIMEOUT_MS }: RunDecisionSpansOptions) {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs })
  const ended: ReadableSpan[] = []
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plimsoll' }),
    spanProcessors: [
      {
        onStart: () => {},
        onEnd: (span) => void ended.push(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  })
  const tracer = provider.getTracer('plimsoll')
  return {
    add: (decision: Decision, record: LogRecord): void => addSpan(tracer, decision, record),
    /** Exports the added spans, less those that the sampling of their traces has dropped. Never rejects. */
    flush: async (): Promise<{ readonly count: number; readonly error?: Error | undefined }> => {
      const spans = ended.splice(0)
      if (spans.length === 0) return { count: 0 }
      return new Promise((resolve) => {
        exporter.export(spans, ({ code, error }) => {
          const hasFailed = code !== ExportResultCode.SUCCESS
          const reason = hasFailed ? (error ?? new Error('the endpoint did not take the spans')) : undefined
          resolve({ count: spans.length, error: reason })
        })
      })
    },
    close: () => provider.shutdown().then(() => exporter.shutdown()),
  }
}

const propagator: TextMapPropagator = new W3CTraceContextPropagator()
const getter = {
  keys: (headers: Readonly<Record<string, string>>) => Object.keys(headers),
  get: (headers: Readonly<Record<string, string>>, name: string) => headers[name],
}

/**
 * A span from the time of the event to the time of the decision. Its parent is the span that proposed the step, if the proposal carried
 * a trace context.
 */
function addSpan(tracer: Tracer, decision: Decision, { timeMs, headers }: LogRecord): void {
  const options = { kind: SpanKind.INTERNAL, attributes: attributesOf(decision), startTime: decision.time }
  const parent = propagator.extract(ROOT_CONTEXT, headers, getter)
  tracer.startSpan(`plimsoll.decision ${decision.kind}`, options, parent).end(Math.max(decision.time, timeMs))
}

/** Reasons that are exported; a decision seldom has more than three. */
const REASONS_MAX = 16

/** Uses no `gen_ai.*` or `mcp.*` name: these spans may return through the Collector and must not count as an agent's. */
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
