import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpAnswerSchema, type HttpAnswer } from '@plimsoll/contracts'
import { createSampleGateway, type Posted, type SampleGateway } from '../testing/sample-gateway.js'

const CUSTOMER = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const LEAK = {
  tool: 'send_email',
  arguments: { to: 'press@example.org', body: 'account 7730194422, KX-48217' },
}
const REFUND = { tool: 'no_such_tool', arguments: { amount: 12 } }

/** The answer, which is of the shape that is published. */
function answerOf({ status, body }: Posted): HttpAnswer {
  assert.equal(status, 200, JSON.stringify(body))
  return httpAnswerSchema.parse(body)
}

async function startOf({ post }: SampleGateway, reported: object = {}, by?: string): Promise<string> {
  const { status, body } = await post('/v1/sessions', reported, by)
  assert.equal(status, 200, JSON.stringify(body))
  return String(body['session'])
}

test('blocks the mail of confidential data', async (t) => {
  const { post } = await createSampleGateway(t)
  const { body } = await post('/v1/sessions', { category: 'data_handling', task: 'write to the press' })
  const session = String(body['session'])
  const read = answerOf(await post('/v1/check', { session, tool: 'get_customer', arguments: { id: 7 } }))
  assert.deepEqual([read.verdict, read.mayRun, read.by], ['allow', true, 'decision'])
  assert.equal(read.sessionId, body['sessionId'])
  const reported = await post('/v1/complete', { session, callId: read.callId, result: CUSTOMER })
  assert.deepEqual(reported, { status: 204, body: {} })
  const send = answerOf(await post('/v1/check', { session, ...LEAK }))
  assert.deepEqual([send.verdict, send.mayRun], ['block', false])
  assert.match(send.message, /^`send_email` was blocked: .*sensitive data/)
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await post('/v1/end', { session, outcome: 'failed' }), { status: 204, body: {} })
  const after = await post('/v1/check', { session, ...LEAK })
  assert.deepEqual([after.status, errorOf(after)], [410, 'session_ended'])
})

test('instructions count like the task', async (t) => {
  const { post } = await createSampleGateway(t)
  const read = async (which: object) => {
    const { callId } = answerOf(await post('/v1/check', { ...which, tool: 'get_customer' }))
    await post('/v1/complete', { ...which, callId, result: CUSTOMER })
  }
  const evidenceOf = async (which: object) => {
    const body = { to: 'press@example.org', body: 'KX-48217' }
    const answer = answerOf(await post('/v1/check', { ...which, tool: 'send_email', arguments: body }))
    return answer.decision?.risk?.evidence
  }
  const text = 'send KX-48217 to press@example.org'
  const session = String((await post('/v1/sessions', { task: 'look it up' })).body['session'])
  for (const which of [{ session }, { user: 'joe' }, { user: 'kim' }]) await read(which)
  for (const which of [{ session }, { user: 'joe' }])
    assert.deepEqual(await post('/v1/instruct', { ...which, text }), { status: 204, body: {} })
  assert.equal(await evidenceOf({ session }), 'absent')
  assert.equal(await evidenceOf({ user: 'joe' }), 'absent')
  assert.equal(await evidenceOf({ user: 'kim' }), 'present')
})

test('an instruction starts no session and has a length limit', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post } = gateway
  const unknown = await post('/v1/instruct', { user: 'joe', text: 'go on' })
  assert.deepEqual([unknown.status, errorOf(unknown)], [404, 'session_unknown'])
  const session = await startOf(gateway)
  for (const body of [{}, { text: 7 }, { text: 'x'.repeat(65_537) }, { text: 'a', task: 'b' }])
    assert.equal((await post('/v1/instruct', { session, ...body })).status, 400)
  assert.equal((await post('/v1/instruct', { session, text: 'x'.repeat(65_536) })).status, 204)
  await post('/v1/end', { session })
  const ended = await post('/v1/instruct', { session, text: 'go on' })
  assert.deepEqual([ended.status, errorOf(ended)], [410, 'session_ended'])
})

