/** A relay between clients and a gateway. It records what clients send, and takes decisions or connections away when a test says so. */
import { createServer, request, type IncomingMessage } from 'node:http'
import { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

export interface Relay {
  readonly url: string
  /** Every event that a client sent, as it was sent, with what was beside it. */
  readonly sent: readonly SentRecord[]
  /** `hold`: decisions wait. `cut`: there is no connection. `join`: everything passes, also what waits. */
  set(mode: RelayMode): void
  close(): Promise<void>
}

export type RelayMode = 'hold' | 'cut' | 'join'
export type SentRecord = Readonly<Record<string, unknown>>

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '')

export async function startRelay(gatewayUrl: string): Promise<Relay> {
  const sent: SentRecord[] = []
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false })
  const held: (() => void)[] = []
  let mode: RelayMode = 'join'

  function record(data: string): void {
    const frame = JSON.parse(data) as { type: string; events?: SentRecord[] }
    if (frame.type === 'events') sent.push(...(frame.events ?? []))
  }

  function join(socket: WebSocket, upstream: WebSocket): void {
    socket.on('message', (data) => {
      record(textOf(data))
      upstream.send(textOf(data))
    })
    upstream.on('message', (data) => {
      const text = textOf(data)
      const pass = () => socket.readyState === socket.OPEN && socket.send(text)
      if (mode === 'hold' && text.startsWith('{"type":"decision"')) held.push(pass)
      else pass()
    })
    socket.on('close', () => upstream.terminate())
    upstream.on('close', (code, reason) => (code === 1006 ? socket.terminate() : socket.close(code, reason)))
    socket.on('error', () => {})
  }

  function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (mode === 'cut') return void socket.destroy()
    const { authorization = '', 'sec-websocket-protocol': protocol = '' } = incoming.headers
    const address = gatewayUrl.replace('http', 'ws') + (incoming.url ?? '')
    const upstream = new WebSocket(address, protocol, { headers: { authorization } })
    const waiting: string[] = []
    upstream.on('message', (data) => waiting.push(textOf(data)))
    upstream.on('error', () => socket.destroy())
    upstream.on('unexpected-response', (_, { statusCode = 502 }) =>
      socket.end(`HTTP/1.1 ${statusCode} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
    )
    upstream.once('open', () =>
      sockets.handleUpgrade(incoming, socket, head, (joined) => {
        upstream.removeAllListeners('message')
        for (const text of waiting) joined.send(text)
        join(joined, upstream)
      }),
    )
  }

  const server = createServer((incoming, reply) => {
    if (mode === 'cut') return void incoming.socket.destroy()
    const { method, headers, url = '' } = incoming
    const onward = request(gatewayUrl + url, { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  }).on('upgrade', upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    set: (next) => {
      mode = next
      if (next === 'cut') for (const socket of sockets.clients) socket.terminate()
      if (next === 'join') for (const pass of held.splice(0)) pass()
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
