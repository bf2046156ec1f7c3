import {
  type Server,
  type ServerContext,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Principal } from '../auth/principals.js'
import type { HeldSession, OpenTerms, SessionRegistry } from '../sessions/session-registry.js'
import type { Caller } from './approvals.js'
import type { McpLimits } from './limits.js'
import { CONVERSATION_KEY, MESSAGE_KEY, SESSION_KEY, TASK_KEY, USER_KEY, metaOf, textIn } from './meta.js'

/** In the 2026 era each request repeats what a client is; in the 2025 era the handshake states it. */
const capabilitiesSchema = z.object({ elicitation: z.record(z.string(), z.unknown()).optional() })
const infoSchema = z.object({ name: z.string() })

/** Whether the client of a call can ask its user in a form. */
function canElicit(context: ServerContext, server: Server): boolean {
  const capabilities = inEnvelope(context, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities()
  const elicitation = capabilitiesSchema.safeParse(capabilities).data?.elicitation
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
}

/** The client's name as an id; undefined if nothing of it is left. */
function agentOf(context: ServerContext, server: Server): string | undefined {
  const info = inEnvelope(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion()
  const id = infoSchema
    .safeParse(info)
    .data?.name.replaceAll(/[^A-Za-z0-9._:/@+=~-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 160)
  return id === '' ? undefined : id
}

function inEnvelope({ mcpReq }: ServerContext, key: string): unknown {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  return envelope[key]
}

const TOKEN_CHARS_MAX = 8_192
const NAME_CHARS_MAX = 200
const TASK_CHARS_MAX = 8_192

/** Returns whose a call is. Rejects with `session_unknown` for a token of no session of the principal's. */
export type CallerOf = (context: ServerContext, server: Server) => Promise<Caller>

export interface CallerOptions {
  readonly sessions: SessionRegistry
  readonly principal: Principal
  /** Whether the client's user may be asked at all. */
  readonly asksUser: boolean
  readonly limits: Pick<McpLimits, 'idleMs' | 'sessionsOfOneMax'>
  /** Names of the tools that are offered now. */
  readonly toolNames: () => readonly string[] | undefined
}

interface Beginning {
  readonly terms: OpenTerms
  /** Only a host distinguishes users and conversations: an agent could invent some to forget what it has read. */
  readonly name: string
}

function beginningOf(context: ServerContext, server: Server, options: CallerOptions): Beginning {
  const { principal, limits, toolNames } = options
  const text = (key: string, max: number) => textIn(metaOf(context.mcpReq), key, max)
  const agent = agentOf(context, server)
  const conversation = text(CONVERSATION_KEY, NAME_CHARS_MAX)
  const user = text(USER_KEY, NAME_CHARS_MAX)
  const task = text(TASK_KEY, TASK_CHARS_MAX)
  const isHost = principal.trust === 'host'
  const own = isHost ? [user ?? null, conversation ?? null] : []
  return {
    name: `mcp\n${JSON.stringify(own)}`,
    terms: {
      start: async () => ({
        tools: toolNames,
        ...(principal.category !== undefined && { category: principal.category }),
        ...(agent !== undefined && { agent }),
        // Values named in an agent's own words must not count as its user's wish.
        ...(isHost && user !== undefined && { user }),
        ...(isHost && task !== undefined && { task }),
      }),
      idleMs: limits.idleMs,
      ofOneMax: limits.sessionsOfOneMax,
      // After a lost connection the same user continues with what the session has read.
      scope: { user, conversation },
    },
  }
}

/** Applies the session token and the user's message of a request. The message counts before the call is proposed. */
async function callerWith(
  options: CallerOptions,
  context: ServerContext,
  server: Server,
  open: () => Promise<HeldSession>,
): Promise<Caller> {
  const { sessions, principal, asksUser } = options
  const meta = metaOf(context.mcpReq)
  const token = textIn(meta, SESSION_KEY, TOKEN_CHARS_MAX)
  const held = await (token === undefined ? open() : sessions.find(principal, token))
  const message = textIn(meta, MESSAGE_KEY, TASK_CHARS_MAX)
  if (message !== undefined && principal.trust === 'host') await held.session.instruct(message)
  return { held, canAsk: () => asksUser && canElicit(context, server) }
}

/** For requests without a connection: their metadata names the session. */
export function callerOfRequest(options: CallerOptions): CallerOf {
  const { sessions, principal } = options
  return (context, server) =>
    callerWith(options, context, server, () => {
      const { name, terms } = beginningOf(context, server, options)
      return sessions.findOrOpen(principal, name, terms)
    })
}

/** For a connection, which is a session unless a request names another one. */
export function createConversation(options: CallerOptions) {
  const { sessions, principal } = options
  let own: Promise<HeldSession> | undefined

  function open(context: ServerContext, server: Server): Promise<HeldSession> {
    if (own) return own
    const opening = sessions.open(principal, beginningOf(context, server, options).terms)
    opening.catch(() => (own = undefined))
    return (own = opening)
  }

  const callerOf: CallerOf = (context, server) =>
    callerWith(options, context, server, () => open(context, server))
  return {
    callerOf,
    end: async (): Promise<void> => {
      const held = await own?.catch(() => undefined)
      if (held) await sessions.endQuietly(held, 'completed')
    },
  }
}
