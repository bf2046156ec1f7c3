import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision } from '@plimsoll/contracts'
import { type Rig, createRig, withCode } from './testing/two-modes.js'

async function ask({ client }: Pick<Rig, 'client'>) {
  const session = await client.startSession({ id: 'one' })
  const asked = await session.propose({ tool: 'refund', arguments: { amount: 3 } })
  assert.equal(asked.verdict, 'confirm')
  return { session, asked }
}

test('an approval lets the step run', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const waiting = session.resolution(asked)
  await rig.approve(asked.decision)
  const answer = await waiting
  assert.deepEqual([answer.verdict, answer.mayRun, answer.by], ['allow', true, 'decision'])
  assert.equal(answer.decision?.kind, 'approval')
  await session.complete(answer)
  assert.deepEqual(await session.resolution(asked), answer)
  assert.deepEqual(rig.loop.faults, [])
  assert.equal(rig.time.pending(), 0)
})

test('keeps an approval that arrives before anyone waits', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  await rig.approve(asked.decision)
  await session.propose({ tool: 'read_file' })
  assert.equal((await session.resolution(asked)).mayRun, true)
})

test('a denial blocks', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const waiting = session.resolution(asked)
  await rig.approve(asked.decision, 'denied')
  const answer = await waiting
  assert.deepEqual([answer.verdict, answer.decision?.reasons[0]?.code], ['block', 'approval_denied'])
})

test('waits again when an approval leads to another request', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const waiting = session.resolution(asked)
  const { decision } = asked
  assert.ok(decision)
  const id = 'one#approval#approval'
  const time = decision.time + 800_000
  const again: Decision = {
    ...decision,
    id,
    kind: 'approval',
    eventId: 'approval',
    time,
    expiresAt: time + 900_000,
  }
  rig.time.pass(800_000)
  await rig.log.produce(rig.topics.decisions, [{ key: 'one', value: JSON.stringify(again) }])
  await session.propose({ tool: 'read_file' })
  rig.time.pass(800_000)
  await rig.log.produce(rig.topics.decisions, [
    { key: 'one', value: JSON.stringify({ ...again, id: 'one#second#approval', verdict: 'allow' }) },
  ])
  assert.equal((await waiting).verdict, 'allow')
})

test("an unanswered request expires by the log's time, whatever the local clock", async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const waiting = session.resolution(asked)
  rig.time.pass(899_999)
  assert.equal(rig.client.stats().expired, 0)
  rig.time.pass(1)
  const answer = await waiting
  assert.deepEqual([answer.verdict, answer.by, answer.decision?.verdict], ['block', 'fail_closed', 'confirm'])
  assert.equal(rig.client.stats().expired, 1)
  assert.equal((await session.resolution(asked)).verdict, 'block')
})

test('an approval after the client gave up releases the place', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const { decision } = asked
  assert.ok(decision)
  const waiting = session.resolution(asked)
  rig.time.pass(900_000)
  assert.equal((await waiting).mayRun, false)
  const allow = { ...decision, id: 'one#late#approval', kind: 'approval', verdict: 'allow' }
  await rig.log.produce(rig.topics.decisions, [{ key: 'one', value: JSON.stringify(allow) }])
  const reported = await rig.loop.whenEvent(({ type }) => type === 'step.completed')
  assert.equal(reported.type === 'step.completed' && reported.callId, asked.callId)
  assert.equal(rig.client.stats().late, 1)
})

test('an alert settles no wait', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const { decision } = asked
  assert.ok(decision)
  const waiting = session.resolution(asked)
  const alert = { ...decision, id: `${decision.id}#alert`, kind: 'alert', verdict: 'warn' }
  await rig.log.produce(rig.topics.decisions, [{ key: 'one', value: JSON.stringify(alert) }])
  await rig.approve(decision, 'denied')
  assert.deepEqual([(await waiting).verdict, rig.client.stats().late], ['block', 0])
})

test('`resolution` has its own timeout and signal', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const short = session.resolution(asked, { timeoutMs: 50 })
  rig.time.pass(50)
  assert.equal((await short).verdict, 'confirm')
  const reason = new Error('the user pressed stop')
  const controller = new AbortController()
  const aborted = session.resolution(asked, { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(aborted, reason)
  await assert.rejects(session.resolution(asked, { signal: AbortSignal.abort(reason) }), reason)
  assert.equal(rig.time.pending(), 0)
  await rig.approve(asked.decision)
  assert.equal((await session.resolution(asked)).mayRun, true)
})

test('waits only for approval requests of this session', async (t) => {
  const rig = await createRig(t)
  const { asked } = await ask(rig)
  const other = await rig.client.startSession()
  await assert.rejects(other.resolution(asked), withCode('approval_unknown'))
  const allowed = await other.propose({ tool: 'read_file' })
  assert.equal(await other.resolution(allowed), allowed)
})

test('`end` and `close` settle every wait', async (t) => {
  const rig = await createRig(t)
  const { session, asked } = await ask(rig)
  const waiting = session.resolution(asked)
  await session.end()
  assert.equal((await waiting).verdict, 'block')
  const second = await rig.client.startSession()
  const open = second.resolution(await second.propose({ tool: 'refund' }))
  await new Promise(setImmediate)
  await rig.client.close()
  assert.equal((await open).by, 'fail_closed')
  assert.equal(rig.time.pending(), 0)
})
