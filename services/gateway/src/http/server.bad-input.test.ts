import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { ERRORS, httpErrorSchema, type ErrorCode } from '@plimsoll/contracts'
import { createSampleGateway } from '../testing/sample-gateway.js'

const step = (over: object = {}) => ({ tool: 'read_file', ...over })
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))

type Refused = readonly [name: string, path: string, body: unknown, status: number, says: RegExp]

const REFUSED: readonly Refused[] = [
  ['no JSON', '/v1/check', '{"tool":', 400, /not JSON/],
  ['nothing', '/v1/check', '', 400, /empty/i],
  ['no UTF-8', '/v1/check', bytes('{"tool":"a', 0xff, '"}'), 400, /not UTF-8/],
  ['a name twice', '/v1/check', '{"tool":"a","arguments":{"to":"a","to":"b"}}', 400, /`to` twice/],
  [
    'an integer that JSON loses',
    '/v1/check',
    '{"tool":"a","arguments":{"id":9007199254740993}}',
    400,
    /as a string/,
  ],
  ['a list', '/v1/check', [], 400, /expected object/],
  ['null', '/v1/check', 'null', 400, /expected object/],
  ['no tool', '/v1/check', {}, 400, /^tool: /],
  ['a tool with a space', '/v1/check', step({ tool: 'read file' }), 400, /^tool: /],
  ['a tool too long', '/v1/check', step({ tool: 'a'.repeat(201) }), 400, /^tool: /],
  ['arguments that are none', '/v1/check', step({ arguments: ['a'] }), 400, /^arguments: /],
  ['a member misspelt', '/v1/check', step({ argument: {} }), 400, /argument/],
  ['many members misspelt', '/v1/check', step(manyMembers(10_000)), 400, /^body: /],
  [
    'labels that are none',
    '/v1/check',
    step({ labels: { capability: 'fly' } }),
    400,
    /^labels\.capability: /,
  ],
  ['a wait without end', '/v1/check', step({ waitMs: 1e9 }), 400, /^waitMs: /],
  ['a wait that is none', '/v1/check', step({ waitMs: -1 }), 400, /^waitMs: /],
  ['no patience at all', '/v1/check', step({ timeoutMs: 1 }), 400, /^timeoutMs: /],
  ['a call id with a space', '/v1/check', step({ callId: 'a b' }), 400, /^callId: /],
  ['a user with a line break', '/v1/check', step({ user: 'a\nb' }), 400, /^user: /],
  ['a prototype', '/v1/check', '{"tool":"a","arguments":{"__proto__":{"a":1}}}', 400, /not JSON/],
  [
    'a constructor',
    '/v1/check',
    '{"tool":"a","arguments":{"constructor":{"prototype":{}}}}',
    400,
    /not JSON/,
  ],
  ['arguments too deep', '/v1/check', `{"tool":"a","arguments":{"a":${deep(20_000)}}}`, 400, /levels deep/],
  ['more than is read', '/v1/check', step({ arguments: { text: 'a'.repeat(2 ** 20) } }), 413, /too large/],
  ['a session that is none', '/v1/check', step({ session: 7 }), 400, /^session: /],
  ['an unknown session', '/v1/check', step({ session: 'nobody' }), 404, /no such session/],
  ['an unknown parent', '/v1/sessions', { parent: 'nobody' }, 404, /no such session/],
  ['an own id', '/v1/sessions', { id: 'mine' }, 400, /id/],
  ['a handover', '/v1/sessions', { parent: { root: 'a', inherits: {} } }, 400, /^parent: /],
  ['what it inherits', '/v1/sessions', { inherits: { taint: 'none' } }, 400, /inherits/],
  ['fingerprints', '/v1/check', step({ fingerprints: [] }), 400, /fingerprints/],
  ['a digest', '/v1/check', step({ argumentsDigest: 'd'.repeat(64) }), 400, /argumentsDigest/],
  ['an approval', '/v1/resolution', { callId: 'c', resolution: 'approved' }, 400, /resolution/],
  ['no call', '/v1/complete', {}, 400, /^callId: /],
  ['an unknown child', '/v1/complete', { callId: 'c', tool: 'a', child: 'nobody' }, 404, /no such session/],
  [
    'a result too deep',
    '/v1/complete',
    `{"tool":"a","callId":"c","result":${deep(20_000)}}`,
    400,
    /levels deep/,
  ],
  ['an outcome that is none', '/v1/end', { outcome: 'fine' }, 400, /^outcome: /],
  ['an unknown session to end', '/v1/end', { session: 'nobody' }, 404, /no such session/],
]

/** One for all of them: what was refused before does no harm. */
const { app, guard, post } = await createSampleGateway({ after })

for (const [name, path, body, status, says] of REFUSED)
  test(`${name} at ${path}: ${status}`, async () => {
    const answer = await post(path, body)
    const { error } = httpErrorSchema.parse(answer.body)
    const { retryable } = ERRORS[error.code as ErrorCode]
    assert.deepEqual([answer.status, error.retryable], [status, retryable], error.message)
    assert.match(error.message, says)
    assert.match(error.message, /^[^\n]{1,600}$/, 'one short line')
    const next = await post('/v1/check', step())
    assert.equal(next.status, 200, 'the next request is answered')
  })

test('does not read a body without the content type JSON', async () => {
  const headers = { authorization: 'Bearer ann', 'content-type': 'text/plain' }
  const reply = await app.inject({ method: 'POST', url: '/v1/check', headers, payload: '{"tool":"a"}' })
  assert.equal(reply.statusCode, 400)
})

test('without authentication only the OpenAPI document is served', async () => {
  const ask = (method: 'GET' | 'POST', url: string) =>
    app.inject({ method, url, headers: { 'content-type': 'application/json' }, payload: '{"tool":"a"}' })
  for (const path of ['sessions', 'check', 'resolution', 'complete', 'end'])
    assert.equal((await ask('POST', `/v1/${path}`)).statusCode, 401, path)
  const shapes = await app.inject({ method: 'GET', url: '/openapi.json' })
  assert.equal(shapes.statusCode, 200)
  assert.equal(shapes.json<{ openapi: string }>().openapi, '3.1.0')
})

test('releases the place of a step whose caller hangs up', async () => {
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const { body } = await post('/v1/sessions', {})
  const session = String(body['session'])
  const asked = JSON.stringify({ session, tool: 'no_such_tool', callId: 'c-1', waitMs: 30_000 })
  const headers = { authorization: 'Bearer ann', 'content-type': 'application/json' }
  const waiting = request(new URL('/v1/check', url), { method: 'POST', headers })
  const gone = new Promise((resolve) => waiting.once('error', resolve))
  const before = guard.stats().proposed
  waiting.end(asked)
  while (guard.stats().proposed === before) await new Promise((resolve) => setImmediate(resolve))
  waiting.destroy(new Error('hung up'))
  await gone
  const again = await post('/v1/check', { session, tool: 'no_such_tool', callId: 'c-1' })
  assert.equal(again.body['verdict'], 'confirm', 'the same approval still waits')
  assert.equal(guard.stats().proposed, before + 1)
})

function manyMembers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, i]))
}
