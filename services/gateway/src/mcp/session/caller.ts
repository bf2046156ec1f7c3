import type { Caller } from '../call/approvals.js'
import {
  type Server,
  type ServerContext,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Principal } from '../../auth/principals-file.js'
import { CONVERSATION_KEY, MESSAGE_KEY, SESSION_KEY, TASK_KEY, USER_KEY, metaOf, textIn } from '../meta.js'
import { type Beginning, type McpSession, agentId } from './mcp-session.js'
import type { McpSessionRegistry } from './session-registry.js'

/** What is read of a client here; of the 2026 era each request tells it again, of the 2025 era the handshake has. */
const capabilitiesSchema = z.object({ elicitation: z.record(z.string(), z.unknown()).optional() })
const infoSchema = z.object({ name: z.string() })

/** Whether the client of a call can ask its user in a form. */
export function canElicit(context: ServerContext, server: Server): boolean {
  const reported = inEnvelope(context, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities()
  const elicitation = capabilitiesSchema.safeParse(reported).data?.elicitation
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
}

/** What the client of a call says it is. */
export function clientName(context: ServerContext, server: Server): string | undefined {
  const reported = inEnvelope(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion()
  return infoSchema.safeParse(reported).data?.name
}

function inEnvelope({ mcpReq }: ServerContext, key: string): unknown {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  return envelope[key]
}

const TOKEN_CHARS_MAX = 8_192
const NAME_CHARS_MAX = 200
const TASK_CHARS_MAX = 8_192

/** Whose a call is, by what it brings along. Rejects with `session_state_lost` for the token of no session of the principal's. */
export type CallerOf = (context: ServerContext, server: Server) => Promise<Caller>

export interface CallerOptions {
  readonly sessions: McpSessionRegistry
  readonly principal: Principal
  /** Whether the client's user may be asked at all. */
  readonly asksUser: boolean
}

/** For requests that nothing holds together but what each of them says. */
export function callerOfRequest(options: CallerOptions): CallerOf {
  const { sessions: registry, principal } = options
  return async (context, server) => {
    const { _meta } = context.mcpReq
    const token = textIn(_meta, SESSION_KEY, TOKEN_CHARS_MAX)
    const seat =
      token === undefined
        ? await registry.of(principal, beginningOf(context, server))
        : await registry.ofToken(principal, token)
    return callerAt(seat, context, server, options)
  }
}

/** What the user has said since counts before the call is asked about. A call that comes again says nothing new. */
async function callerAt(
  seat: McpSession,
  context: ServerContext,
  server: Server,
  { principal, asksUser }: CallerOptions,
): Promise<Caller> {
  const message = textIn(metaOf(context.mcpReq), MESSAGE_KEY, TASK_CHARS_MAX)
  if (message !== undefined && principal.trust === 'host') await seat.session.instruct(message)
  return { session: seat, token: seat.token, canAsk: () => asksUser && canElicit(context, server) }
}

/** A connection is a session; a request that shows another's token is that one's all the same. */
export interface Conversation {
  readonly callerOf: CallerOf
  end(outcome: 'completed' | 'cancelled'): Promise<void>
}

export function createConversation(options: CallerOptions): Conversation {
  const { sessions: registry, principal } = options
  let held: Promise<McpSession> | undefined

  function hold(context: ServerContext, server: Server): Promise<McpSession> {
    if (held) return held
    const holding = registry.hold(principal, beginningOf(context, server))
    holding.catch(() => (held = undefined))
    return (held = holding)
  }

  return {
    callerOf: async (context, server) => {
      const token = textIn(metaOf(context.mcpReq), SESSION_KEY, TOKEN_CHARS_MAX)
      const seat = await (token === undefined ? hold(context, server) : registry.ofToken(principal, token))
      return callerAt(seat, context, server, options)
    },
    end: async (outcome) => {
      const seat = await held?.catch(() => undefined)
      if (seat) await registry.end(seat, outcome)
    },
  }
}

const beginningOf = (context: ServerContext, server: Server): Beginning => ({
  agent: agentId(clientName(context, server)),
  conversation: textIn(metaOf(context.mcpReq), CONVERSATION_KEY, NAME_CHARS_MAX),
  user: textIn(metaOf(context.mcpReq), USER_KEY, NAME_CHARS_MAX),
  task: textIn(metaOf(context.mcpReq), TASK_KEY, TASK_CHARS_MAX),
})
