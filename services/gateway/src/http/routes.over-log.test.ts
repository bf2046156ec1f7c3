import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { topicsOf, type Event } from '@plimsoll/contracts'
import { noMetrics, silentLogger, type LogRecord } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createPrincipalClients } from '../sessions/principal-clients.js'
import { createDecisionRouter } from '../sessions/decision-router.js'
import { createServedGateway } from '../testing/sample-gateway.js'

const topics = topicsOf()
const log = createEmbeddedLog()
after(() => log.close())
await log.createTopics([topics.events, topics.decisions].map((topic) => ({ topic, partitions: 2 })))
const records: LogRecord[] = []
await log.tail(topics.events, (record) => void records.push(record))

/** A gateway over the log, to which no monitor answers: the fail modes do. */
async function startGateway(identityKey?: string) {
  const switchboard = await createDecisionRouter(log, topics)
  const clients = createPrincipalClients(switchboard, { identityKey, timeoutMs: 1 })
  const clientOf: typeof clients.of = (principal) => clients.of(principal)
  const gateway = await createServedGateway({ clientOf, logger: silentLogger, metrics: noMetrics })
  after(async () => {
    await gateway.app.close()
    await clients.close()
    await switchboard.close()
  })
  return gateway
}

const KEY = 'an identity key for this test alone'
const first = await startGateway(KEY)
const second = await startGateway(KEY)
const { body: started } = await first.post('/v1/sessions', { category: 'data_handling', user: 'joe' })
const session = String(started['session'])
const step = { session, tool: 'read_file' }

const eventsOf = (sessionId: unknown): Event[] =>
  records
    .map(({ value }) => JSON.parse(String(value)) as Event)
    .filter((event) => event.sessionId === sessionId)

test('another gateway continues a session by its token', async () => {
  for (const { post } of [first, second, second, first]) {
    const { status, body } = await post('/v1/check', step)
    // What was blocked at the first the second does not know: it lets nothing run without a verdict.
    const by = post === first.post ? 'fail_open' : 'fail_closed'
    assert.deepEqual([status, body['sessionId'], body['by']], [200, started['sessionId'], by])
  }
  const types = eventsOf(started['sessionId']).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'session.started').length, 1)
})

const [header = '', payload = '', signature = ''] = session.split('.')
const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
const changed = (over: object) =>
  [header, Buffer.from(JSON.stringify({ ...claims, ...over })).toString('base64url'), signature].join('.')

const FOREIGN: readonly (readonly [what: string, token: string, by: string])[] = [
  ["another principal's", session, 'bob'],
  ['one whose session is another', changed({ sid: 'default~ann:made-up' }), 'ann'],
  ['of another principal, by a changed claim', changed({ sub: 'bob', sid: 'default~bob:made-up' }), 'bob'],
  ['one without a signature', [header, payload, 'a'.repeat(43)].join('.'), 'ann'],
  ['without claims', '..', 'ann'],
  ['cut short', session.slice(0, -1), 'ann'],
]

for (const [what, token, by] of FOREIGN)
  test(`refuses a token: ${what}`, async () => {
    for (const { post } of [first, second]) {
      const { status, body } = await post('/v1/check', { ...step, session: token }, by)
      assert.deepEqual([status, (body['error'] as { code: string }).code], [404, 'session_unknown'])
    }
  })

test("a request's trace is sent with its step", async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const reported = { traceparent, tracestate: 'a=1' }
  const { body } = await first.post('/v1/check', { ...step, callId: 'traced' }, 'ann', reported)
  assert.equal(body['callId'], 'traced')
  const traced = () => records.filter(({ value }) => String(value).includes('"traced"'))
  while (traced().length === 0) await new Promise((resolve) => setImmediate(resolve))
  const headers = traced().map(({ headers }) => headers)
  assert.deepEqual(
    headers.map((each) => [String(each['traceparent']), String(each['tracestate'])]),
    [[traceparent, 'a=1']],
  )
  for (const odd of ['', 'a', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`]) {
    const { status } = await first.post('/v1/check', step, 'ann', { traceparent: odd })
    assert.equal(status, 200, 'the standard has it ignored')
  }
})

test('without an identity key only its own gateway knows a session', async () => {
  const alone = await startGateway()
  const { body } = await alone.post('/v1/sessions', {})
  const mine = await alone.post('/v1/check', { ...step, session: body['session'] })
  assert.equal(mine.status, 200)
  const { status } = await (await startGateway()).post('/v1/check', { ...step, session: body['session'] })
  assert.equal(status, 404)
})
