import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  ProtocolErrorCode,
  classifyInboundRequest,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../auth/principals.js'
import { callerOfRequest } from './caller.js'
import { clientIn } from './client/modern-requests.js'
import { createSuspensions } from './client/suspensions.js'
import type { View } from './client/view.js'
import type { McpProxy } from './proxy.js'
import { type Members, MODERN, errorOf, invalid, isObject, textMember } from './rpc/messages.js'
import { type Peer, createPeer } from './rpc/peer.js'

/** Statuses of responses that are errors; 200 for the others. Source: the Streamable HTTP transport of 2026-07-28. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [ProtocolErrorCode.MethodNotFound, 404],
  [ProtocolErrorCode.MissingRequiredClientCapability, 400],
  [ProtocolErrorCode.UnsupportedProtocolVersion, 400],
])

/** Headers that disagree with the body. */
const HEADER_MISMATCH = -32_020

type Route = ReturnType<typeof classifyInboundRequest>

/** Which era a request is of, or why it is refused. */
export const routeOf = (request: Request, body: unknown): Route =>
  classifyInboundRequest({
    httpMethod: request.method,
    ...headerOf(request, 'mcp-protocol-version', 'protocolVersionHeader'),
    ...headerOf(request, 'mcp-method', 'mcpMethodHeader'),
    ...headerOf(request, 'mcp-name', 'mcpNameHeader'),
    body,
  })

function headerOf<N extends string>(request: Request, header: string, name: N): Partial<Record<N, string>> {
  const value = request.headers.get(header)
  return value === null ? {} : ({ [name]: value } as Partial<Record<N, string>>)
}

/** Requests of the 2026 era over HTTP: each by itself, for the view of its principal. */
export function createModernRequests(proxy: McpProxy) {
  const { sessions, limits } = proxy
  const suspensions = createSuspensions({ suspendedMax: limits.suspendedMax })
  const views = new LRUCache<string, View>({
    max: limits.connectionsMax,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (view) => void view.close(),
  })
  const open = new Set<PerRequestHTTPServerTransport>()

  function viewOf(principal: Principal, params: Members): View {
    const key = JSON.stringify([principal.tenant, principal.name])
    const known = views.get(key)
    if (known) return known
    const asksUser = principal.trust === 'host'
    const view = proxy.createView({
      client: clientIn(params),
      callerOf: (toolNames) => callerOfRequest({ sessions, principal, asksUser, limits }, toolNames),
      notify: () => {},
      ask: () => Promise.reject(invalid('the client has no request in progress')),
    })
    views.set(key, view)
    return view
  }

  async function serve(request: Request, message: JSONRPCRequest, principal: Principal): Promise<Response> {
    const transport = new PerRequestHTTPServerTransport({
      classification: { era: 'modern', revision: MODERN },
    })
    let status = 200
    const peer: Peer = createPeer({
      transport,
      onRequest: async ({ id, method, params, signal }) => {
        try {
          const client = clientIn(params)
          const notify = (sent: { method: string; params?: Members | undefined }) =>
            void peer.notify(sent, id).catch(() => {})
          const view = viewOf(principal, params)
          const owner = { principal: JSON.stringify([principal.tenant, principal.name]), client }
          return await suspensions.handle({ id, method, params, signal, notify }, owner, view.handle)
        } catch (cause) {
          status = STATUSES.get(Number(errorOf(cause)['code'])) ?? 200
          throw cause
        }
      },
      onNotification: () => {},
      onClose: () => open.delete(transport),
    })
    open.add(transport)
    await transport.start()
    const response = await transport.handleMessage(message, { request })
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
    if (status === 200 || isStream || response.status !== 200) return response
    return new Response(response.body, { status, headers: response.headers })
  }

  return {
    /** Answers a request or notification of the era. */
    fetch: async (
      request: Request,
      message: JSONRPCRequest | JSONRPCNotification,
      principal: Principal,
    ): Promise<Response> => {
      if (!('id' in message)) return new Response(null, { status: 202 })
      const { id, method } = message
      const params = isObject(message.params) ? message.params : {}
      const problem = mismatchOf(request, method, params)
      if (problem !== undefined) return errorResponse(400, id, { code: HEADER_MISMATCH, message: problem })
      try {
        clientIn(params)
      } catch (cause) {
        return errorResponse(400, id, errorOf(cause))
      }
      return serve(request, message, principal)
    },
    close: async (): Promise<void> => {
      suspensions.close()
      views.clear()
      await Promise.all([...open].map((transport) => transport.close()))
    },
  }
}

/** Which member the `Mcp-Name` header of a method repeats. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** How the headers disagree with the body, beyond what `routeOf` compares. */
function mismatchOf({ headers }: Request, method: string, params: Members): string | undefined {
  if (headers.get('mcp-protocol-version') === null) return 'the header MCP-Protocol-Version is missing'
  if (headers.get('mcp-method') === null) return 'the header Mcp-Method is missing'
  const member = NAMES.get(method)
  const named = member === undefined ? undefined : textMember(params, member)
  if (named === undefined) return undefined
  const header = headers.get('mcp-name')
  if (header === null) return 'the header Mcp-Name is missing'
  if (decoded(header.trim()) === named) return undefined
  return `the header Mcp-Name disagrees with \`${member}\` in the body`
}

const BASE64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** Texts that no header can hold are sent as Base64. */
function decoded(value: string): string {
  const base64 = BASE64.exec(value)?.[1]
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8')
}

export function errorResponse(status: number, id: unknown, error: Members): Response {
  return Response.json({ jsonrpc: '2.0', error, id: id ?? null }, { status })
}
