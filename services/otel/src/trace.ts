import { createHash } from 'node:crypto'
import { idSchema, parseJson } from '@plimsoll/contracts'
import type { Attributes } from './otlp/attributes.js'
import type { Span } from './otlp/span.js'

interface KnownSpan {
  readonly parentId: string | undefined
  readonly conversation: string | undefined
  /** Set if the span is a tool call. */
  readonly call: NamedTool | undefined
  /** Whether an agent runs in it: calls below belong to that agent. */
  readonly isAgent: boolean
}

type NamedTool = Pick<ToolCall, 'tool' | 'isMcp'>

/** Ancestors of a call that are searched. */
const ANCESTORS_MAX = 32

export type Trace = ReturnType<typeof createTrace>

/** What is remembered of one trace. */
export function createTrace(spansMax: number) {
  const spans = new Map<string, KnownSpan>()
  /** Tools of reported calls, by the ids of their ancestors. */
  const reportedWithin = new Map<string, NamedTool[]>()
  let conversation: string | undefined
  let agent: string | undefined
  let isAgents = false
  let fallback: string | undefined

  function* ancestorsOf(call: ToolCall): Generator<readonly [string, KnownSpan | undefined]> {
    let id = call.span.parentId
    for (let i = 0; i < ANCESTORS_MAX && id !== undefined; i++) {
      const known = spans.get(id)
      yield [id, known]
      id = known?.parentId
    }
  }

  /** Ancestors of `call` up to the agent that runs it. */
  function* ancestorsWithinAgent(call: ToolCall): Generator<readonly [string, KnownSpan | undefined]> {
    for (const each of ancestorsOf(call)) {
      if (each[1]?.isAgent) return
      yield each
    }
  }

  return {
    /** Whether the trace holds a span of an agent, a model or a tool. */
    isAgents: () => isAgents,
    /** The agent's name in the latest span that has one. */
    agent: () => agent,
    learn: ({ spanId, parentId, attributes }: Span, call: ToolCall | undefined): void => {
      const own = attributes.text('gen_ai.conversation.id')
      const operation = attributes.text('gen_ai.operation.name')
      isAgents ||= call !== undefined || operation !== undefined
      conversation ??= own
      agent = attributes.text('gen_ai.agent.name') ?? agent
      if (spans.size >= spansMax) return
      const isAgent = operation === 'invoke_agent' || operation === 'create_agent'
      spans.set(spanId, { parentId, conversation: own, call, isAgent })
    },
    /** The conversation of the nearest ancestor that has one, else the first of the trace. */
    conversationOf: (call: ToolCall): string | undefined => {
      for (const [, known] of ancestorsOf(call))
        if (known?.conversation !== undefined) return known.conversation
      return conversation
    },
    /** Whether another span reports the same call: an ancestor, or a descendant that was reported. */
    isReportedElsewhere: (call: ToolCall): boolean => {
      const within = reportedWithin.get(call.span.spanId) ?? []
      if (within.some((reported) => isSameCall(reported, call))) return true
      for (const [, known] of ancestorsWithinAgent(call))
        if (known?.call && isSameCall(known.call, call)) return true
      return false
    },
    report: (call: ToolCall): void => {
      for (const [id] of ancestorsWithinAgent(call)) {
        const reported = reportedWithin.get(id) ?? []
        if (reported.length < spansMax) reported.push({ tool: call.tool, isMcp: call.isMcp })
        if (reportedWithin.size < spansMax) reportedWithin.set(id, reported)
      }
    },
    /** The session of calls without a conversation. Fixed once used, so that they stay together. */
    fallback: () => fallback,
    useFallback: (sessionId: string): string => (fallback ??= sessionId),
  }
}

/** Frameworks prefix the server's name: `files__read_file` is the `read_file` of the MCP span. */
function isSameCall(a: NamedTool, b: NamedTool): boolean {
  if (a.tool === b.tool) return a.isMcp || b.isMcp
  if (a.isMcp === b.isMcp) return false
  const [plain, mcp] = a.isMcp ? [b.tool, a.tool] : [a.tool, b.tool]
  return plain.endsWith(mcp) && /[^A-Za-z0-9]$/.test(plain.slice(0, -mcp.length))
}

/** What identifies the session of a call. */
export type KeyedBy = 'conversation' | 'mcp_session' | 'trace'

/**
 * The session of `call`: its conversation, else its MCP session, else its trace. Once one call of a trace used the trace, later ones do
 * too, unless they carry a conversation themselves.
 */
export function sessionOf(
  call: ToolCall,
  trace: Trace,
  tenant: string,
): { readonly by: KeyedBy; readonly sessionId: string } {
  const { attributes, traceId } = call.span
  const usesTrace = trace.fallback() !== undefined
  const own = attributes.text('gen_ai.conversation.id')
  const conversation = own ?? (usesTrace ? undefined : trace.conversationOf(call))
  if (conversation !== undefined) return { by: 'conversation', sessionId: idOf(tenant, conversation) }
  const mcpSession = attributes.text('mcp.session.id')
  if (mcpSession !== undefined && !usesTrace)
    return { by: 'mcp_session', sessionId: idOf(tenant, mcpSession) }
  return { by: 'trace', sessionId: trace.useFallback(idOf(tenant, traceId)) }
}

/** The tenant's prefix keeps a conversation, whatever its name, from being another session of the fleet. */
function idOf(tenant: string, name: string): string {
  const id = `${tenant}~${name}`
  if (idSchema.safeParse(id).success) return id
  return `${tenant}~${createHash('sha256').update(name).digest('hex')}`
}

/** `name` as an id that events can hold; undefined if nothing of it is left. */
export function agentIdOf(name: string | undefined): string | undefined {
  const id = name
    ?.replaceAll(/[^A-Za-z0-9._:/@+=~-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 160)
  return id === '' ? undefined : id
}

/** A span of a tool call: `execute_tool` of the GenAI conventions, or `tools/call` of MCP's. */
export interface ToolCall {
  readonly span: Span
  /** In a form that events can hold. */
  readonly tool: string
  /** Whether an MCP client or server reports it: the framework around may report the same call. */
  readonly isMcp: boolean
  readonly description: string | undefined
  /** Undefined if the instrumentation does not record arguments, which is opt-in. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  readonly result: unknown
  readonly outcome: 'ok' | 'error'
}

/** The tool call that `span` reports; undefined for any other span. */
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

/** A name that events can hold. A call without a name counts as an unknown tool. */
function toolNameOf(name: string | undefined): string {
  return name?.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, NAME_MAX) ?? 'unknown'
}

function argumentsOf(attributes: Attributes): Readonly<Record<string, unknown>> | undefined {
  const reported = jsonOr(attributes.get('gen_ai.tool.call.arguments'))
  if (reported === undefined) return undefined
  const isMap = typeof reported === 'object' && reported !== null && !Array.isArray(reported)
  return isMap ? { ...reported } : { value: reported }
}

/** SDKs whose attributes cannot hold maps record them as JSON. */
function jsonOr(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  return parseJson(value) ?? value
}
