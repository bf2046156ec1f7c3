import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Members } from '../mcp/rpc/messages.js'

/** A message as it reached a server. */
export interface Raw {
  readonly id?: number
  readonly method: string
  readonly params?: Members
}

/** A server of the 2025 era over HTTP that says whatever a test wants. */
export interface RawServer {
  readonly url: string
  /** All messages but those of the handshake. */
  readonly reached: readonly Raw[]
}

/** `listed`: the result of `tools/list`. `answer` returns the `result` or `error` of a response. */
export async function startRawServer(
  test: { after(release: () => Promise<void>): void },
  listed: Members,
  answer: (message: Raw) => Members,
): Promise<RawServer> {
  const reached: Raw[] = []
  const responseTo = (message: Raw): Members => {
    if (message.method === 'initialize')
      return {
        result: {
          protocolVersion: '2025-11-25',
          serverInfo: { name: 'raw', version: '1' },
          capabilities: { tools: {}, resources: {}, prompts: {}, tasks: {} },
        },
      }
    reached.push(message)
    return message.method === 'tools/list' ? { result: listed } : answer(message)
  }
  const http = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    void text(request).then((body) => {
      const message = JSON.parse(body) as Raw
      const isHandshake =
        message.method === 'notifications/initialized' || message.method === 'server/discover'
      const said = isHandshake ? { error: { code: -32_601, message: 'no' } } : responseTo(message)
      if (message.id === undefined) return response.writeHead(202).end()
      response.setHeader('content-type', 'application/json')
      response.setHeader('mcp-session-id', 'raw')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said }))
    })
  })
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  test.after(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => {
      http.close(resolve)
    })
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, reached }
}
