import type { Transport } from '@modelcontextprotocol/server'
import { type CallerOptions, createConversation } from '../caller.js'
import type { McpProxy } from '../proxy.js'
import { type Members, type Sent, LEGACY, membersIn, textMember } from '../rpc/messages.js'
import { type Incoming, type Peer, createPeer } from '../rpc/peer.js'
import type { ClientIdentity } from '../upstream/link.js'
import { ASK_MS_MAX, legacyExchange } from './exchange.js'
import type { View } from './view.js'

export interface LegacyConnectionOptions extends CallerOptions {
  readonly proxy: McpProxy
}

/** A client of the 2025 era on a connection: the connection is a session. */
export function createLegacyConnection(peer: Peer, { proxy, ...options }: LegacyConnectionOptions) {
  let client: ClientIdentity = { era: LEGACY, info: {}, capabilities: {} }
  let view: View | undefined
  let conversation: ReturnType<typeof createConversation> | undefined

  const viewNow = (): View =>
    (view ??= proxy.createView({
      client,
      callerOf: (toolNames) => (conversation = createConversation(options, toolNames)).callerOf,
      notify: (sent) => void peer.notify(sent).catch(() => {}),
      ask: (sent, signal) => peer.request(sent, { signal, totalMs: ASK_MS_MAX }),
    }))

  return {
    /** Answers a request. Rejects with the error of its response. */
    request: async (incoming: Incoming): Promise<Members> => {
      const { method, params } = incoming
      if (method !== 'initialize') return viewNow().handle(legacyExchange(incoming, client, peer))
      client = {
        era: LEGACY,
        revision: textMember(params, 'protocolVersion'),
        info: membersIn(params, 'clientInfo'),
        capabilities: membersIn(params, 'capabilities'),
      }
      return viewNow().initialize()
    },
    notified: (sent: Sent): void => view?.notified(sent),
    /** Ends its session and its connections to servers. */
    end: async (): Promise<void> => {
      await Promise.all([conversation?.end(), view?.close()])
    },
  }
}

/** Serves a client of the 2025 era over a transport that is not started yet. Returns what ends the connection. */
export async function serveLegacy(
  transport: Transport,
  options: LegacyConnectionOptions,
  onClose: () => void,
): Promise<() => Promise<void>> {
  const peer = createPeer({
    transport,
    onRequest: (incoming) => connection.request(incoming),
    onNotification: (sent) => connection.notified(sent),
    onClose: () => {
      onClose()
      void connection.end()
    },
  })
  const connection = createLegacyConnection(peer, options)
  await transport.start()
  return peer.close
}
