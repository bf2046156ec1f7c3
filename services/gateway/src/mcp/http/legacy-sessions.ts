import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Principal } from '../../auth/principals-file.js'
import type { McpProxy } from '../proxy.js'
import { createProxyServer } from '../server.js'
import { createConversation } from '../session/caller.js'

/** Clients of the 2025 era: each connection of theirs has an id that it shows, and is a session. */
export interface LegacySessions {
  /** Answers one request of `principal`. */
  fetch(request: Request, principal: Principal, parsedBody: unknown): Promise<Response>
  close(): Promise<void>
}

interface Held {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly principal: Principal
  usedAt: number
}

const SWEEPS_PER_IDLE = 10

export function createLegacySessions(proxy: McpProxy): LegacySessions {
  const { toolset, respond, verify, sessions: registry, limits } = proxy
  /** By their ids, in the order of their last use. */
  const sessions = new Map<string, Held>()
  const sweeper = setInterval(sweep, Math.max(1_000, limits.idleMs / SWEEPS_PER_IDLE))
  sweeper.unref()

  async function begin(principal: Principal): Promise<WebStandardStreamableHTTPServerTransport> {
    const conversation = createConversation({
      sessions: registry,
      principal,
      asksUser: principal.trust === 'host',
    })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: limits.messageBytesMax,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, principal, usedAt: Date.now() })
        // Others of the same principal may have begun in the same moment.
        void endOldest(principal, limits.connectionsOfOneMax)
      },
    })
    const server = createProxyServer({ toolset, respond, verify, callerOf: conversation.callerOf })
    const forget = toolset.onChanged(() => void server.sendToolListChanged().catch(() => {}))
    const onclose = () => {
      forget()
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
      void conversation.end('completed')
    }
    Object.assign(server, { onclose })
    await server.connect(transport)
    return transport
  }

  /** No principal shuts out another: its own session that was unused for longest ends, and its client begins another where it is still there. */
  async function makeRoom(principal: Principal): Promise<void> {
    const isFull = sessions.size >= limits.connectionsMax
    await endOldest(principal, limits.connectionsOfOneMax - 1)
    if (isFull && sessions.size >= limits.connectionsMax)
      await endOldest(principal, ownOf(principal).length - 1)
  }

  const ownOf = (principal: Principal): readonly Held[] =>
    [...sessions.values()].filter((held) => isOf(held, principal))

  async function endOldest(principal: Principal, keptMax: number): Promise<void> {
    const own = ownOf(principal)
    for (const { transport } of own.slice(0, Math.max(0, own.length - keptMax))) await transport.close()
  }

  async function fetch(request: Request, principal: Principal, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const held = sessions.get(id)
      // Another's session is answered as one that there is none of.
      if (!held || !isOf(held, principal)) return answer(404, -32001, 'Session not found')
      held.usedAt = Date.now()
      sessions.delete(id)
      sessions.set(id, held)
      return held.transport.handleRequest(request, { parsedBody })
    }
    if (request.method !== 'POST') return answer(400, -32000, 'Bad Request: Session ID required')
    await makeRoom(principal)
    if (sessions.size >= limits.connectionsMax)
      return answer(503, -32000, 'the gateway has as many MCP sessions as it holds: try again later')
    const transport = await begin(principal)
    const response = await transport.handleRequest(request, { parsedBody })
    // It was no `initialize`, and there is nothing to hold.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  function sweep(): void {
    for (const { transport, usedAt } of sessions.values())
      if (Date.now() - usedAt > limits.idleMs) void transport.close()
  }

  return {
    fetch,
    close: async () => {
      clearInterval(sweeper)
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
    },
  }
}

const isOf = ({ principal }: Held, { name, tenant }: Principal): boolean =>
  principal.name === name && principal.tenant === tenant

function answer(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
