import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client'
import {
  type Members,
  type Sent,
  LEGACY,
  MODERN,
  invalid,
  isObject,
  membersIn,
  textMember,
  withMeta,
} from '../rpc/messages.js'
import { type Link, envelopeOf } from '../upstream/link.js'
import type { Exchange } from './exchange.js'
import type { Links } from './links.js'

/** Notifications that clients of the 2026 era get if they ask for them, by the name in their request. */
const CHANGES: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
}
const UPDATED = 'notifications/resources/updated'
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

export const isChange = (method: string): boolean => method === UPDATED || Object.hasOwn(CHANGES, method)
export const isOfSubscriptions = (method: string): boolean => method === ACKNOWLEDGED || isChange(method)

/** Until a server is asked again to notify of changes, milliseconds: the first time, and at most. */
const AGAIN_MS = 1_000
const AGAIN_MS_MAX = 60_000
/** How long a client waits for servers to acknowledge what it subscribes to. */
const READY_MS_MAX = 1_000

interface Listening {
  readonly filter: Members
  readonly exchange: Exchange
}

interface Watching {
  readonly link: Link
  readonly uris: Set<string>
  stop: () => void
  acknowledged: () => void
  ready: Promise<void>
}

export interface SubscriptionsOptions {
  readonly links: () => Links
  /** Gets changes that a server of the 2026 era notifies of. */
  readonly onChange: (server: string, notification: Sent) => void
  readonly capabilities: () => Promise<Members>
}

/** Which changes a client wants to hear of, and which the servers are asked to notify of. */
export function createSubscriptions({ links, onChange, capabilities }: SubscriptionsOptions) {
  const listening = new Set<Listening>()
  const watching = new Map<string, Watching>()

  /** Keeps a server of the 2026 era notifying: of its lists, and of the resources that are subscribed to. */
  function watch(server: string, link: Link): void {
    watching.get(server)?.stop()
    if (link.era !== MODERN) return
    const uris = watching.get(server)?.uris ?? new Set<string>()
    const own: Watching = { link, uris, stop: () => {}, acknowledged: () => {}, ready: Promise.resolve() }
    watching.set(server, own)
    listen(server, own)
  }

  function listen(server: string, own: Watching, delayMs = AGAIN_MS): void {
    const { link, uris } = own
    const { tools, prompts, resources } = link.about.capabilities as Readonly<
      Record<string, Members | undefined>
    >
    const notifications = {
      ...(tools?.['listChanged'] === true && { toolsListChanged: true }),
      ...(prompts?.['listChanged'] === true && { promptsListChanged: true }),
      ...(resources?.['listChanged'] === true && { resourcesListChanged: true }),
      ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
    }
    if (Object.keys(notifications).length === 0) return
    const abort = new AbortController()
    const { signal } = abort
    let nextMs = Math.min(delayMs * 2, AGAIN_MS_MAX)
    let timer: NodeJS.Timeout | undefined
    own.stop = () => {
      clearTimeout(timer)
      abort.abort(new Error('no longer needed'))
    }
    own.ready = new Promise((resolve) => {
      setTimeout(resolve, READY_MS_MAX).unref()
      own.acknowledged = () => {
        nextMs = AGAIN_MS
        resolve()
      }
      const onNotification = (notification: Sent) => onNotified(server, notification)
      const params = withMeta(
        { notifications },
        envelopeOf({ era: MODERN, info: { name: 'plimsoll', version: '1' }, capabilities: {} }),
      )
      // An answer, with or without an acknowledgement, is the end of the subscription.
      link
        .request({ method: 'subscriptions/listen', params }, { signal, onNotification })
        .catch(() => {})
        .finally(() => {
          resolve()
          if (!signal.aborted) timer = setTimeout(() => listen(server, own, nextMs), delayMs).unref()
        })
    })
  }

  /** Takes an acknowledgement, and passes a change on. */
  function onNotified(server: string, { method, params }: Sent): void {
    if (method === ACKNOWLEDGED) return watching.get(server)?.acknowledged()
    const { _meta: _, ...own } = { ...params }
    if (isChange(method)) onChange(server, { method, params: own })
  }

  async function subscribe(server: string, uri: string, isOn: boolean, exchange: Exchange): Promise<void> {
    const link = await links().of(server)
    if (link.era === LEGACY) {
      const method = isOn ? 'resources/subscribe' : 'resources/unsubscribe'
      await links().request(server, { method, params: { uri } }, exchange)
      return
    }
    const own = watching.get(server)
    if (!own) return
    if (isOn) own.uris.add(uri)
    else own.uris.delete(uri)
    own.stop()
    listen(server, own)
    await own.ready
  }

  /** Serves a `subscriptions/listen`: notifies until the client ends it. */
  async function serve(exchange: Exchange, serverOf: (uri: string) => Promise<string>): Promise<Members> {
    const { id, params, signal } = exchange
    if (!isObject(params['notifications'])) throw invalid('expected `notifications`')
    const filter = honoured(params['notifications'], await capabilities())
    const own = { filter, exchange }
    const uris = urisIn(filter)
    const idMeta = { [SUBSCRIPTION_ID_META_KEY]: id }
    for (const uri of uris) await subscribe(await serverOf(uri), uri, true, exchange)
    await Promise.all([...watching.values()].map(({ ready }) => ready))
    exchange.notify({ method: ACKNOWLEDGED, params: withMeta({ notifications: filter }, idMeta) })
    if (Object.keys(filter).length === 0) return { _meta: idMeta }
    listening.add(own)
    try {
      await new Promise((resolve) => {
        if (signal.aborted) resolve(undefined)
        else signal.addEventListener('abort', resolve, { once: true })
      })
    } finally {
      listening.delete(own)
      const quiet = { ...exchange, signal: AbortSignal.timeout(READY_MS_MAX) }
      for (const uri of uris)
        void serverOf(uri)
          .then((server) => subscribe(server, uri, false, quiet))
          .catch(() => {})
    }
    return { _meta: idMeta }
  }

  return {
    watch,
    onNotified,
    subscribe,
    serve,
    /** Passes a change on to the clients that listen for it. */
    notify: ({ method, params }: Sent): void => {
      for (const { filter, exchange } of listening) {
        const isWanted =
          method === UPDATED
            ? urisIn(filter).includes(textMember(params, 'uri') ?? '')
            : filter[CHANGES[method] ?? ''] === true
        if (isWanted)
          exchange.notify({ method, params: withMeta(params, { [SUBSCRIPTION_ID_META_KEY]: exchange.id }) })
      }
    },
    close: (): void => {
      for (const { stop } of watching.values()) stop()
    },
  }
}

const urisIn = ({ resourceSubscriptions }: Members): readonly string[] =>
  Array.isArray(resourceSubscriptions)
    ? resourceSubscriptions.filter((uri): uri is string => typeof uri === 'string')
    : []

/** The part of a filter that the servers can serve. */
function honoured(filter: Members, capabilities: Members): Members {
  const can = (part: string, what: string) => membersIn(capabilities, part)[what] === true
  const uris = urisIn(filter)
  return {
    ...(filter['toolsListChanged'] === true && can('tools', 'listChanged') && { toolsListChanged: true }),
    ...(filter['promptsListChanged'] === true &&
      can('prompts', 'listChanged') && { promptsListChanged: true }),
    ...(filter['resourcesListChanged'] === true &&
      can('resources', 'listChanged') && { resourcesListChanged: true }),
    ...(uris.length > 0 && can('resources', 'subscribe') && { resourceSubscriptions: uris }),
  }
}
