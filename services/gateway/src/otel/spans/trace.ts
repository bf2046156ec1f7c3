import type { Span } from '../otlp/span.js'
import type { ToolCall } from './tool-call.js'

/** What is kept of one span. */
interface Known {
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
  isToldElsewhere(call: ToolCall): boolean
  tell(call: ToolCall): void
  /** Where calls without a conversation go: it stays, so that they stay together. */
  fallback: string | undefined
}

/** Spans around a call that are looked at. */
const AROUND_MAX = 32

export function createTrace(spansMax: number): Trace {
  const spans = new Map<string, Known>()
  /** By the spans around them, tools of calls that were told. */
  const toldWithin = new Map<string, Pick<ToolCall, 'tool' | 'isMcp'>[]>()
  let conversation: string | undefined
  let agent: string | undefined
  let isAgents = false

  function* around(call: ToolCall): Generator<readonly [string, Known | undefined]> {
    let id = call.span.parentId
    for (let i = 0; i < AROUND_MAX && id !== undefined; i++) {
      const known = spans.get(id)
      yield [id, known]
      id = known?.parentId
    }
  }

  /** The spans around `call` up to the agent that runs it. */
  function* withinAgent(call: ToolCall): Generator<readonly [string, Known | undefined]> {
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
    isToldElsewhere: (call) => {
      const within = toldWithin.get(call.span.spanId) ?? []
      if (within.some((told) => isSameCall(told, call))) return true
      for (const [, known] of withinAgent(call)) if (known?.call && isSameCall(known.call, call)) return true
      return false
    },
    tell: (call) => {
      for (const [id] of withinAgent(call)) {
        const told = toldWithin.get(id) ?? []
        if (told.length < spansMax) told.push({ tool: call.tool, isMcp: call.isMcp })
        if (toldWithin.size < spansMax) toldWithin.set(id, told)
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
