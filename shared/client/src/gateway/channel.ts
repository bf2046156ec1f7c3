import { setTimeout as sleep } from 'node:timers/promises'
import { FRAME_BYTES_MAX, PlimsollError, type GatewayFrame } from '@plimsoll/contracts'
import { createBackoff } from '@plimsoll/runtime'
import type { Channel, ChannelRecord, DecisionRecord } from '../channel.js'
import { openConnection, unavailable, type Connection, type Welcome } from './connection.js'
import { ACK_MS_MAX, CLOSE_MS_MAX, RECONNECT } from './limits.js'
import { createSentSessions } from './sessions.js'

/** An API key, or what gives a token that is good now; asked before each connection. */
export type Credential = string | (() => string | Promise<string>)

export interface GatewayChannelOptions {
  /** Such as `http://127.0.0.1:9465`. */
  readonly url: string
  readonly credential: Credential
  /** Told of each connection that was lost or could not be made; another is tried. Does not throw. */
  readonly onLost: (error: unknown) => void
}

/** A channel that is connected, for as long as it is not closed; `listen` once. */
export interface GatewayChannel extends Channel {
  readonly welcome: Welcome
  close(): Promise<void>
}

interface Waiting {
  resolve(): void
  reject(error: PlimsollError): void
}

/**
 * Connects to a gateway, and again whenever the connection is lost. Rejects where the first connection cannot be made: with
 * `config_invalid`, `unauthenticated`, `forbidden` or `gateway_unavailable`.
 */
export async function connectChannel(options: GatewayChannelOptions): Promise<GatewayChannel> {
  const { url, credential, onLost } = options
  const closing = new AbortController()
  const waiting = new Map<number, Waiting>()
  const sessions = createSentSessions()
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
    // Whoever sends waits for it; where nobody does, it is nobody's failure.
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
    const open = sessions.open()
    for (let i = 0; i < open.length; i += RESUME_MAX)
      made.send(JSON.stringify({ type: 'resume', sessions: open.slice(i, i + RESUME_MAX) }))
    onMissed()
    return made
  }

  async function send(records: readonly ChannelRecord[]): Promise<void> {
    if (closing.signal.aborted) throw closedError()
    const made = await connection
    if (!made) throw unavailable('there is no connection')
    for (const { key, value } of records) sessions.note(key ?? '', String(value))
    const id = frames++
    const frame = `{"type":"events","id":${id},"events":[${records.map(sentOf).join()}]}`
    if (Buffer.byteLength(frame) > FRAME_BYTES_MAX)
      throw new PlimsollError('event_oversize', `a frame of more than ${FRAME_BYTES_MAX} bytes`)
    await acknowledged(id, () => made.send(frame), made)
  }

  /** A connection that says nothing of a frame for so long has something wrong with it. */
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
    const root = sessions.rootOf(key ?? '')
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

/** Sessions of one frame. */
const RESUME_MAX = 1_000

const closedError = () => new PlimsollError('closed', 'the client has been closed')
