import { ROOT_CONTEXT, trace, type Attributes, type SpanContext } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace'

/** An agent that OpenTelemetry instruments: its SDK makes the spans, its encoders the bytes that the Collector's Kafka exporter writes. */
export interface TracedAgent {
  /** A span from `startMs` to `endMs`, on the agent's clock. */
  span(
    name: string,
    attributes: Attributes,
    at: readonly [startMs: number, endMs: number],
    parent?: SpanContext,
  ): ReadableSpan
}

export function createTracedAgent(service: string): TracedAgent {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('agent')
  return {
    span: (name, attributes, [startTime, endTime], parent) => {
      const around = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
      const span = tracer.startSpan(name, { attributes, startTime }, around)
      span.end(endTime)
      const [made] = exporter.getFinishedSpans()
      exporter.reset()
      if (!made) throw new Error('the span was not recorded')
      return made
    },
  }
}

export function encodeSpans(
  spans: readonly ReadableSpan[],
  encoding: 'otlp_proto' | 'otlp_json',
): Uint8Array {
  const serializer = encoding === 'otlp_json' ? JsonTraceSerializer : ProtobufTraceSerializer
  const bytes = serializer.serializeRequest([...spans])
  if (!bytes) throw new Error('the spans were not encoded')
  return bytes
}

export interface ToolRun {
  readonly tool: string
  readonly arguments?: unknown
  readonly result?: unknown
  readonly conversation?: string
}

/** As the GenAI conventions have a tool's run, with the texts that one opts in to. */
export const toolRun = (run: ToolRun): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': run.tool,
  ...(run.conversation !== undefined && { 'gen_ai.conversation.id': run.conversation }),
  ...(run.arguments !== undefined && { 'gen_ai.tool.call.arguments': JSON.stringify(run.arguments) }),
  ...(run.result !== undefined && { 'gen_ai.tool.call.result': JSON.stringify(run.result) }),
})