test('without a session in the request, each user has one', async (t) => {
  const { post } = await createSampleGateway(t)
  const ask = async (user: string | undefined, by?: string) =>
    answerOf(await post('/v1/check', { user, tool: 'read_file', arguments: { path: 'a' } }, by)).sessionId
  const [first, second] = await Promise.all([ask('joe'), ask('joe')])
  assert.equal(first, second, 'two first steps at once are of one session')
  const others = await Promise.all([ask('joe'), ask('kim'), ask(undefined), ask('joe', 'bob')])
  assert.equal(others[0], first)
  assert.equal(new Set(others).size, 4)
  for (let i = 0; i < 2; i++) assert.equal((await post('/v1/end', { user: 'joe' })).status, 204)
  assert.notEqual(await ask('joe'), first)
})

test('an implicitly started session is also found by the token of its answers', async (t) => {
  const { post } = await createSampleGateway(t)
  const { session, sessionId } = answerOf(await post('/v1/check', { user: 'joe', tool: 'read_file' }))
  assert.equal(answerOf(await post('/v1/check', { session, tool: 'read_file' })).sessionId, sessionId)
})

test("answers another principal's session like an unknown one", async (t) => {
  const gateway = await createSampleGateway(t)
  const { post } = gateway
  const session = await startOf(gateway)
  const { callId } = answerOf(await post('/v1/check', { session, tool: 'read_file' }))
  const bodies: Readonly<Record<string, object>> = {
    '/v1/check': { tool: 'read_file' },
    '/v1/complete': { callId },
    '/v1/instruct': { text: 'go on' },
    '/v1/resolution': { callId },
    '/v1/end': {},
  }
  for (const [path, body] of Object.entries(bodies)) {
    const his = await post(path, { ...body, session }, 'bob')
    const nobodys = await post(path, { ...body, session: 'made-up' }, 'bob')
    assert.equal(his.status, 404, path)
    assert.deepEqual(his, nobodys, path)
  }
  const child = await post('/v1/sessions', { parent: session }, 'bob')
  assert.equal(child.status, 404)
  assert.equal(answerOf(await post('/v1/check', { session, tool: 'read_file' })).mayRun, true)
})

test('a repeated request gets the same answer and counts once', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post, guard } = gateway
  const session = await startOf(gateway)
  const step = { session, callId: 'c-1', tool: 'read_file', arguments: { path: 'a' } }
  const [first, second] = await Promise.all([post('/v1/check', step), post('/v1/check', step)])
  assert.deepEqual(second, first)
  assert.deepEqual(await post('/v1/check', step), first)
  assert.equal(guard.stats().proposed, 1)
  const other = await post('/v1/check', { ...step, arguments: { path: 'b' } })
  assert.deepEqual([other.status, errorOf(other)], [409, 'call_conflict'])
  const done = { session, callId: 'c-1' }
  for (let i = 0; i < 3; i++) assert.equal((await post('/v1/complete', done)).status, 204)
  const next = answerOf(await post('/v1/check', { session, tool: 'read_file' }))
  assert.equal(next.decision?.risk?.withoutVerdict, 0, 'it ran once')
  const again = answerOf(await post('/v1/check', step))
  assert.equal(again.decision?.step, 3, 'a step that has run is proposed again')
})

test('waits for a human who answers in time or later', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post, guard } = gateway
  const session = await startOf(gateway)
  const asked = answerOf(await post('/v1/check', { session, ...REFUND, callId: 'c-1' }))
  assert.deepEqual([asked.verdict, asked.mayRun], ['confirm', false])
  const still = answerOf(await post('/v1/resolution', { session, callId: 'c-1', waitMs: 5 }))
  assert.equal(still.verdict, 'confirm')
  const waiting = post('/v1/resolution', { session, callId: 'c-1', waitMs: 30_000 })
  await guard.approve(asked, { by: 'ada', resolution: 'approved' })
  const settled = answerOf(await waiting)
  assert.equal(settled.mayRun, true)
  assert.deepEqual(answerOf(await post('/v1/resolution', { session, callId: 'c-1' })), settled)
  assert.deepEqual(answerOf(await post('/v1/check', { session, ...REFUND, callId: 'c-1' })), settled)
  const unknown = await post('/v1/resolution', { session, callId: 'c-2' })
  assert.deepEqual([unknown.status, errorOf(unknown)], [404, 'approval_unknown'])
})

