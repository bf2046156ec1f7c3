import { setTimeout as sleep } from 'node:timers/promises'
import {
  type GatewayFrame,
  FRAME_BYTES_MAX,
  PlimsollError,
  STREAM_PATH,
  STREAM_PROTOCOL,
  gatewayFrameSchema,
  parseJson,
} from '@plimsoll/contracts'
import { createBackoff } from '@plimsoll/runtime'
import QuickLRU from 'quick-lru'
import { WebSocket } from 'ws'
import type { Channel, ChannelRecord, DecisionRecord } from './outbound.js'

/** How long a gateway may take to send `welcome`, milliseconds. */
const WELCOME_MS_MAX = 10_000

/** How long a frame may wait for its `ack`, milliseconds, before the connection is given up. */
const ACK_MS_MAX = 30_000

/** Silence after which a connection is given up, milliseconds; a gateway pings every 20 s. */
const SILENCE_MS_MAX = 50_000

/** How long `close` waits for the gateway, milliseconds. */
const CLOSE_MS_MAX = 1_000

/** First and longest wait before a reconnect. */
const RECONNECT = { firstMs: 50, maxMs: 5_000 } as const

/** Bytes of a frame from the gateway, which holds one decision. */
const GATEWAY_FRAME_BYTES_MAX = 1024 * 1024

type Welcome = Extract<GatewayFrame, { type: 'welcome' }>

/** A WebSocket to a gateway that has sent `welcome`. */
interface Connection {
  readonly welcome: Welcome
  send(frame: string): void
  close(): void
}

interface ConnectionHooks {
  readonly onFrame: (frame: Exclude<GatewayFrame, Welcome>) => void
  /** Called once. */
  readonly onClosed: (error: PlimsollError) => void
}

/**
 * Opens a connection. Rejects with `config_invalid`, `unauthenticated` and `forbidden`, which a retry does not fix, and with
 * `gateway_unavailable`, which it may.
 */
