import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/client'
import {
  type Era,
  type Members,
  type Sent,
  LEGACY,
  MODERN,
  membersIn,
  metaIn,
  notFound,
  textMember,
  withMeta,
} from '../rpc/messages.js'
import { type Incoming, type RequestOptions, createPeer } from '../rpc/peer.js'
import { type UpstreamOptions, createTransport } from './transport.js'

/** What a client says of itself, and a server then gets. */
export interface ClientIdentity {
  readonly era: Era
  /** The revision that it asks for in a handshake. */
  readonly revision?: string | undefined
  readonly info: Members
  readonly capabilities: Members
}

/** What a server says of itself. */
export interface About {
  readonly revision: string
  readonly serverInfo: Members
  readonly capabilities: Members
  readonly instructions?: string | undefined
}

/** What comes from a server without a request that it belongs to. */
export interface LinkHooks {
  readonly onNotification: (notification: Sent) => void
  readonly onRequest: (incoming: Incoming) => Promise<Members>
  readonly onGone: () => void
}

export interface LinkRequestOptions extends RequestOptions {
  /** Gets notifications that belong to this request; the others go to the hooks. */
  readonly onNotification?: (notification: Sent) => void
}

/** One client's connection to a server. */
export interface Link {
  readonly era: Era
  readonly about: About
  /** Whether the server remembers nothing between requests, so that it can send nothing unasked. */
  readonly isStateless: boolean
  /** Rejects with the server's errors as they are, and with the signal's reason. */
  request(sent: Sent, options?: LinkRequestOptions): Promise<Members>
  notify(sent: Sent): Promise<void>
  /** Notes a sign of life for all open requests. */
  touch(): void
  close(): Promise<void>
}

export interface ConnectOptions extends UpstreamOptions {
  readonly client: ClientIdentity
  readonly hooks: LinkHooks
}

/** Connects to a server in `era`. Rejects if it does not speak it. */
export async function connectLink(options: ConnectOptions, era: Era): Promise<Link> {
  if (era === LEGACY) return connectLegacy(options)
  return 'command' in options.spec ? connectModernProcess(options) : connectModernHttp(options)
}

/** A client need not name itself, but a server may want a name. */
const infoOf = ({ info }: ClientIdentity): Members =>
  typeof info['name'] === 'string' && typeof info['version'] === 'string'
    ? info
    : { name: 'plimsoll', version: '1' }

/** The envelope of a request in the name of a client. */
export const envelopeOf = (client: ClientIdentity): Members => ({
  [PROTOCOL_VERSION_META_KEY]: MODERN,
  [CLIENT_INFO_META_KEY]: infoOf(client),
  [CLIENT_CAPABILITIES_META_KEY]: client.capabilities,
})

async function connectLegacy(options: ConnectOptions): Promise<Link> {
  const { client, limits, hooks } = options
  const { transport, lastWords } = createTransport(options)
  const peer = createPeer({ transport, ...hooks, onClose: hooks.onGone })
  try {
    await transport.start()
    const { revision: protocolVersion = LEGACY, capabilities } = client
    const params = { protocolVersion, capabilities, clientInfo: infoOf(client) }
    const result = await peer.request({ method: 'initialize', params }, { totalMs: limits.startMsMax })
    const revision = textMember(result, 'protocolVersion') ?? LEGACY
    if ('setProtocolVersion' in transport) transport.setProtocolVersion(revision)
    await peer.notify({ method: 'notifications/initialized' })
    return {
      era: LEGACY,
      isStateless: 'sessionId' in transport && transport.sessionId === undefined,
      about: aboutOf(revision, membersIn(result, 'serverInfo'), result),
      request: peer.request,
      notify: (sent) => peer.notify(sent),
      touch: peer.touchAll,
      close: async () => {
        if ('terminateSession' in transport) await transport.terminateSession().catch(() => {})
        await peer.close()
      },
    }
  } catch (cause) {
    await peer.close().catch(() => {})
    throw withLastWords(cause, lastWords())
  }
}

async function connectModernProcess(options: ConnectOptions): Promise<Link> {
  const { hooks, limits } = options
  const { transport, lastWords } = createTransport(options)
  const peer = createPeer({ transport, ...hooks, onClose: hooks.onGone })
  try {
    await transport.start()
    const result = await peer.request(discoverOf(options.client), { totalMs: limits.startMsMax })
    const { request, notify, touchAll: touch, close } = peer
    return {
      era: MODERN,
      isStateless: false,
      about: discovered(result),
      request,
      notify: (sent) => notify(sent),
      touch,
      close,
    }
  } catch (cause) {
    await peer.close().catch(() => {})
    throw withLastWords(cause, lastWords())
  }
}

/** Each request has a transport of its own, so that what comes in its stream is known to belong to it. */
async function connectModernHttp(options: ConnectOptions): Promise<Link> {
  const open = new Set<StreamableHTTPClientTransport>()

  async function request(sent: Sent, requestOptions: LinkRequestOptions = {}): Promise<Members> {
    const { onNotification = options.hooks.onNotification, ...rest } = requestOptions
    const transport = createTransport(options).transport as StreamableHTTPClientTransport
    const peer = createPeer({
      transport,
      // The era has no requests from servers.
      onRequest: ({ method }) => Promise.reject(notFound(method)),
      onNotification,
      onClose: () => {},
      cancelsByStream: true,
    })
    open.add(transport)
    try {
      await transport.start()
      return await peer.request(sent, rest)
    } finally {
      open.delete(transport)
      await transport.close()
    }
  }

  const result = await request(discoverOf(options.client), { totalMs: options.limits.startMsMax })
  return {
    era: MODERN,
    isStateless: true,
    about: discovered(result),
    request,
    // A notification of the era names what it belongs to in its envelope; there are none that a proxy has to send.
    notify: async () => {},
    touch: () => {},
    close: async () => {
      await Promise.all([...open].map((transport) => transport.close()))
    },
  }
}

const discoverOf = (client: ClientIdentity): Sent => ({
  method: 'server/discover',
  params: withMeta({}, envelopeOf(client)),
})

function discovered(result: Members): About {
  const inMeta = membersIn(metaIn(result), SERVER_INFO_META_KEY)
  const serverInfo = Object.keys(inMeta).length > 0 ? inMeta : membersIn(result, 'serverInfo')
  return aboutOf(MODERN, serverInfo, result)
}

const aboutOf = (revision: string, serverInfo: Members, result: Members): About => ({
  revision,
  serverInfo,
  capabilities: membersIn(result, 'capabilities'),
  instructions: textMember(result, 'instructions'),
})

function withLastWords(cause: unknown, words: string): unknown {
  if (words === '') return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`${message.split('\n')[0]}${words}`, { cause })
}
