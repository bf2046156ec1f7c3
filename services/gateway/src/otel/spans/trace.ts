import { createHash } from 'node:crypto'
import { idSchema } from '@plimsoll/contracts'
import type { Attributes } from '../otlp/attributes.js'
import type { Span } from '../otlp/span.js'

/** What is kept of one span. */
interface KnownSpan {
  readonly parentId: string | undefined
  readonly conversation: string | undefined
  /** Where it is a tool's run. */
  readonly call: Pick<ToolCall, 'tool' | 'isMcp'> | undefined
  /** Whether an agent runs in it: what is below is that agent's doing. */
  readonly isAgent: boolean
}

/** What one trace has told so far. */
export interface Trace {
  /** Whether anything in it is an agent's, a model's or a tool's. */
  isAgents(): boolean
  learn(span: Span, call: ToolCall | undefined): void
  /** The name of the agent, as the span that came last tells it. */
  agent(): string | undefined
  /** Of the call itself, else of the nearest span around it, else the first that any span of the trace has told. */
  conversationOf(call: ToolCall): string | undefined
  /** Whether another span tells of the same call: one around it, or one within it that `tell` was called for. */
  isReportedElsewhere(call: ToolCall): boolean
  report(call: ToolCall): void
  /** Where calls without a conversation go: it stays, so that they stay together. */
  fallback: string | undefined
}

/** Spans around a call that are looked at. */
const AROUND_MAX = 32

export function createTrace(spansMax: number): Trace {
  const spans = new Map<string, KnownSpan>()
  /** By the spans around them, tools of calls that were told. */
  const reportedWithin = new Map<string, Pick<ToolCall, 'tool' | 'isMcp'>[]>()
  let conversation: string | undefined
  let agent: string | undefined
  let isAgents = false

  function* around(call: ToolCall): Generator<readonly [string, KnownSpan | undefined]> {
    let id = call.span.parentId
    for (let i = 0; i < AROUND_MAX && id !== undefined; i++) {
      const known = spans.get(id)
      yield [id, known]
      id = known?.parentId
    }
  }

  /** The spans around `call` up to the agent that runs it. */
  function* withinAgent(call: ToolCall): Generator<readonly [string, KnownSpan | undefined]> {
    for (const each of around(call)) {
      if (each[1]?.isAgent) return
      yield each
    }
  }

  return {
    isAgents: () => isAgents,
    agent: () => agent,
    fallback: undefined,
    learn: ({ spanId, parentId, attributes }, call) => {
      const own = attributes.text('gen_ai.conversation.id')
      const operation = attributes.text('gen_ai.operation.name')
      isAgents ||= call !== undefined || operation !== undefined
      conversation ??= own
      agent = attributes.text('gen_ai.agent.name') ?? agent
      if (spans.size >= spansMax) return
      const isAgent = operation === 'invoke_agent' || operation === 'create_agent'
      spans.set(spanId, { parentId, conversation: own, call, isAgent })
    },
    conversationOf: (call) => {
      const own = call.span.attributes.text('gen_ai.conversation.id')
      if (own !== undefined) return own
      for (const [, known] of around(call)) if (known?.conversation !== undefined) return known.conversation
      return conversation
    },
    isReportedElsewhere: (call) => {
      const within = reportedWithin.get(call.span.spanId) ?? []
      if (within.some((reported) => isSameCall(reported, call))) return true
      for (const [, known] of withinAgent(call)) if (known?.call && isSameCall(known.call, call)) return true
      return false
    },
    report: (call) => {
      for (const [id] of withinAgent(call)) {
        const reported = reportedWithin.get(id) ?? []
        if (reported.length < spansMax) reported.push({ tool: call.tool, isMcp: call.isMcp })
        if (reportedWithin.size < spansMax) reportedWithin.set(id, reported)
      }
    },
  }
}

type Named = Pick<ToolCall, 'tool' | 'isMcp'>

/** Frameworks put the server's name before the tool's: `files__read_file` is the `read_file` that MCP tells of. */
function isSameCall(a: Named, b: Named): boolean {
  if (a.tool === b.tool) return a.isMcp || b.isMcp
  if (a.isMcp === b.isMcp) return false
  const [plain, mcp] = a.isMcp ? [b.tool, a.tool] : [a.tool, b.tool]
  return plain.endsWith(mcp) && /[^A-Za-z0-9]$/.test(plain.slice(0, -mcp.length))
}

/** What tells which session a call belongs to. */
export type KeyedBy = 'conversation' | 'mcp_session' | 'trace'

export interface SessionKey {
  readonly by: KeyedBy
  readonly sessionId: string
}

/**
 * The session of `call`: that of its conversation, else of its MCP session, else of its trace. Calls of a trace of which one went by the
 * trace go by it from then on, but for those that tell a conversation themselves.
 */
export function sessionOf(call: ToolCall, trace: Trace, tenant: string): SessionKey {
  const { attributes, traceId } = call.span
  const own = attributes.text('gen_ai.conversation.id')
  const conversation = own ?? (trace.fallback === undefined ? trace.conversationOf(call) : undefined)
  if (conversation !== undefined) return { by: 'conversation', sessionId: idOf(tenant, conversation) }
  const mcpSession = attributes.text('mcp.session.id')
  if (mcpSession !== undefined && trace.fallback === undefined)
    return { by: 'mcp_session', sessionId: idOf(tenant, mcpSession) }
  trace.fallback ??= idOf(tenant, traceId)
  return { by: 'trace', sessionId: trace.fallback }
}

/** In a tenant of their own, no conversation can be another session of the fleet, whatever it is called. */
function idOf(tenant: string, name: string): string {
  const id = `${tenant}~${name}`
  if (idSchema.safeParse(id).success) return id
  return `${tenant}~${createHash('sha256').update(name).digest('hex')}`
}

/** `name` as an id that events can hold; undefined where there is none. */
export function agentIdOf(name: string | undefined): string | undefined {
  const id = name
    ?.replaceAll(/[^A-Za-z0-9._:/@+=~-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 160)
  return id === '' ? undefined : id
}

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
  const reported = jsonOr(attributes.get('gen_ai.tool.call.arguments'))
  if (reported === undefined) return undefined
  const isMap = typeof reported === 'object' && reported !== null && !Array.isArray(reported)
  return isMap ? { ...reported } : { value: reported }
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
