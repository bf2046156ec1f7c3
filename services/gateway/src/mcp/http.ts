import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { Principal } from '../auth/principals.js'
import type { GatewayPlugin } from '../context.js'
import { readJson } from '../http/exact-json.js'
import { queueOf } from './approvals.js'
import { callerOfRequest, createConversation } from './caller.js'
import { type McpProxy, type McpProxyOptions, createMcpProxy } from './proxy.js'

/** The rest is the gateway's own. */
export type McpPluginOptions = Omit<McpProxyOptions, 'clientOf' | 'sessions' | 'logger' | 'metrics'>

/** The address of the proxy. */
const PATH = '/mcp'

/** MCP over Streamable HTTP, in both eras: with connections for 2025-11-25, each request by itself for 2026-07-28. */
export function createMcpPlugin(options: McpPluginOptions): GatewayPlugin {
  return (app, { clientOf, sessions, approvals, principalOf, logger: parent, metrics }) => {
    const logger = parent.child({ part: 'mcp' })
    const queue = options.queue ?? (approvals && queueOf(approvals))
    const proxy = createMcpProxy({ ...options, queue, clientOf, sessions, logger, metrics })
    const { limits, toolNames } = proxy
    const principals = new WeakMap<Request, Principal>()
    const legacy = createLegacyConnections(proxy)
    const modern = createMcpHandler(
      ({ requestInfo }) => {
        const principal = requestInfo && principals.get(requestInfo)
        if (!principal) throw new Error('a request without a principal')
        const asksUser = principal.trust === 'host'
        return proxy.createServer(callerOfRequest({ sessions, principal, asksUser, limits, toolNames }))
      },
      {
        legacy: 'reject',
        maxRequestBodySize: limits.messageBytesMax,
        onerror: (error) => logger.debug('an MCP request was refused', { error }),
      },
    )
    const forget = proxy.onToolsChanged(() => modern.notify.toolsChanged())
    app.addHook('onClose', async () => {
      forget()
      await Promise.all([legacy.close(), modern.close()])
      await proxy.close()
    })
    readJson(app)
    app.all(PATH, async (request, reply) => {
      const principal = principalOf(request)
      const node = toNodeHandler({
        fetch: async (webRequest, fetchOptions) => {
          principals.set(webRequest, principal)
          const isLegacy = await isLegacyRequest(webRequest, fetchOptions?.parsedBody)
          return isLegacy
            ? legacy.fetch(webRequest, principal, fetchOptions?.parsedBody)
            : modern.fetch(webRequest, fetchOptions)
        },
      })
      reply.hijack()
      await node(asNodeRequest(request.raw), reply.raw, request.body)
    })
  }
}

/** Node types both as optional, but a server's requests always have them. */
function asNodeRequest(raw: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = PATH } = raw
  return Object.assign(raw, { method, url })
}

interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly principal: Principal
  usedAt: number
}

const SWEEPS_PER_IDLE = 10

/** Connections of clients of the 2025 era: each has an id in its requests, and is a session. */
function createLegacyConnections({ createServer, onToolsChanged, sessions, limits, toolNames }: McpProxy) {
  /** By id, least recently used first. */
  const connections = new Map<string, Connection>()
  const sweeper = setInterval(sweep, Math.max(1_000, limits.idleMs / SWEEPS_PER_IDLE)).unref()

  async function open(principal: Principal): Promise<WebStandardStreamableHTTPServerTransport> {
    const asksUser = principal.trust === 'host'
    const conversation = createConversation({ sessions, principal, asksUser, limits, toolNames })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: limits.messageBytesMax,
      onsessioninitialized: (id) => {
        connections.set(id, { transport, principal, usedAt: Date.now() })
        // Others of the principal may have opened at the same time.
        void closeOldest(principal, limits.connectionsOfOneMax)
      },
    })
    const server = createServer(conversation.callerOf)
    const forget = onToolsChanged(() => void server.sendToolListChanged().catch(() => {}))
    const onclose = () => {
      forget()
      if (transport.sessionId !== undefined) connections.delete(transport.sessionId)
      void conversation.end()
    }
    Object.assign(server, { onclose })
    await server.connect(transport)
    return transport
  }

  /** Makes room at the cost of the principal's own least recently used connection, never of another principal's. */
  async function makeRoom(principal: Principal): Promise<void> {
    const isFull = connections.size >= limits.connectionsMax
    await closeOldest(principal, limits.connectionsOfOneMax - 1)
    if (isFull && connections.size >= limits.connectionsMax)
      await closeOldest(principal, ownOf(principal).length - 1)
  }

  const ownOf = (principal: Principal): readonly Connection[] =>
    [...connections.values()].filter((connection) => isOf(connection, principal))

  async function closeOldest(principal: Principal, keptMax: number): Promise<void> {
    const own = ownOf(principal)
    for (const { transport } of own.slice(0, Math.max(0, own.length - keptMax))) await transport.close()
  }

  function sweep(): void {
    for (const { transport, usedAt } of connections.values())
      if (Date.now() - usedAt > limits.idleMs) void transport.close()
  }

  return {
    /** Answers one request of `principal`. */
    fetch: async (request: Request, principal: Principal, parsedBody: unknown): Promise<Response> => {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const connection = connections.get(id)
        // The same answer for another principal's connection and for an unknown one.
        if (!connection || !isOf(connection, principal)) return answer(404, -32001, 'Session not found')
        connection.usedAt = Date.now()
        connections.delete(id)
        connections.set(id, connection)
        return connection.transport.handleRequest(request, { parsedBody })
      }
      if (request.method !== 'POST') return answer(400, -32000, 'Bad Request: Session ID required')
      await makeRoom(principal)
      if (connections.size >= limits.connectionsMax)
        return answer(503, -32000, 'the gateway has as many MCP connections as it may: try again later')
      const transport = await open(principal)
      const response = await transport.handleRequest(request, { parsedBody })
      // Not an `initialize`, so nothing was opened.
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    close: async (): Promise<void> => {
      clearInterval(sweeper)
      await Promise.all([...connections.values()].map(({ transport }) => transport.close()))
    },
  }
}

const isOf = ({ principal }: Connection, { name, tenant }: Principal): boolean =>
  principal.name === name && principal.tenant === tenant

function answer(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
