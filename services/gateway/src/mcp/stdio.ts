import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Principal } from '../auth/principals.js'
import { createConversation } from './caller.js'
import { createExactLines } from './exact-lines.js'
import type { McpProxy } from './proxy.js'

/** Error code of JSON-RPC. */
const INVALID_REQUEST = -32_600

export interface StdioOptions {
  readonly proxy: McpProxy
  /** On whose behalf the client acts. */
  readonly principal: Principal
  /** Whether the client's user may be asked. Not for an agent without a host: it would answer in its user's name. */
  readonly asksUser: boolean
  readonly input?: Readable
  readonly output?: Writable
}

export interface StdioService {
  /** Resolves when the client has gone and its session is ended. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one MCP client of either era over standard input and output: the connection is the session. */
export function serveMcpStdio(options: StdioOptions): StdioService {
  const { proxy, principal, asksUser, input: source = process.stdin, output = process.stdout } = options
  const { sessions, limits, toolNames } = proxy
  const conversation = createConversation({ sessions, principal, asksUser, limits, toolNames })
  const exact = createExactLines({
    lineBytesMax: limits.messageBytesMax,
    onRefused: (id, message) =>
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`),
  })
  source.pipe(exact)
  source.once('close', () => exact.end())
  const transport = new StdioServerTransport(exact, output, { maxBufferSize: limits.messageBytesMax })
  const handle = serveStdio(
    () => {
      const server = proxy.createServer(conversation.callerOf)
      const forget = proxy.onToolsChanged(() => void server.sendToolListChanged().catch(() => {}))
      return Object.assign(server, { onclose: forget })
    },
    { transport },
  )
  const gone = new Promise<void>((resolve) => {
    const { onclose } = transport
    Object.assign(transport, {
      onclose: () => {
        onclose?.()
        resolve()
      },
    })
  })
  const closed = gone.then(() => {
    // An input that is still read would keep the process alive.
    source.unpipe(exact)
    source.pause()
    return conversation.end()
  })
  return {
    closed,
    close: async () => {
      await handle.close()
      await closed
    },
  }
}
