import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { DecisionSpan } from './decision-span.js'

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
