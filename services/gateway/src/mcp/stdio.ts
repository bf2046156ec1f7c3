import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Principal } from '../auth/principals-file.js'
import { createExactLines } from '../json/exact-lines.js'
import type { McpProxy } from './proxy.js'
import { createProxyServer } from './server.js'
import { createConversation } from './session/caller.js'

/** Of JSON-RPC. */
const INVALID_REQUEST = -32_600

export interface StdioOptions {
  readonly proxy: McpProxy
  /** On whose behalf the client at the other end speaks. */
  readonly principal: Principal
  /** Whether the client's user may be asked; an agent that speaks for itself would answer in his name. */
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
export function serveMcpStdio({ proxy, principal, asksUser, input, output }: StdioOptions): StdioService {
  const { toolset, respond, verify, sessions: registry, limits } = proxy
  const conversation = createConversation({ sessions: registry, principal, asksUser })
  const answers = output ?? process.stdout
  const exact = createExactLines({
    lineBytesMax: limits.messageBytesMax,
    onRefused: (id, message) =>
      answers.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`),
  })
  const source = input ?? process.stdin
  source.pipe(exact)
  source.once('close', () => exact.end())
  const transport = new StdioServerTransport(exact, answers, { maxBufferSize: limits.messageBytesMax })
  const handle = serveStdio(
    () => {
      const server = createProxyServer({ toolset, respond, verify, callerOf: conversation.callerOf })
      const forget = toolset.onChanged(() => void server.sendToolListChanged().catch(() => {}))
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
    // An input that goes on being read would keep the process.
    source.unpipe(exact)
    source.pause()
    return conversation.end('completed')
  })
  return {
    closed,
    close: async () => {
      await handle.close()
      await closed
    },
  }
}
