import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from './guard.js'
import type { OnConfirm } from './session.js'
import { createManualTime, testDocuments, withCode } from './testing/two-modes.js'
import { createTestGuard } from './testing/test-guard.js'

test('an approval lets the step run; `approve` and `resolution` return the same', async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund', arguments: { amount: 3 } })
  const waiting = session.resolution(asked)
  const approved = await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.equal(approved.mayRun, true)
  assert.deepEqual(await waiting, approved)
  assert.deepEqual(await session.resolution(asked), approved)
  assert.deepEqual(await session.resolution(approved), approved)
  await assert.rejects(
    guard.approve(asked, { by: 'ann', resolution: 'approved' }),
    withCode('approval_unknown'),
  )
  await session.complete(approved)
})
test("a denial blocks; approvals use none of the agent's numbers", async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const denied = await guard.approve(asked, { by: 'ann', resolution: 'denied', reason: 'too much' })
  assert.deepEqual([denied.verdict, (await session.resolution(asked)).verdict], ['block', 'block'])
  assert.equal((await session.propose({ tool: 'read_file' })).verdict, 'allow')
})

test('an unanswered approval request ends as a block', async () => {
  const { guard, time } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const waiting = session.resolution(asked)
  time.pass(900_000)
  const expired = await waiting
  assert.deepEqual([expired.verdict, expired.by, expired.mayRun], ['block', 'fail_closed', false])
  assert.equal(guard.stats().expired, 1)
  const late = await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.deepEqual(
    late.decision?.reasons.map(({ code }) => code),
    ['approval_expired'],
  )
  assert.equal((await session.resolution(asked)).verdict, 'block')
  assert.equal(time.pending(), 0)
})

test('`resolution` returns the `confirm` after its timeout, and can be called again', async () => {
  const { guard, time } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const waiting = session.resolution(asked, { timeoutMs: 1_000 })
  time.pass(1_000)
  assert.equal((await waiting).verdict, 'confirm')
  const again = session.resolution(asked)
  await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.equal((await again).verdict, 'allow')
})
test('refuses to approve an answer of another guard', async () => {
  const [here, there] = [await createTestGuard(), await createTestGuard()]
  const asked = await (await there.guard.startSession()).propose({ tool: 'refund' })
  const session = await here.guard.startSession()
  await assert.rejects(session.resolution(asked), withCode('approval_unknown'))
  await assert.rejects(
    here.guard.approve(asked, { by: 'ann', resolution: 'approved' }),
    withCode('approval_unknown'),
  )
})
const REPLIES: readonly (readonly [string, OnConfirm, string])[] = [
  ['a word', () => 'approved', 'ran'],
  ['a promise of a word', async () => 'denied' as const, 'onConfirm` denied'],
  ['an approval', async () => ({ resolution: 'denied', by: 'ada', reason: 'no' }), 'ada` denied'],
  ['nothing', async () => undefined, 'waits for approval'],
  ['an error', async () => Promise.reject(new Error('the chat is down')), 'waits for approval'],
]

for (const [what, onConfirm, expected] of REPLIES)
  test(`onConfirm gives ${what}`, async () => {
    const guard = await createGuard({ documents: await testDocuments(), onConfirm })
    const session = await guard.startSession()
    const outcome = await session.run({ tool: 'refund' }, () => 'ran').catch(String)
    assert.ok(outcome.includes(expected), outcome)
    await guard.close()
  })

test('onConfirm of a call goes before that of the guard', async () => {
  const guard = await createGuard({ documents: await testDocuments(), onConfirm: () => 'denied' })
  const session = await guard.startSession()
  assert.equal(await session.run({ tool: 'refund' }, () => 'ran', { onConfirm: () => 'approved' }), 'ran')
  await guard.close()
})

test('a request that expires while onConfirm asks is blocked', async () => {
  const { clock, timers, pass } = createManualTime()
  const guard = await createGuard({
    documents: await testDocuments(),
    clock,
    timers,
    onConfirm: () => new Promise(() => {}),
  })
  const session = await guard.startSession()
  const refunding = session.run({ tool: 'refund' }, () => 'ran')
  await new Promise(setImmediate)
  pass(901_000)
  await assert.rejects(refunding, /was not approved in time/)
  await guard.close()
})
