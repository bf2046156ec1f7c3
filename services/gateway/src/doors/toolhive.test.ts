import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createSampleGateway, type SampleGateway } from '../testing/sample-gateway.js'
import { isSigned } from './toolhive.js'

const SECRET = 'a secret of sixteen and more'
const SIGNERS = new Map([
  ['hive', { secret: SECRET, principal: { name: 'hive', tenant: 'default', trust: 'host' } as const }],
])

const request = (method: string, params: object, subject = 'ann') => ({
  version: 'v0.1.0',
  uid: 'u-1',
  timestamp: '2026-05-02T14:35:01Z',
  principal: { subject, name: 'Ann' },
  mcp_request: { jsonrpc: '2.0', id: 1, method, params },
  context: {
    server_name: 'crm',
    namespace: 'agents',
    source_ip: '10.0.0.7:4711',
    transport: 'streamable-http',
  },
})
const callOf = (name: string, values: object, subject?: string) =>
  request('tools/call', { name, arguments: values }, subject)

async function send({ app }: SampleGateway, body: unknown, secret = SECRET, agoSeconds = 0, name = 'hive') {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000) - agoSeconds)
  const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')}`
  const reply = await app.inject({
    method: 'POST',
    url: `/doors/toolhive/${name}`,
    headers: {
      'content-type': 'application/json',
      'x-toolhive-timestamp': timestamp,
      'x-toolhive-signature': signature,
    },
    payload,
  })
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}

test('a call of a tool gets a verdict, and methods that only list need none', async (context) => {
  const gateway = await createSampleGateway(context, SIGNERS)
  const allowed = { status: 200, body: { version: 'v0.1.0', uid: 'u-1', allowed: true } }
  assert.deepEqual(await send(gateway, callOf('get_customer', { id: 7 })), allowed)
  assert.deepEqual(await send(gateway, request('tools/list', {})), allowed)
  assert.deepEqual(await send(gateway, request('notifications/initialized', {})), allowed)
  const { status, body } = await send(gateway, callOf('frobnicate_records', { table: 'a' }))
  assert.deepEqual(
    [status, body['allowed'], body['code'], body['reason']],
    [200, false, 403, 'approval_required'],
  )
  assert.match(String(body['message']), /mcp__crm__frobnicate_records/)
})

test('what a call may have given counts for the next, also on another server', async (context) => {
  const gateway = await createSampleGateway(context, SIGNERS)
  await send(gateway, callOf('get_customer', { id: 7 }))
  const mail = callOf('send_email', { to: 'press@example.org', body: 'about account 7730194422' })
  mail.context.server_name = 'mail'
  assert.equal((await send(gateway, mail)).body['allowed'], false)
  const other = callOf('get_customer', { id: 7 }, 'bob')
  assert.equal((await send(gateway, other)).body['allowed'], true)
})

test('a request that another reader of JSON would read as another call is refused', async (context) => {
  const gateway = await createSampleGateway(context, SIGNERS)
  const plain = JSON.stringify(callOf('get_customer', {}))
  for (const body of [
    plain.replace('"method"', '"Method":"ping","method"'),
    plain.replace('"name":"get_customer"', '"name":"get_customer","Name":"delete_all"'),
    plain.replace('"name":"get_customer"', '"name":"delete_all","name":"get_customer"'),
    plain.replace('"id":1', '"id":12345678901234567890'),
    plain.replace('"get_customer"', '"a\\nb"'),
    plain.replace('"get_customer"', '7'),
    plain.replace('"arguments":{}', '"arguments":[1]'),
    plain.replace('"subject":"ann",', '').replace('"10.0.0.7:4711"', '""'),
  ])
    assert.equal((await send(gateway, body)).status, 400, body)
})

test('another method is a step under its own name', async (context) => {
  const gateway = await createSampleGateway(context, SIGNERS)
  const { body } = await send(gateway, request('custom/frobnicate', { table: 'a' }))
  assert.equal(body['allowed'], false)
})

test('a request that is not signed with the secret of the principal is refused', async (context) => {
  const gateway = await createSampleGateway(context, SIGNERS)
  const call = callOf('get_customer', { id: 7 })
  assert.equal((await send(gateway, call, 'another secret')).status, 401)
  assert.equal((await send(gateway, call, SECRET, 600)).status, 401)
  assert.equal((await send(gateway, call, SECRET, -600)).status, 401)
  assert.equal((await send(gateway, call, SECRET, 0, 'other')).status, 401)
  assert.equal((await send(gateway, '{')).status, 400)
  assert.equal((await send(gateway, { uid: 'u' })).status, 400)
})

test('a signature is of the timestamp and the bytes', () => {
  const body = Buffer.from('{}')
  const signature = `sha256=${createHmac('sha256', SECRET).update('1000.{}').digest('hex')}`
  const signed = { timestamp: '1000', signature, body }
  assert.ok(isSigned(SECRET, signed, 1_000_000))
  assert.ok(!isSigned(SECRET, { ...signed, timestamp: '1001' }, 1_000_000))
  assert.ok(!isSigned(SECRET, { ...signed, body: Buffer.from('{ }') }, 1_000_000))
  assert.ok(!isSigned(SECRET, { ...signed, signature: signature.slice(0, -1) }, 1_000_000))
  assert.ok(!isSigned(SECRET, { ...signed, signature: '' }, 1_000_000))
  assert.ok(!isSigned(SECRET, { ...signed, timestamp: '1e3' }, 1_000_000))
})
