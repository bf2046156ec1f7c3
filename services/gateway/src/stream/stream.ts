import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FRAME_BYTES_MAX, PlimsollError, STREAM_PATH, STREAM_PROTOCOL } from '@plimsoll/contracts'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Authenticate } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals.js'
import { statusOf } from '../http/server.js'
import type { StreamMetrics } from '../metrics.js'

/** Limits of the streams of one gateway. */
export const STREAM_LIMITS = {
  /** Connections at a time. */
  connectionsMax: 2_000,
  /** Connections of one principal. */
  connectionsOfOneMax: 200,
  /** Sessions whose decisions go to one connection; beyond it the first one claimed is released. */
  sessionsMax: 20_000,
  /** Frames of a connection that may be in flight, read but not in the log. */
  inFlightMax: 16,
  /** Bytes of a connection's frames in flight; beyond it reading pauses. */
  inFlightBytesMax: 4 * 1024 * 1024,
  /** Bytes of one principal: frames in flight and partial frames. At half of it, its connections with frames in flight pause; at all of it they end. */
  principalBytesMax: 32 * 1024 * 1024,
  /** Bytes buffered for a client that does not read. */
  bufferedBytesMax: 2 * 1024 * 1024,
  /** How long a frame's events are processed before other connections get a turn, milliseconds. */
  turnMs: 10,
  /** Ping interval, milliseconds; a missed answer ends the connection. */
  heartbeatMs: 20_000,
} as const

/** Close codes. Source: RFC 6455, 7.4; from 4000 on they are ours. */
export const CLOSE = {
  goingAway: 1001,
  invalid: 1008,
  slow: 1013,
  expired: 4401,
} as const

export interface ReceivedBytesOptions {
  readonly connectionMax: number
  readonly principalMax: number
}

type ReceivedBytes = ReturnType<typeof createReceivedBytes>
export type ConnectionBytes = ReturnType<ReceivedBytes['open']>

/** Counts the bytes received over one principal's connections and not processed yet. */
export function createReceivedBytes({ connectionMax, principalMax }: ReceivedBytesOptions) {
  let all = 0

  /** One connection of the principal. */
  function open() {
    let partial = 0
    let inFlight = 0

    function set(nextPartial: number, nextInFlight: number): void {
      all += nextPartial + nextInFlight - partial - inFlight
      partial = nextPartial
      inFlight = nextInFlight
    }

    return {
      /** Bytes of an incomplete frame have arrived. False if the principal has more than it may have. */
      arrived: (bytes: number): boolean => {
        set(Math.max(0, partial + bytes), inFlight)
        return all <= principalMax
      },
      /** All that arrived was a frame, which is in flight from now on. */
      framed: (bytes: number): void => set(0, inFlight + bytes),
      /** A frame is processed. */
      done: (bytes: number): void => set(partial, Math.max(0, inFlight - bytes)),
      /** Whether reading should pause while a frame of the connection is in flight. */
      isFull: () => inFlight >= connectionMax || (inFlight > 0 && all >= principalMax / 2),
      close: (): void => set(0, 0),
    }
  }

  return { open }
}

export interface StreamOptions {
  readonly authenticate: Authenticate
  /** Serves an open connection. */
  readonly serve: (socket: WebSocket, principal: Principal, bytes: ConnectionBytes) => void
  readonly metrics: StreamMetrics
}

/** Serves WebSockets at `STREAM_PATH` of `server` to authenticated principals. */
export function attachStream(server: Server, { authenticate, serve, metrics }: StreamOptions) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    // Frames are small: compression would cost more than it saves, and memory for each connection.
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(STREAM_PROTOCOL) ? STREAM_PROTOCOL : false),
  })
  const byPrincipal = new Map<string, number>()
  const received = new Map<string, ReceivedBytes>()
  const answered = new WeakSet<WebSocket>()

  function count(name: string, by: 1 | -1): void {
    const left = (byPrincipal.get(name) ?? 0) + by
    if (left > 0) byPrincipal.set(name, left)
    else {
      byPrincipal.delete(name)
      received.delete(name)
    }
    metrics.connections(sockets.clients.size)
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (request.url?.split('?')[0] !== STREAM_PATH) return refuse(socket, 404, 'Not Found')
    const principal = await authenticate(request.headers)
    const ofOne = byPrincipal.get(principal.name) ?? 0
    if (sockets.clients.size >= STREAM_LIMITS.connectionsMax || ofOne >= STREAM_LIMITS.connectionsOfOneMax)
      return refuse(socket, 429, 'Too Many Requests')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      count(principal.name, 1)
      webSocket.once('close', () => count(principal.name, -1))
      answered.add(webSocket)
      webSocket.on('pong', () => answered.add(webSocket))
      serve(webSocket, principal, follow(socket, webSocket, principal))
    })
  }

  /** Counts the bytes of `socket`, including frames that are never completed. */
  function follow(socket: Duplex, webSocket: WebSocket, { name }: Principal): ConnectionBytes {
    const known = received.get(name)
    const all = known ?? createReceivedBytes(LIMITS_OF_BYTES)
    if (!known) received.set(name, all)
    const bytes = all.open()
    // Before the socket's own reader, which emits complete frames in the same turn.
    socket.prependListener('data', (chunk: Buffer) => {
      if (bytes.arrived(chunk.length)) return
      metrics.dropped()
      webSocket.terminate()
    })
    const control = (data: Buffer) => void bytes.arrived(-(data.length + CONTROL_BYTES))
    webSocket.on('ping', control)
    webSocket.on('pong', control)
    webSocket.once('close', () => bytes.close())
    return bytes
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // It may end during authentication.
    socket.on('error', () => {})
    upgrade(request, socket, head).catch((error: unknown) => {
      const status = error instanceof PlimsollError ? statusOf(error.code) : 500
      refuse(socket, status, status === 401 ? 'Unauthorized' : 'Service Unavailable')
    })
  }

  function beat(): void {
    for (const socket of sockets.clients) {
      if (!answered.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }

  const heartbeat = setInterval(beat, STREAM_LIMITS.heartbeatMs).unref()
  server.on('upgrade', onUpgrade)
  return {
    /** Ends all connections; their clients reconnect elsewhere. */
    close: async (): Promise<void> => {
      clearInterval(heartbeat)
      server.off('upgrade', onUpgrade)
      for (const socket of sockets.clients) socket.close(CLOSE.goingAway, 'the gateway is going away')
      await new Promise<void>((resolve) => sockets.close(() => resolve()))
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

const LIMITS_OF_BYTES = {
  connectionMax: STREAM_LIMITS.inFlightBytesMax,
  principalMax: STREAM_LIMITS.principalBytesMax,
}

/** Overhead of a client's ping or pong. Source: RFC 6455, 5.2. */
const CONTROL_BYTES = 6

function refuse(socket: Duplex, status: number, text: string): void {
  const authenticate = status === 401 ? 'www-authenticate: Bearer\r\n' : ''
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${authenticate}connection: close\r\ncontent-length: 0\r\n\r\n`)
}
