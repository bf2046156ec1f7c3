import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { type ErrorCode, ERRORS, PlimsollError } from '@plimsoll/contracts'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { createAuthenticator, hashOfKey } from '../auth/authenticator.js'
import { parsePrincipals } from '../auth/principals.js'
import type { GatewayPlugin } from '../context.js'
import { createServer, statusOf } from './server.js'

const authenticate = createAuthenticator(
  parsePrincipals({ principals: [{ name: 'bot', keys: [hashOfKey('key-of-bot')] }] }),
)
const headers = { authorization: 'Bearer key-of-bot' }

const routes: GatewayPlugin = (app, { principalOf }) => {
  app.get('/who', async (request) => ({ name: principalOf(request).name }))
  app.get('/open', { config: { open: true } }, async () => ({ open: true }))
  app.get('/refused', async () => {
    throw new PlimsollError('session_ended', 'session `a` has ended')
  })
  app.get('/defect', async () => {
    throw new Error('the password is hunter2')
  })
  app.post('/echo', async (request) => request.body)
}

const served = () => {
  const clientOf = () => Promise.reject(new Error('not asked for here'))
  const context = { clientOf, logger: silentLogger, metrics: noMetrics }
  return createServer({ authenticate, plugins: [routes], context })
}

describe('the server', () => {
  test('routes get the authenticated principal', async () => {
    const answer = await (await served()).inject({ url: '/who', headers })
    assert.deepEqual(answer.json(), { name: 'bot' })
  })

  test('an open route needs no authentication', async () => {
    assert.equal((await (await served()).inject('/open')).statusCode, 200)
  })

  const refusals = [
    ['without a key', { url: '/who' }, 401, 'unauthenticated'],
    ['where there is nothing, without a key', { url: '/nothing' }, 401, 'unauthenticated'],
    ['where there is nothing', { url: '/nothing', headers }, 404, 'schema_invalid'],
    ['by an error of the catalogue', { url: '/refused', headers }, 410, 'session_ended'],
    ['by a defect, without its details', { url: '/defect', headers }, 500, 'engine_failed'],
    ['a body that is no JSON', post('{'), 400, 'schema_invalid'],
    ['a body that is too large', post(JSON.stringify('x'.repeat(1024 * 1024))), 413, 'event_oversize'],
  ] as const
  for (const [what, request, status, code] of refusals)
    test(`${what}: ${status}`, async () => {
      const answer = await (await served()).inject(request)
      assert.equal(answer.statusCode, status)
      assert.equal(answer.json<{ error: { code: string } }>().error.code, code)
      assert.doesNotMatch(answer.body, /hunter2/)
    })
})

test('the reference page lists every status and code, and no others', async () => {
  const page = await readFile(new URL('../../../../docs/reference/http.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| (\d{3}) \| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, status = '', codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => `${status} ${code}`),
  )
  const answered = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => statusOf(code) !== 500)
    .map((code) => `${statusOf(code)} ${code}`)
  assert.deepEqual(listed.toSorted(), [...answered, '500 engine_failed'].toSorted())
})

function post(body: string) {
  return {
    method: 'POST',
    url: '/echo',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  } as const
}
