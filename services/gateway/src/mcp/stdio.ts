import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Principal } from '../auth/principals.js'
import { createConversation } from './caller.js'
import { createLegacyConnection } from './client/legacy-connection.js'
import { clientIn, isEnveloped } from './client/modern-requests.js'
import { createSuspensions } from './client/suspensions.js'
import type { View } from './client/view.js'
import { createExactLines } from './exact-lines.js'
import type { McpProxy } from './proxy.js'
import { type Members, invalid } from './rpc/messages.js'
import { type Incoming, createPeer } from './rpc/peer.js'

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
export async function serveMcpStdio(options: StdioOptions): Promise<StdioService> {
  const { proxy, principal, asksUser, input: source = process.stdin, output = process.stdout } = options
  const { sessions, limits } = proxy
  const caller = { sessions, principal, asksUser, limits }
  const exact = createExactLines({
    lineBytesMax: limits.messageBytesMax,
    onRefused: (id, message) =>
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`),
  })
  source.pipe(exact)
  source.once('close', () => exact.end())
  const transport = new StdioServerTransport(exact, output, { maxBufferSize: limits.messageBytesMax })
  let gone: () => void = () => {}
  const left = new Promise<void>((resolve) => (gone = resolve))
  const peer = createPeer({
    transport,
    onRequest: (incoming) => (isEnveloped(incoming.params) ? modern(incoming) : legacy.request(incoming)),
    onNotification: (sent) => {
      if (!isEnveloped(sent.params ?? {})) legacy.notified(sent)
    },
    onClose: () => gone(),
  })
  const legacy = createLegacyConnection(peer, { proxy, ...caller })
  const suspensions = createSuspensions({ suspendedMax: limits.suspendedMax })
  let conversation: ReturnType<typeof createConversation> | undefined
  let view: View | undefined

  async function modern({ id, method, params, signal }: Incoming): Promise<Members> {
    const client = clientIn(params)
    const own = (view ??= proxy.createView({
      client,
      callerOf: (toolNames) => (conversation = createConversation(caller, toolNames)).callerOf,
      notify: () => {},
      ask: () => Promise.reject(invalid('the client has no request in progress')),
    }))
    const notify = (sent: { method: string; params?: Members | undefined }) =>
      void peer.notify(sent, id).catch(() => {})
    return suspensions.handle(
      { id, method, params, signal, notify },
      { principal: principal.name, client },
      own.handle,
    )
  }

  await transport.start()
  const end = async (): Promise<void> => {
    await left
    // An input that is still read would keep the process alive.
    source.unpipe(exact)
    source.pause()
    suspensions.close()
    await Promise.all([legacy.end(), conversation?.end(), view?.close()])
  }
  const closed = end()
  return {
    closed,
    close: async () => {
      await peer.close()
      await closed
    },
  }
}
