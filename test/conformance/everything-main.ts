import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  validateHostHeader,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createEverythingServer } from './everything-server.js'

// The everything server as a process: on standard input and output, or with `--http` on a free port, which it prints.
if (process.argv.includes('--http')) serveHttp()
else
  serveStdio(() =>
    createEverythingServer((server) => ({
      toolsChanged: () => void server.sendToolListChanged(),
      promptsChanged: () => void server.sendPromptListChanged(),
    })),
  )

function serveHttp(): void {
  const modern = createMcpHandler(() => createEverythingServer(() => modern.notify), { legacy: 'reject' })
  const connections = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function connectionOf(request: Request): Promise<WebStandardStreamableHTTPServerTransport> {
    const known = connections.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void connections.set(id, transport),
    })
    const server = createEverythingServer(() => ({
      toolsChanged: () => void server.sendToolListChanged(),
      promptsChanged: () => void server.sendPromptListChanged(),
    }))
    await server.connect(transport)
    return transport
  }

  const node = toNodeHandler({
    fetch: async (request, { parsedBody } = {}) => {
      if (!validateHostHeader(request.headers.get('host'), localhostAllowedHostnames()).ok)
        return new Response('unknown host', { status: 403 })
      if (await isLegacyRequest(request, parsedBody))
        return (await connectionOf(request)).handleRequest(request, { parsedBody })
      return modern.fetch(request, { parsedBody })
    },
  })
  const server = createServer((request, response) => {
    node(asNodeRequest(request), response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
  })
}

function asNodeRequest(raw: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = '/' } = raw
  return Object.assign(raw, { method, url })
}
