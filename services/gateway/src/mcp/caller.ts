import type { Principal } from '../auth/principals.js'
import type { HeldSession, OpenTerms, SessionRegistry } from '../sessions/session-registry.js'
import type { Caller } from './approvals.js'
import type { Exchange } from './client/exchange.js'
import type { McpLimits } from './limits.js'
import { CONVERSATION_KEY, MESSAGE_KEY, SESSION_KEY, TASK_KEY, USER_KEY, textIn } from './meta.js'
import { isObject, metaIn, textMember } from './rpc/messages.js'

/** Whether the client of a call can ask its user in a form. */
function canElicit({ client }: Exchange): boolean {
  const elicitation = client.capabilities['elicitation']
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
}

/** The client's name as an id; undefined if nothing of it is left. */
function agentOf({ client }: Exchange): string | undefined {
  const id = textMember(client.info, 'name')
    ?.replaceAll(/[^A-Za-z0-9._:/@+=~-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 160)
  return id === '' ? undefined : id
}

const TOKEN_CHARS_MAX = 8_192
const NAME_CHARS_MAX = 200
const TASK_CHARS_MAX = 8_192

/** Returns whose a call is. Rejects with `session_unknown` for a token of no session of the principal's. */
export type CallerOf = (exchange: Exchange) => Promise<Caller>

export interface CallerOptions {
  readonly sessions: SessionRegistry
  readonly principal: Principal
  /** Whether the client's user may be asked at all. */
  readonly asksUser: boolean
  readonly limits: Pick<McpLimits, 'idleMs' | 'sessionsOfOneMax'>
}

/** Names of the tools that a client is offered now. */
export type ToolNames = () => readonly string[] | undefined

interface Beginning {
  readonly terms: OpenTerms
  /** Only a host distinguishes users and conversations: an agent could invent some to forget what it has read. */
  readonly name: string
}

function beginningOf(exchange: Exchange, toolNames: ToolNames, options: CallerOptions): Beginning {
  const { principal, limits } = options
  const text = (key: string, max: number) => textIn(metaIn(exchange.params), key, max)
  const agent = agentOf(exchange)
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
      scope: isHost ? { user, conversation } : {},
    },
  }
}

/** Applies the session token and the user's message of a request. The message counts before the call is proposed. */
async function callerWith(
  options: CallerOptions,
  exchange: Exchange,
  open: () => Promise<HeldSession>,
): Promise<Caller> {
  const { sessions, principal, asksUser } = options
  const meta = metaIn(exchange.params)
  const token = textIn(meta, SESSION_KEY, TOKEN_CHARS_MAX)
  const held = await (token === undefined ? open() : sessions.find(principal, token))
  const message = textIn(meta, MESSAGE_KEY, TASK_CHARS_MAX)
  if (message !== undefined && principal.trust === 'host') await held.session.instruct(message)
  return { held, canAsk: () => asksUser && canElicit(exchange) }
}

/** For requests without a connection: their metadata names the session. */
export function callerOfRequest(options: CallerOptions, toolNames: ToolNames): CallerOf {
  const { sessions, principal } = options
  return (exchange) =>
    callerWith(options, exchange, () => {
      const { name, terms } = beginningOf(exchange, toolNames, options)
      return sessions.findOrOpen(principal, name, terms)
    })
}

/** For a connection, which is a session unless a request names another one. */
export function createConversation(options: CallerOptions, toolNames: ToolNames) {
  const { sessions, principal } = options
  let own: Promise<HeldSession> | undefined

  function open(exchange: Exchange): Promise<HeldSession> {
    if (own) return own
    const opening = sessions.open(principal, beginningOf(exchange, toolNames, options).terms)
    opening.catch(() => (own = undefined))
    return (own = opening)
  }

  const callerOf: CallerOf = (exchange) => callerWith(options, exchange, () => open(exchange))
  return {
    callerOf,
    end: async (): Promise<void> => {
      const held = await own?.catch(() => undefined)
      if (held) await sessions.endQuietly(held, 'completed')
    },
  }
}
