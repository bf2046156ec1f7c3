import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, PlimsollError, eventSchema } from '@plimsoll/contracts'
import { type GatewayClientOptions, connectGateway } from './gateway.js'
import { type ConnectOptions, connectClient } from './kafka.js'
import { createRig, passUntil, withCode } from './testing/two-modes.js'

const ofSession = (events: readonly Event[], id: string) => events.filter(({ sessionId }) => sessionId === id)

const VERDICTS = [
  { tool: 'read_file', verdict: 'allow', mayRun: true },
  { tool: 'some_new_tool', verdict: 'warn', mayRun: true },
  { tool: 'refund', verdict: 'confirm', mayRun: false },
  { tool: 'wipe_disk', verdict: 'block', mayRun: false },
] as const

for (const { tool, verdict, mayRun } of VERDICTS)
  test(`\`${tool}\` gets ${verdict}`, async (t) => {
    const { client } = await createRig(t)
    const session = await client.startSession()
    const answer = await session.propose({ tool, callId: 'call-1' })
    assert.deepEqual([answer.verdict, answer.mayRun, answer.by], [verdict, mayRun, 'decision'])
    assert.equal(answer.decision?.callId, 'call-1')
  })

test("publishes a session's events in order, numbered from 0, without arguments", async (t) => {
  const { client, loop } = await createRig(t)
  const session = await client.startSession({ id: 'one', category: 'communication', agent: 'bob' })
  const read = await session.propose({ tool: 'read_file', arguments: { path: 'secret.txt' } })
  await session.complete(read, { labels: { confidentiality: 'sensitive' }, taint: 'data' })
  const sent = await session.propose({ tool: 'send_email', evidence: 'present' })
  assert.equal(sent.verdict, 'block')
  await session.end('completed')
  await loop.whenEvent(({ type }) => type === 'session.ended')
  assert.deepEqual(
    loop.events.map(({ type, seq }) => [type, seq]),
    [
      ['session.started', 0],
      ['step.proposed', 1],
      ['step.completed', 2],
      ['step.proposed', 3],
      ['session.ended', 4],
    ],
  )
  assert.equal(new Set(loop.events.map(({ id }) => id)).size, 5)
  assert.equal(new Set(loop.events.map(({ producer }) => producer)).size, 1)
  assert.ok(!JSON.stringify(loop.events).includes('secret.txt'))
  assert.deepEqual(loop.faults, [])
})

test('decides concurrent proposals in their order', async (t) => {
  const { client, loop, produced } = await createRig(t)
  const session = await client.startSession()
  const answers = await Promise.all(
    ['read_file', 'refund', 'wipe_disk'].map((tool) => session.propose({ tool })),
  )
  assert.deepEqual(
    answers.map(({ verdict }) => verdict),
    ['allow', 'confirm', 'block'],
  )
  assert.deepEqual(
    loop.events.slice(1).map((event) => event.type === 'step.proposed' && event.tool),
    ['read_file', 'refund', 'wipe_disk'],
  )
  assert.equal(produced.flat().length, 4)
  assert.ok(produced.length <= 2, 'what is queued together goes together')
})

test('keeps the order of each of many sessions', async (t) => {
  const { client, loop } = await createRig(t)
  const SESSIONS = 300
  const STEPS = 5
  const play = async (_: unknown, i: number) => {
    const session = await client.startSession({ id: `session-${i}` })
    for (let step = 1; step <= STEPS; step++) {
      const answer = await session.propose({ tool: 'read_file' })
      assert.equal(answer.decision?.step, step)
      await session.complete(answer)
    }
    await session.end()
  }
  await Promise.all(Array.from({ length: SESSIONS }, play))
  await client.close()
  const numbers = (id: string) => ofSession(loop.events, id).map(({ seq }) => seq)
  await Promise.all(
    Array.from({ length: SESSIONS }, (_, i) =>
      loop.whenEvent((event) => event.type === 'session.ended' && event.sessionId === `session-${i}`),
    ),
  )
  for (let i = 0; i < SESSIONS; i++)
    assert.deepEqual(
      numbers(`session-${i}`),
      Array.from({ length: 2 * STEPS + 2 }, (_, seq) => seq),
    )
  assert.deepEqual(loop.faults, [])
  const { decided, failedOpen, failedClosed, late, queued } = client.stats()
  assert.deepEqual([decided, failedOpen, failedClosed, late, queued], [SESSIONS * STEPS, 0, 0, 0, 0])
})

