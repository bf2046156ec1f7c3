import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FRAME_BYTES_MAX, PlimsollError, STREAM_PATH, STREAM_PROTOCOL } from '@plimsoll/contracts'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Authenticate } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals-file.js'
import type { GatewayMetrics } from '../metrics/specs.js'
import { statusOf } from '../server/errors.js'

/** Bounds of the streams of one gateway. */
export const STREAM_LIMITS = {
  /** Connections at a time. */
  connectionsMax: 2_000,
  /** Of them, those of one principal. */
  connectionsOfOneMax: 200,
  /** Sessions whose decisions come over one connection; beyond it the one claimed first is let go. */
  sessionsMax: 20_000,
  /** Frames of a connection that are read before the first of them is in the log. */
  inFlightMax: 16,
  /** Bytes of a connection's frames that are not in the log yet; beyond it no more is read. */
  inFlightBytesMax: 4 * 1024 * 1024,
  /** Bytes of all frames of one principal, and of the parts of frames that have come. At half of it, its connections that have a frame under way wait; at all of it they end. */
  principalBytesMax: 32 * 1024 * 1024,
  /** Bytes that wait for a connection's other end to read them. */
  bufferedBytesMax: 2 * 1024 * 1024,
  /** How long events are taken in before others get a turn, milliseconds. */
  turnMs: 10,
  /** How often it is asked whether the other end is still there, milliseconds; once without an answer ends the connection. */
  heartbeatMs: 20_000,
} as const

/** Why a connection is closed. Source: RFC 6455, 7.4; from 4000 on they are ours. */
export const CLOSE = {
  goingAway: 1001,
  invalid: 1008,
  slow: 1013,
  expired: 4401,
} as const

/** Bytes that were received of one principal's connections and are not dealt with. */
export interface ReceivedBytes {
  /** One connection of it. */
  open(): ConnectionBytes
}

export interface ConnectionBytes {
  /** Bytes have come, of a frame that is not whole. False where its principal has more than it may have. */
  arrived(bytes: number): boolean
  /** Whatever came was a frame, which is under way from now on. */
  framed(bytes: number): void
  /** A frame is dealt with. */
  done(bytes: number): void
  /** Whether no more is to be read while a frame of the connection is under way. */
  isFull(): boolean
  close(): void
}

export interface ReceivedBytesOptions {
  readonly connectionMax: number
  readonly principalMax: number
}

export function createReceivedBytes({ connectionMax, principalMax }: ReceivedBytesOptions): ReceivedBytes {
  let all = 0

  function open(): ConnectionBytes {
    let partial = 0
    let underWay = 0

    /** What was counted of the connection last is counted again. */
    function set(nextPartial: number, nextUnderWay: number): void {
      all += nextPartial + nextUnderWay - partial - underWay
      partial = nextPartial
      underWay = nextUnderWay
    }

    return {
      arrived: (bytes) => {
        set(Math.max(0, partial + bytes), underWay)
        return all <= principalMax
      },
      framed: (bytes) => set(0, underWay + bytes),
      done: (bytes) => set(partial, Math.max(0, underWay - bytes)),
      isFull: () => underWay >= connectionMax || (underWay > 0 && all >= principalMax / 2),
      close: () => set(0, 0),
    }
  }

  return { open }
}

export interface StreamOptions {
  readonly authenticate: Authenticate
  /** Serves a connection that is open. */
  readonly serve: (socket: WebSocket, principal: Principal, bytes: ConnectionBytes) => void
  readonly metrics: GatewayMetrics
}

export interface Stream {
  /** Ends its connections; those who had one come back elsewhere. */
  close(): Promise<void>
}

/** Serves WebSockets at `STREAM_PATH` of `server`, to principals alone. */
export function attachStream(server: Server, { authenticate, serve, metrics }: StreamOptions): Stream {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    // Agents send little at a time; compressing it costs more than it saves, and memory for each connection.
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

  /** Counts what comes over `socket`, also of a frame that never becomes whole. */
  function follow(socket: Duplex, webSocket: WebSocket, { name }: Principal): ConnectionBytes {
    const known = received.get(name)
    const all = known ?? createReceivedBytes(LIMITS_OF_BYTES)
    if (!known) received.set(name, all)
    const bytes = all.open()
    // Before the socket's own reader, which tells of whole frames in the same turn.
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
    // It may end while it is asked who it is.
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
    close: async () => {
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

/** Of a ping or pong of a client, around its data: RFC 6455, 5.2. */
const CONTROL_BYTES = 6

function refuse(socket: Duplex, status: number, text: string): void {
  const authenticate = status === 401 ? 'www-authenticate: Bearer\r\n' : ''
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${authenticate}connection: close\r\ncontent-length: 0\r\n\r\n`)
}
