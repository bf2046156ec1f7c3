import type { Attributes } from '../otlp/attributes.js'
import type { Span } from '../otlp/span.js'

/** A span that is a tool's run: `execute_tool` of the GenAI conventions, or `tools/call` of MCP's. */
export interface ToolCall {
  readonly span: Span
  /** As an event can hold it. */
  readonly tool: string
  /** Whether an MCP client or server told it: the framework around it may have told the same call. */
  readonly isMcp: boolean
  readonly description: string | undefined
  /** Undefined where the instrumentation does not record them: it is asked to opt in. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  readonly result: unknown
  readonly outcome: 'ok' | 'error'
}

/** The run of a tool that `span` tells of; undefined of any other span. */
export function toolCallOf(span: Span): ToolCall | undefined {
  const { attributes } = span
  const isMcp = attributes.text('mcp.method.name') === 'tools/call'
  if (!isMcp && attributes.text('gen_ai.operation.name') !== 'execute_tool') return undefined
  return {
    span,
    tool: toolNameOf(attributes.text('gen_ai.tool.name') ?? attributes.text('mcp.tool.name')),
    isMcp,
    description: attributes.text('gen_ai.tool.description'),
    arguments: argumentsOf(attributes),
    result: jsonOr(attributes.get('gen_ai.tool.call.result')),
    outcome: span.isError || attributes.has('error.type') ? 'error' : 'ok',
  }
}

const NAME_MAX = 200

/** A name that events can hold. A call without one counts as a tool that nobody knows. */
function toolNameOf(name: string | undefined): string {
  return name?.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, NAME_MAX) ?? 'unknown'
}

function argumentsOf(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  const told = jsonOr(attributes.get('gen_ai.tool.call.arguments'))
  if (told === undefined) return undefined
  const isMap = typeof told === 'object' && told !== null && !Array.isArray(told)
  return isMap ? { ...told } : { value: told }
}

/** SDKs whose attributes can hold no maps record them as JSON. */
function jsonOr(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
