import { context, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace'

/** For tests: spans made by OpenTelemetry's SDK and encoded by its encoders. */
export interface SpanRecorder {
  /** A span from `startMs` to `endMs` after `TIME_0_MS`. */
  span(name: string, reported: RecordedSpan): MadeSpan
}

export interface RecordedSpan {
  readonly at?: readonly [startMs: number, endMs: number]
  readonly attributes?: Attributes
  readonly parent?: MadeSpan
  readonly kind?: SpanKind
  readonly isError?: boolean
}

export interface MadeSpan {
  readonly traceId: string
  readonly spanId: string
  readonly readable: ReadableSpan
}

export const TIME_0_MS = 1_790_000_000_000

export function createSpanRecorder(serviceName = 'mailer'): SpanRecorder {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('tests')
  return {
    span: (name, { at: [startMs, endMs] = [0, 1], attributes = {}, parent, kind, isError }) => {
      const around = parent
        ? trace.setSpanContext(context.active(), parent.readable.spanContext())
        : context.active()
      const options = { startTime: TIME_0_MS + startMs, attributes, kind: kind ?? SpanKind.INTERNAL }
      const span = tracer.startSpan(name, options, around)
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(TIME_0_MS + endMs)
      const { traceId, spanId } = span.spanContext()
      const readable = exporter.getFinishedSpans().find((each) => each.spanContext().spanId === spanId)
      if (!readable) throw new Error('the span was not recorded')
      return { traceId, spanId, readable }
    },
  }
}

/** The attributes of an `execute_tool` span. */
export const toolRun = (tool: string, more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  ...more,
})

/** The attributes of an MCP span of a tool call. */
export const mcpCall = (tool: string, more: Attributes = {}): Attributes => ({
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  ...more,
})

const SERIALIZERS = { otlp_proto: ProtobufTraceSerializer, otlp_json: JsonTraceSerializer } as const

/** The record value that the Collector's Kafka exporter would write. */
export function encodeSpans(
  spans: readonly MadeSpan[],
  encoding: keyof typeof SERIALIZERS = 'otlp_proto',
): Buffer {
  const bytes = SERIALIZERS[encoding].serializeRequest(spans.map(({ readable }) => readable))
  if (!bytes) throw new Error('the spans were not encoded')
  return Buffer.from(bytes)
}
