import type { IncomingMessage } from 'node:http'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { Principal } from '../../auth/principals-file.js'
import type { GatewayPlugin } from '../../context.js'
import { readJson } from '../../json/exact-json.js'
import { type McpProxyOptions, createMcpProxy } from '../proxy.js'
import { createProxyServer } from '../server.js'
import { callerOfRequest } from '../session/caller.js'
import { createLegacySessions } from './legacy-sessions.js'

/** Client, logger and metrics are the gateway's own. */
export type McpPluginOptions = Omit<McpProxyOptions, 'clientOf' | 'logger' | 'metrics'>

/** Where MCP clients find the proxy. */
const PATH = '/mcp'

/** MCP over Streamable HTTP, in both eras: with sessions for 2025-11-25, each request by itself for 2026-07-28. */
export function createMcpPlugin(options: McpPluginOptions): GatewayPlugin {
  return (app, { clientOf, principalOf, logger: all, metrics }) => {
    const logger = all.child({ part: 'mcp' })
    const proxy = createMcpProxy({ ...options, clientOf, logger, metrics })
    const { toolset, respond, verify, sessions: registry, limits } = proxy
    const principals = new WeakMap<Request, Principal>()
    const legacy = createLegacySessions(proxy)
    const modern = createMcpHandler(
      ({ requestInfo }) => {
        const principal = requestInfo && principals.get(requestInfo)
        if (!principal) throw new Error('a request without a principal')
        const callerOf = callerOfRequest({
          sessions: registry,
          principal,
          asksUser: principal.trust === 'host',
        })
        return createProxyServer({ toolset, respond, verify, callerOf })
      },
      {
        legacy: 'reject',
        maxRequestBodySize: limits.messageBytesMax,
        onerror: (error) => logger.debug('an MCP request was refused', { error }),
      },
    )
    const forget = toolset.onChanged(() => modern.notify.toolsChanged())
    app.addHook('onClose', async () => {
      forget()
      await Promise.all([legacy.close(), modern.close()])
      await proxy.close()
    })
    readJson(app)
    app.all(PATH, async (request, reply) => {
      const principal = principalOf(request)
      const node = toNodeHandler({
        fetch: async (webRequest, options) => {
          principals.set(webRequest, principal)
          const isLegacy = await isLegacyRequest(webRequest, options?.parsedBody)
          return isLegacy
            ? legacy.fetch(webRequest, principal, options?.parsedBody)
            : modern.fetch(webRequest, options)
        },
      })
      reply.hijack()
      await node(asNodeRequest(request.raw), reply.raw, request.body)
    })
  }
}

/** What the adapter reads of a request; Node types both as perhaps missing, which on a server's side they never are. */
function asNodeRequest(raw: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = PATH } = raw
  return Object.assign(raw, { method, url })
}