test('refuses values that no event can hold, without using a number', async (t) => {
  const { client, loop } = await createRig(t)
  const session = await client.startSession()
  await assert.rejects(session.propose({ tool: 'send mail' }), withCode('schema_invalid'))
  await assert.rejects(client.startSession({ category: '' }), withCode('schema_invalid'))
  await assert.rejects(client.startSession({ id: session.id }), withCode('session_already_started'))
  const answer = await session.propose({ tool: 'read_file' })
  const result = { labels: { tags: Array<string>(17).fill('pii') } }
  await assert.rejects(session.complete(answer, result), withCode('schema_invalid'))
  await session.complete(answer)
  assert.equal((await session.propose({ tool: 'read_file' })).decision?.step, 2)
  assert.deepEqual(loop.faults, [])
})

test('ignores foreign decisions, counts undecodable ones, takes repeated ones once', async (t) => {
  const { client, log, topics, loop } = await createRig(t)
  const session = await client.startSession({ id: 'one' })
  const first = await session.propose({ tool: 'read_file' })
  const foreign = Array.from({ length: 5_000 }, (_, i) => ({
    key: `other-${i}`,
    value: JSON.stringify({ ...first.decision, sessionId: `other-${i}`, id: `other-${i}#event#step` }),
  }))
  await log.produce(topics.decisions, foreign)
  const swapped = { ...first.decision, id: 'two#event#step', sessionId: 'two' }
  await log.produce(topics.decisions, [
    { key: 'one', value: 'not json' },
    { key: 'one', value: '{}' },
    { key: 'one', value: null },
    { key: null, value: '{}' },
    { key: 'one', value: JSON.stringify(swapped) },
  ])
  await loop.repeatDecisions()
  const second = await session.propose({ tool: 'refund' })
  assert.equal(second.verdict, 'confirm')
  const { undecodable, duplicates, decided, late } = client.stats()
  assert.deepEqual([undecodable, duplicates, decided, late], [5, 1, 2, 0])
})

test('an option that a client has not is refused before it connects', async (t) => {
  const { client } = await createRig(t)
  const withCatalogue: object = { url: 'http://127.0.0.1:1', credential: 'key', documents: {} }
  await assert.rejects(
    connectGateway(withCatalogue as GatewayClientOptions),
    new PlimsollError('config_invalid', '`connectGateway` has no option `documents`: use `{ catalogue }`'),
  )
  const withTopic: object = { brokers: ['127.0.0.1:1'], topicPrefx: 'plimsoll' }
  await assert.rejects(
    connectClient(withTopic as ConnectOptions),
    new PlimsollError(
      'config_invalid',
      '`connectClient` has no option `topicPrefx`: did you mean `topicPrefix`?',
    ),
  )
  const named: object = { sessionId: 'one' }
  await assert.rejects(
    client.startSession(named),
    new PlimsollError('schema_invalid', '`startSession` has no option `sessionId`: use `id`'),
  )
})

test('an ended session is forgotten once its proposals are answered', async (t) => {
  const { client, loop, time } = await createRig(t, { settings: { limits: { sessionsMax: 1 } } })
  const session = await client.startSession()
  const open = session.propose({ tool: 'read_file' })
  const end = session.end()
  await assert.rejects(session.propose({ tool: 'read_file' }), withCode('session_ended'))
  await assert.rejects(client.startSession(), withCode('queue_full'))
  assert.equal((await open).verdict, 'allow')
  await end
  await session.end()
  await loop.whenEvent(({ type }) => type === 'session.ended')
  await client.startSession()
  assert.equal(time.pending(), 0)
})

test('an idle session makes room, is reported in full, and is refused from then on', async (t) => {
  const settings = { limits: { sessionsMax: 1, idleMs: 60_000 }, timeoutMs: 10 }
  const { client, loop, time } = await createRig(t, {
    settings,
    isLost: ({ type }) => type === 'step.proposed',
  })
  const session = await client.startSession({ id: 'one' })
  const ran = await passUntil(time, session.propose({ tool: 'read_file' }))
  assert.equal(ran.by, 'fail_open')
  await assert.rejects(client.startSession(), withCode('queue_full'))
  time.pass(60_001)
  await client.startSession({ id: 'two' })
  for (const refused of [session.propose({ tool: 'read_file' }), session.complete(ran)])
    await assert.rejects(refused, withCode('session_ended'))
  await session.end()
  await loop.whenEvent(({ type, sessionId }) => type === 'step.completed' && sessionId === 'one')
  await assert.rejects(client.startSession(), withCode('queue_full'))
})

test('`close` sends queued events, then refuses everything', async (t) => {
  const { client, produced } = await createRig(t)
  const session = await client.startSession()
  const answer = await session.propose({ tool: 'read_file' })
  const reported = session.complete(answer)
  await Promise.all([client.close(), client.close(), reported])
  const last = eventSchema.parse(JSON.parse(produced.at(-1)?.at(-1) ?? ''))
  assert.equal(last.type, 'step.completed')
  await assert.rejects(session.propose({ tool: 'read_file' }), withCode('closed'))
  await assert.rejects(session.complete(answer), withCode('closed'))
  await assert.rejects(client.startSession(), withCode('closed'))
})
