import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FRAME_BYTES_MAX, PlimsollError, STREAM_PATH, STREAM_PROTOCOL } from '@plimsoll/contracts'
import { WebSocketServer, type WebSocket } from 'ws'
import type { GatewayMetrics } from '../metrics/index.js'
import type { Authenticate } from '../principals/authenticator.js'
import type { Principal } from '../principals/principal.js'
import { statusOf } from '../server/errors.js'
import { CLOSE, STREAM_LIMITS } from './limits.js'
import { createReceivedBytes, type ConnectionBytes, type ReceivedBytes } from './received-bytes.js'

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
