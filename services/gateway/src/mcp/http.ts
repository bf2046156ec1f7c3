import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Principal } from '../auth/principals.js'
import type { GatewayPlugin } from '../context.js'
import { readJson } from '../http/exact-json.js'
import { queueOf } from './approvals.js'
import { serveLegacy } from './client/legacy-connection.js'
import { createModernRequests, errorResponse, routeOf } from './modern-http.js'
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
    const legacy = createLegacyConnections(proxy)
    const modern = createModernRequests(proxy)
    app.addHook('onClose', async () => {
      await Promise.all([legacy.close(), modern.close()])
      await proxy.close()
    })
    readJson(app)
    app.all(PATH, async (request, reply) => {
      const principal = principalOf(request)
      const node = toNodeHandler({
        fetch: async (webRequest, fetchOptions) => {
          if (isFromElsewhere(request.raw)) return errorResponse(403, null, FROM_ELSEWHERE)
          const body = fetchOptions?.parsedBody
          const route = routeOf(webRequest, body)
          if (route.kind === 'legacy') return legacy.fetch(webRequest, principal, body)
          if (route.kind === 'modern') return modern.fetch(webRequest, route.message, principal)
          const { httpStatus, code, message, data } = route
          const { id } = Object(body) as { readonly id?: unknown }
          return errorResponse(httpStatus, id, { code, message, ...(data !== undefined && { data }) })
        },
      })
      reply.hijack()
      await node(asNodeRequest(request.raw), reply.raw, request.body)
    })
  }
}

const FROM_ELSEWHERE = { code: -32_000, message: 'a page of another site may not use this address' }

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a browser sends this for a page of another site to an address of this machine (DNS rebinding). A proxy on this machine says
 * that it passes on others' requests.
 */
function isFromElsewhere({ socket, headers }: IncomingMessage): boolean {
  const { origin, forwarded, 'x-forwarded-for': forwardedFor } = headers
  const isLocal = socket.localAddress?.endsWith('127.0.0.1') === true || socket.localAddress === '::1'
  if (!isLocal || origin === undefined || forwarded !== undefined || forwardedFor !== undefined) return false
  return !URL.canParse(origin) || !LOCAL_NAMES.has(new URL(origin).hostname)
}

/** Node types both as optional, but a server's requests always have them. */
function asNodeRequest(raw: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = PATH } = raw
  return Object.assign(raw, { method, url })
}

interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly close: () => Promise<void>
  readonly principal: Principal
  usedAt: number
}

const SWEEPS_PER_IDLE = 10

/** Connections of clients of the 2025 era: each has an id in its requests, and is a session. */
function createLegacyConnections(proxy: McpProxy) {
  const { sessions, limits } = proxy
  /** By id, least recently used first. */
  const connections = new Map<string, Connection>()
  const sweeper = setInterval(sweep, Math.max(1_000, limits.idleMs / SWEEPS_PER_IDLE)).unref()

  async function open(principal: Principal): Promise<WebStandardStreamableHTTPServerTransport> {
    const asksUser = principal.trust === 'host'
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: limits.messageBytesMax,
      onsessioninitialized: (id) => {
        connections.set(id, { transport, close, principal, usedAt: Date.now() })
        // Others of the principal may have opened at the same time.
        void closeOldest(principal, limits.connectionsOfOneMax)
      },
    })
    const close = await serveLegacy(transport, { proxy, sessions, principal, asksUser, limits }, () => {
      if (transport.sessionId !== undefined) connections.delete(transport.sessionId)
    })
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
    for (const { close } of own.slice(0, Math.max(0, own.length - keptMax))) await close()
  }

  function sweep(): void {
    for (const { close, usedAt } of connections.values())
      if (Date.now() - usedAt > limits.idleMs) void close()
  }

  return {
    /** Answers one request of `principal`. */
    fetch: async (request: Request, principal: Principal, parsedBody: unknown): Promise<Response> => {
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const connection = connections.get(id)
        // The same answer for another principal's connection and for an unknown one.
        if (!connection || !isOf(connection, principal))
          return errorResponse(404, null, { code: -32_001, message: 'Session not found' })
        connection.usedAt = Date.now()
        connections.delete(id)
        connections.set(id, connection)
        return connection.transport.handleRequest(request, { parsedBody })
      }
      if (request.method !== 'POST')
        return errorResponse(400, null, { code: -32_000, message: 'Bad Request: Session ID required' })
      await makeRoom(principal)
      if (connections.size >= limits.connectionsMax)
        return errorResponse(503, null, {
          code: -32_000,
          message: 'the gateway has as many MCP connections as it may: try again later',
        })
      const transport = await open(principal)
      const response = await transport.handleRequest(request, { parsedBody })
      // Not an `initialize`, so nothing was opened.
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    close: async (): Promise<void> => {
      clearInterval(sweeper)
      await Promise.all([...connections.values()].map(({ close }) => close()))
    },
  }
}

const isOf = ({ principal }: Connection, { name, tenant }: Principal): boolean =>
  principal.name === name && principal.tenant === tenant
