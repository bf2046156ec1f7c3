import { createHash } from 'node:crypto'
import { idSchema } from '@plimsoll/contracts'
import type { ToolCall } from './tool-call.js'
import type { Trace } from './trace.js'

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