test('a step that waits for approval is not complete, unless it ran all the same', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post, guard } = gateway
  const session = await startOf(gateway)
  const asked = answerOf(await post('/v1/check', { session, ...REFUND, callId: 'c-1' }))
  assert.equal(asked.verdict, 'confirm')
  const early = await post('/v1/complete', { session, callId: 'c-1' })
  assert.deepEqual([early.status, errorOf(early)], [409, 'step_blocked'])
  assert.match(messageOf(early), /^call `c-1` waits for approval .*`\/v1\/resolution`.* send its `tool` too$/)
  await guard.approve(asked, { by: 'ada', resolution: 'approved' })
  assert.equal((await post('/v1/complete', { session, callId: 'c-1' })).status, 204, 'it was approved')
  await post('/v1/check', { session, ...REFUND, callId: 'c-2' })
  const ran = await post('/v1/complete', { session, callId: 'c-2', tool: REFUND.tool })
  assert.equal(ran.status, 204)
  const next = answerOf(await post('/v1/check', { session, tool: 'read_file' }))
  assert.equal(next.decision?.risk?.violations, 1, 'only the second ran without an approval')
})

test('a check may wait for its approval', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post, guard } = gateway
  const session = await startOf(gateway)
  const waiting = post('/v1/check', { session, ...REFUND, callId: 'c-1', waitMs: 30_000 })
  const asked = answerOf(await post('/v1/check', { session, ...REFUND, callId: 'c-1' }))
  await guard.approve(asked, { by: 'ada', resolution: 'denied' })
  assert.equal(answerOf(await waiting).verdict, 'block')
})

test('reports steps that ran without a check', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post } = gateway
  const session = await startOf(gateway)
  const unnamed = await post('/v1/complete', { session, callId: 'c-9' })
  assert.deepEqual([unnamed.status, errorOf(unnamed)], [400, 'schema_invalid'])
  assert.equal((await post('/v1/complete', { session, callId: 'c-9', tool: 'read_file' })).status, 204)
  const { decision } = answerOf(await post('/v1/check', { session, tool: 'read_file' }))
  assert.equal(decision?.risk?.withoutVerdict, 1)
})

test('compares the arguments that ran with the proposed ones', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post } = gateway
  const session = await startOf(gateway)
  for (const [ran, withoutVerdict] of [
    ['a', 0],
    ['b', 1],
  ] as const) {
    const asked = await post('/v1/check', { session, tool: 'read_file', arguments: { path: 'a' } })
    const reported = { session, callId: answerOf(asked).callId, arguments: { path: ran } }
    assert.equal((await post('/v1/complete', reported)).status, 204)
    const { decision } = answerOf(await post('/v1/check', { session, tool: 'read_file' }))
    assert.equal(decision?.risk?.withoutVerdict, withoutVerdict, ran)
  }
})

test('a sub-agent inherits from its parent and hands back what it read', async (t) => {
  const gateway = await createSampleGateway(t)
  const { post } = gateway
  const parent = await startOf(gateway, { category: 'data_handling' })
  const delegated = answerOf(
    await post('/v1/check', { session: parent, tool: 'read_file', arguments: { path: 'a' } }),
  )
  const child = await startOf(gateway, { parent })
  const read = answerOf(
    await post('/v1/check', { session: child, tool: 'get_customer', arguments: { id: 7 } }),
  )
  await post('/v1/complete', { session: child, callId: read.callId, result: CUSTOMER })
  const back = await post('/v1/complete', { session: parent, callId: delegated.callId, child })
  assert.equal(back.status, 204)
  const send = answerOf(await post('/v1/check', { session: parent, ...LEAK }))
  assert.equal(send.verdict, 'block')
})

const messageOf = ({ body }: Posted): string => (body['error'] as { message: string }).message
const errorOf = ({ body }: Posted): unknown => (body['error'] as { code: unknown }).code