async function openConnection(
  url: string,
  credential: string,
  { onFrame, onClosed }: ConnectionHooks,
): Promise<Connection> {
  // Catches an unset variable, or a file's text with its line break.
  if (typeof credential !== 'string' || !/^[\x21-\x7e]+$/.test(credential))
    throw new PlimsollError(
      'config_invalid',
      '`credential`: expected a key or a token, on one line, of visible ASCII: pass the key that `plimsoll up` prints, or that of one of the principals of the gateway',
    )
  const socket = new WebSocket(streamUrl(url), STREAM_PROTOCOL, {
    headers: { authorization: `Bearer ${credential}` },
    handshakeTimeout: WELCOME_MS_MAX,
    maxPayload: GATEWAY_FRAME_BYTES_MAX,
    perMessageDeflate: false,
  })
  let silence: NodeJS.Timeout | undefined

  function received(): void {
    clearTimeout(silence)
    silence = setTimeout(() => socket.terminate(), SILENCE_MS_MAX)
    silence.unref()
  }

  const welcome = await new Promise<Welcome>((resolve, reject) => {
    let refusal: PlimsollError | undefined
    let isWelcome = false
    socket.on('unexpected-response', (_request, response) => {
      refusal = refusedBy(url, response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', (cause) => (refusal ??= unreachable(url, cause)))
    socket.on('ping', received)
    socket.on('message', (data) => {
      received()
      const frame = gatewayFrameSchema.safeParse(parseJson(Buffer.isBuffer(data) ? data : '')).data
      if (!frame) return socket.terminate()
      if (frame.type !== 'welcome') return onFrame(frame)
      isWelcome = true
      resolve(frame)
    })
    socket.once('close', (code, reason) => {
      clearTimeout(silence)
      const why = reason.length > 0 ? `: ${reason.toString()}` : ''
      const error = refusal ?? unavailable(`\`${url}\` closed the connection (${code})${why}`)
      if (isWelcome) onClosed(error)
      else reject(error)
    })
    received()
  })
  return {
    welcome,
    send: (frame) => socket.send(frame, () => {}),
    close: () => socket.close(1000),
  }
}

function streamUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new PlimsollError(
      'config_invalid',
      `\`url\`: expected the address of a gateway, such as \`http://127.0.0.1:9465\`, got \`${url}\``,
    )
  const { protocol, host, pathname } = new URL(url)
  return `${protocol.replace('http', 'ws')}//${host}${pathname.replace(/\/$/, '')}${STREAM_PATH}`
}

function refusedBy(url: string, status: number): PlimsollError {
  if (status === 401)
    return new PlimsollError(
      'unauthenticated',
      `the gateway at \`${url}\` does not know this key: check \`credential\`; a restarted \`plimsoll up\` prints a new one`,
    )
  if (status === 403)
    return new PlimsollError(
      'forbidden',
      `the gateway at \`${url}\` forbids this: use the key of another principal`,
    )
  return unavailable(`\`${url}\` answers with status ${status}: check that a Plimsoll gateway is there`)
}

function unreachable(url: string, cause: NodeJS.ErrnoException): PlimsollError {
  // A name with several addresses fails without a message.
  const why = cause.message || cause.code || 'no connection'
  const next = 'check the address, or start one with `npx plimsoll up`'
  return unavailable(`no gateway answers at \`${url}\` (${why}): ${next}`, cause)
}

const unavailable = (message: string, cause?: unknown): PlimsollError =>
  new PlimsollError('gateway_unavailable', message, cause === undefined ? {} : { cause })

/** Sessions resumed after a reconnect; beyond it, the least recently used ones are dropped. */
const SESSIONS_MAX = 20_000

/** An API key, or a function that returns a valid token, called before each connection. */
export type Credential = string | (() => string | Promise<string>)

export interface GatewayChannelOptions {
  /** Such as `http://127.0.0.1:9465`. */
  readonly url: string
  readonly credential: Credential
  /** Called for each connection that was lost or could not be made; it is retried. Does not throw. */
  readonly onLost: (error: unknown) => void
}

/** A connected channel; reconnects until it is closed. Call `listen` once. */
export interface GatewayChannel extends Channel {
  readonly welcome: Welcome
  close(): Promise<void>
}

interface Waiting {
  resolve(): void
  reject(error: PlimsollError): void
}

/**
 * Connects to a gateway, and reconnects whenever the connection is lost. If the first connection fails, rejects with
 * `config_invalid`, `unauthenticated`, `forbidden` or `gateway_unavailable`.
 */
export async function connectChannel(options: GatewayChannelOptions): Promise<GatewayChannel> {
  const { url, credential, onLost } = options
  const closing = new AbortController()
  const waiting = new Map<number, Waiting>()
  /** By session, its root, or undefined if it is its own. */
  const roots = new QuickLRU<string, { readonly root: string | undefined }>({ maxSize: SESSIONS_MAX })
  let onRecord: (record: DecisionRecord) => void = () => {}
  let onMissed = () => {}
  let connection: Promise<Connection> | undefined
  let frames = 0

  const hooks = { onFrame: receive, onClosed: lost }

  function receive(frame: Exclude<GatewayFrame, Welcome>): void {
    if (frame.type === 'decision')
      return onRecord({ key: frame.sessionId, value: Buffer.from(frame.decision, 'utf8') })
    const sent = waiting.get(frame.id)
    waiting.delete(frame.id)
    if (frame.type === 'ack') sent?.resolve()
    else sent?.reject(new PlimsollError(frame.error.code, frame.error.message))
  }

  function lost(why: PlimsollError): void {
    for (const sent of waiting.values()) sent.reject(why)
    waiting.clear()
    if (closing.signal.aborted) return
    onLost(why)
    connection = reconnect()
    // `send` awaits it.
    connection.catch(() => {})
  }

  const connect = async () =>
    openConnection(url, typeof credential === 'function' ? await credential() : credential, hooks)

  async function reconnect(): Promise<Connection> {
    const backoff = createBackoff(RECONNECT)
    for (;;) {
      await sleep(backoff.next(), undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) throw closedError()
      try {
        return resumed(await connect())
      } catch (error) {
        onLost(error)
      }
    }
  }

  function resumed(made: Connection): Connection {
    const open = [...roots.keys()]
    for (let i = 0; i < open.length; i += RESUME_MAX)
      made.send(JSON.stringify({ type: 'resume', sessions: open.slice(i, i + RESUME_MAX) }))
    onMissed()
    return made
  }

  async function send(records: readonly ChannelRecord[]): Promise<void> {
    if (closing.signal.aborted) throw closedError()
    const made = await connection
    if (!made) throw unavailable('there is no connection')
    for (const { event } of records) {
      const root = event.type === 'session.started' ? event.root : roots.get(event.sessionId)?.root
      roots.set(event.sessionId, { root })
    }
    const id = frames++
    const frame = `{"type":"events","id":${id},"events":[${records.map(sentOf).join()}]}`
    if (Buffer.byteLength(frame) > FRAME_BYTES_MAX)
      throw new PlimsollError('event_oversize', `a frame of more than ${FRAME_BYTES_MAX} bytes`)
    await acknowledged(id, () => made.send(frame), made)
    for (const { event } of records) if (event.type === 'session.ended') roots.delete(event.sessionId)
  }

  /** Gives up a connection that does not acknowledge in time. */
  async function acknowledged(id: number, sendIt: () => void, made: Connection): Promise<void> {
    const timer = setTimeout(() => made.close(), ACK_MS_MAX)
    try {
      await new Promise<void>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        sendIt()
      })
    } finally {
      clearTimeout(timer)
    }
  }

  function sentOf({ key, value, headers = {}, texts }: ChannelRecord): string {
    const root = roots.get(key ?? '')?.root
    const { traceparent, tracestate } = headers
    const trace = traceparent === undefined ? undefined : JSON.stringify({ traceparent, tracestate })
    return [
      `{"event":${String(value)}`,
      ...(texts === undefined ? [] : [`"texts":${texts}`]),
      ...(root === undefined ? [] : [`"root":${JSON.stringify(root)}`]),
      ...(trace === undefined ? [] : [`"trace":${trace}`]),
    ]
      .join()
      .concat('}')
  }

  const first = await connect()
  connection = Promise.resolve(first)
  return {
    welcome: first.welcome,
    send,
    listen: async (take, missed) => {
      onRecord = take
      onMissed = missed
      return { close: async () => void (onRecord = () => {}) }
    },
    close: async () => {
      closing.abort()
      const made = await Promise.race([connection, sleep(CLOSE_MS_MAX, undefined, { ref: false })]).catch(
        () => undefined,
      )
      made?.close()
    },
  }
}

/** Sessions of one `resume` frame. */
const RESUME_MAX = 1_000

const closedError = () => new PlimsollError('closed', 'the client has been closed')
