import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

/** A call as it reached a server. */
export interface Reached {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

/** An MCP server over HTTP, of both eras, whose tools a test can change. */
export interface UpstreamServer {
  readonly url: string
  /** What it lists. */
  tools: readonly Tool[]
  /** What it answers. */
  answer: (call: Reached, context: ServerContext) => CallToolResult | Promise<CallToolResult>
  readonly reached: readonly Reached[]
  /** Notifies its clients that its list has changed. */
  reportChanged(): void
}

export const toolOf = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
})

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

export async function startUpstream(
  test: { after(release: () => Promise<void>): void },
  tools: readonly Tool[],
): Promise<UpstreamServer> {
  const reached: Reached[] = []
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'upstream', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    )
    server.setRequestHandler('tools/list', () => ({ tools: [...upstream.tools] }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const { _meta: meta = {} } = context.mcpReq
      const call = { name: params.name, args: params.arguments ?? {}, meta }
      reached.push(call)
      return upstream.answer(call, context)
    })
    return server
  })
  const node = toNodeHandler(handler)
  const http = createHttpServer((request, response) => {
    node(asNodeRequest(request), response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  test.after(async () => {
    await handler.close()
    http.closeAllConnections()
    await new Promise((resolve) => {
      http.close(resolve)
    })
  })
  const { port } = http.address() as AddressInfo
  const upstream: UpstreamServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    tools,
    answer: ({ name }) => textResult(`${name} is done`),
    reached,
    reportChanged: () => handler.notify.toolsChanged(),
  }
  return upstream
}

function asNodeRequest(raw: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = '/' } = raw
  return Object.assign(raw, { method, url })
}
