import { PlimsollError } from '@plimsoll/contracts'
import type { McpLimits } from '../limits.js'
import { CONVERSATION_KEY, SESSION_KEY, USER_KEY, forwardedMeta } from '../meta.js'
import { type Members, type Sent, LEGACY, MODERN, metaIn, withMeta } from '../rpc/messages.js'
import type { Incoming } from '../rpc/peer.js'
import { type ClientIdentity, type Link, envelopeOf } from '../upstream/link.js'
import type { Upstream } from '../upstream/upstream.js'
import type { Exchange } from './exchange.js'

/** A request to a server on behalf of a request of the client. */
export interface Flight {
  readonly exchange: Exchange
  readonly server: string
}

export interface LinksOptions {
  readonly upstreams: readonly Upstream[]
  readonly client: ClientIdentity
  readonly limits: McpLimits
  /** Gets what a server sends, with the request that it belongs to as far as that can be known. */
  readonly onNotification: (server: string, notification: Sent, flight: Flight | undefined) => void
  readonly onRequest: (server: string, incoming: Incoming, flight: Flight | undefined) => Promise<Members>
  /** Called when a server was connected; `isAgain` if it had gone. */
  readonly onConnected: (server: string, link: Link, isAgain: boolean) => void
}

export type Links = ReturnType<typeof createLinks>

/** The connections of one client to all servers. Each is made when it is first needed, and again after the server has gone. */
export function createLinks({
  upstreams,
  client,
  limits,
  onNotification,
  onRequest,
  onConnected,
}: LinksOptions) {
  const links = new Map<string, Promise<Link>>()
  const connectedBefore = new Set<string>()
  const flights = new Map<string, Set<Flight>>()
  let isClosed = false

  /**
   * The request that something from a server belongs to: the latest one, because over one connection nothing says it. Undefined if it may
   * belong to another session.
   */
  function latestOf(server: string): Flight | undefined {
    const open = [...(flights.get(server) ?? [])]
    const latest = open.at(-1)
    return latest && open.every((flight) => isOfOneSession(flight, latest)) ? latest : undefined
  }

  function of(name: string): Promise<Link> {
    if (isClosed) return Promise.reject(new PlimsollError('closed', 'the connection has been closed'))
    const known = links.get(name)
    if (known) return known
    const connecting = connect(name)
    links.set(name, connecting)
    connecting.catch(() => links.delete(name))
    return connecting
  }

  async function connect(name: string): Promise<Link> {
    const upstream = upstreams.find((each) => each.name === name)
    if (!upstream) throw new PlimsollError('tool_server_failed', `there is no server \`${name}\``)
    const link = await upstream.connect(client, {
      onNotification: (notification) => onNotification(name, notification, latestOf(name)),
      onRequest: async (incoming) => {
        // The server waits for the client now, not the client for the server.
        const alive = setInterval(() => link.touch(), limits.callMs / 2)
        try {
          return await onRequest(name, incoming, latestOf(name))
        } finally {
          clearInterval(alive)
        }
      },
      onGone: () => links.delete(name),
    })
    onConnected(name, link, connectedBefore.has(name))
    connectedBefore.add(name)
    return link
  }

  async function request(
    server: string,
    sent: Sent,
    exchange?: Exchange,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Members> {
    const link = await of(server)
    const params = paramsFor(link, sent.params, exchange?.client ?? client)
    if (!exchange) {
      const options = { idleMs: limits.startMsMax }
      return link.request({ ...sent, params }, options)
    }
    const flight = { exchange, server }
    const own = flights.get(server) ?? new Set()
    flights.set(server, own.add(flight))
    try {
      return await link.request(
        { ...sent, params },
        {
          signal: exchange.signal,
          ...(headers && { headers }),
          idleMs: limits.callMs,
          totalMs: limits.callMsMax,
          onProgress: exchange.wantsProgress ? exchange.progress : undefined,
          onNotification: (notification) => onNotification(server, notification, flight),
        },
      )
    } finally {
      own.delete(flight)
    }
  }

  return {
    names: upstreams.map(({ name }) => name),
    of,
    /** Sends a request in the era of the server. Rejects with the server's errors as they are. */
    request,
    notifyAll: async (sent: Sent): Promise<void> => {
      for (const linking of links.values()) await linking.then((link) => link.notify(sent)).catch(() => {})
    },
    close: async (): Promise<void> => {
      isClosed = true
      const open = [...links.values()]
      links.clear()
      await Promise.all(
        open.map((linking) =>
          linking.then(
            (link) => link.close(),
            () => {},
          ),
        ),
      )
    },
  }
}

/** What distinguishes the sessions of one client. */
const OF_SESSION = [SESSION_KEY, USER_KEY, CONVERSATION_KEY]

function isOfOneSession({ exchange: one }: Flight, { exchange: other }: Flight): boolean {
  const [a, b] = [metaIn(one.params), metaIn(other.params)]
  return OF_SESSION.every((key) => a[key] === b[key])
}

/** Members of a request's `_meta` that only the 2026 era has. */
const isOfEnvelope = (key: string): boolean => key.startsWith('io.modelcontextprotocol/')
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** The parameters in the era of the server, without what is the proxy's own. */
function paramsFor({ era }: Link, params: Members | undefined, client: ClientIdentity): Members {
  const meta = forwardedMeta(metaIn(params))
  const { _meta: _, ...rest } = { ...params }
  if (era === MODERN) {
    const isEnveloped = client.era === MODERN && Object.keys(meta).some(isOfEnvelope)
    return withMeta({ ...rest, _meta: meta }, isEnveloped ? {} : envelopeOf(client))
  }
  const own = Object.entries(meta).filter(
    ([key]) => client.era === LEGACY || key === RELATED_TASK || !isOfEnvelope(key),
  )
  return own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) }
}
