import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectGateway } from '../gateway.js'

// Values of unset variables, which plain JavaScript passes on.
const unset: string = process.env['NO_SUCH_VARIABLE'] as never

const wrong = [
  ['an address without http', { url: '127.0.0.1:9465', credential: 'k' }, /`url`: .*`127\.0\.0\.1:9465`/],
  ['that of a stream', { url: 'ws://127.0.0.1:9465', credential: 'k' }, /`url`/],
  ['no address', { url: unset, credential: 'k' }, /`url`/],
  ['no key', { url: 'http://127.0.0.1:1', credential: unset }, /`credential`/],
  ['an empty key', { url: 'http://127.0.0.1:1', credential: '' }, /`credential`/],
  ["a key with its file's line end", { url: 'http://127.0.0.1:1', credential: 'key\n' }, /`credential`/],
  ['what gives no token', { url: 'http://127.0.0.1:1', credential: () => unset }, /`credential`/],
] as const
for (const [what, options, problem] of wrong)
  test(`names the problem: ${what}`, () =>
    assert.rejects(connectGateway(options), { code: 'config_invalid', message: problem }))

const answers = [
  [401, 'unauthenticated', /does not know this key: check `credential`/],
  [403, 'forbidden', /forbids this: use the key of another principal/],
  [404, 'gateway_unavailable', /answers with status 404: check that a Plimsoll gateway is there/],
] as const
for (const [status, code, message] of answers)
  test(`says what to do when it is answered ${status}`, async (t) => {
    const server = createServer((_, response) => void response.writeHead(status).end())
    server.on('upgrade', (_, socket) => void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await assert.rejects(connectGateway({ url, credential: 'k' }), (error: Error) => {
      assert.match(error.message, message)
      assert.ok(error.message.includes(url))
      assert.equal((error as { code?: string }).code, code)
      return true
    })
  })

test('says what to do when nothing answers, also at a name with several addresses', async () => {
  for (const host of ['127.0.0.1', 'localhost'])
    await assert.rejects(connectGateway({ url: `http://${host}:1`, credential: 'k' }), {
      code: 'gateway_unavailable',
      message: /^no gateway answers at `http:.*` \(.*ECONNREFUSED.*\): check the address, or start one with/,
    })
})
