import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { STREAM_PATH } from '@plimsoll/contracts'
import { noMetrics } from '@plimsoll/runtime'
import { WebSocket } from 'ws'
import { createStreamMetrics } from '../metrics.js'
import { attachStream, createReceivedBytes } from './stream.js'

const PART = Buffer.alloc(3 * 1024 * 1024)

test("incomplete frames use up only their principal's bytes", async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  let dropped = 0
  const stream = attachStream(server, {
    authenticate: async ({ authorization = '' }) => ({ name: authorization, tenant: 'acme', trust: 'agent' }),
    serve: (socket) => socket.on('error', () => {}),
    metrics: { ...createStreamMetrics(noMetrics), dropped: () => void dropped++ },
  })
  t.after(async () => {
    await stream.close()
    server.close()
  })
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${STREAM_PATH}`
  const connect = async (name: string) => {
    const socket = new WebSocket(url, { headers: { authorization: name } })
    socket.on('error', () => {})
    await once(socket, 'open')
    return socket
  }
  const other = await connect('other')
  const sockets = await Promise.all(Array.from({ length: 12 }, () => connect('flood')))
  const ended = once(sockets[11] ?? other, 'close')
  for (const socket of sockets) {
    socket.send(PART, { fin: false })
    // One after the other, so that it is the last that finds no room.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await ended
  assert.ok(dropped > 0 && dropped <= 3, `${dropped} of 12 were ended`)
  assert.equal(sockets[0]?.readyState, WebSocket.OPEN)
  const pong = once(other, 'pong')
  other.ping()
  await pong
  for (const socket of [...sockets, other]) socket.terminate()
})

test('counts partial frames and frames in flight over all connections of a principal', () => {
  const principal = createReceivedBytes({ connectionMax: 10, principalMax: 40 })
  const [one, two] = [principal.open(), principal.open()]
  assert.equal(one.arrived(8), true)
  one.framed(8)
  assert.equal(one.isFull(), false)
  one.framed(4)
  assert.equal(one.isFull(), true, 'of the connection')
  one.done(4)
  assert.equal(two.arrived(12), true)
  assert.equal(one.isFull(), true, 'half of what the principal may have')
  assert.equal(two.isFull(), false, 'a connection without a frame in flight does not pause')
  assert.equal(two.arrived(25), false)
  two.close()
  assert.equal(one.isFull(), false)
  one.done(8)
  assert.equal(principal.open().arrived(40), true, 'nothing is left of what was dealt with')
})
