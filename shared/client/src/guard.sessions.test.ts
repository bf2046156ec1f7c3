import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { createTestGuard } from './testing/test-guard.js'
import { withCode } from './testing/two-modes.js'

test('caps sessions, drops ended ones, refuses a used id', async () => {
  const { guard } = await createTestGuard({ sessionsMax: 2 })
  const first = await guard.startSession({ id: 'one' })
  await assert.rejects(guard.startSession({ id: 'one' }), withCode('session_already_started'))
  await guard.startSession()
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  await first.end('completed')
  await first.end('completed')
  await assert.rejects(first.propose({ tool: 'read_file' }), withCode('session_ended'))
  await guard.startSession()
  await assert.rejects(guard.startSession({ category: '' }), withCode('queue_full'))
})

test('the id of a session that has ended or was dropped is refused: it must not start again at safe', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 1, idleMs: 60_000 })
  const again = (id: string) =>
    assert.rejects(
      guard.startSession({ id }),
      new PlimsollError(
        'session_already_started',
        `session \`${id}\` was started before and has ended: use a new id`,
      ),
    )
  const ended = await guard.startSession({ id: 'ended' })
  await ended.end()
  await again('ended')
  await guard.startSession({ id: 'idle' })
  time.pass(60_001)
  const last = await guard.startSession({ id: 'last' })
  await again('idle')
  await last.end()
  await assert.rejects(guard.startSession({ id: 'refused', category: '' }), withCode('schema_invalid'))
  await guard.startSession({ id: 'refused' })
})
test('an idle session makes room, and is refused from then on', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 2, idleMs: 60_000 })
  const [first, second] = [await guard.startSession({ id: 'one' }), await guard.startSession()]
  const asked = await second.propose({ tool: 'refund' })
  time.pass(60_000)
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  const read = await first.propose({ tool: 'read_file' })
  time.pass(1)
  const third = await guard.startSession()
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  await first.complete(read)
  await third.propose({ tool: 'read_file' })
  for (const refused of [second.propose({ tool: 'read_file' }), second.complete(asked)])
    await assert.rejects(refused, withCode('session_ended'))
  const approval = { by: 'ann', resolution: 'approved' } as const
  await assert.rejects(guard.approve(asked, approval), withCode('approval_unknown'))
  assert.equal((await second.resolution(asked)).verdict, 'block')
  await second.end()
  await guard.close()
  await assert.rejects(second.propose({ tool: 'read_file' }), withCode('session_ended'))
})

test('abandoned sessions hold their place for at most a day', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 3 })
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 3; i++) await guard.startSession({ id: `session-${day}-${i}` })
    await assert.rejects(guard.startSession(), withCode('queue_full'))
    time.pass(24 * 3_600_000 + 1)
  }
})

test('a session whose start is refused takes no place', async () => {
  const { guard } = await createTestGuard({ sessionsMax: 1 })
  await assert.rejects(guard.startSession({ category: '' }), withCode('schema_invalid'))
  await guard.startSession()
})

test('`close` and `end` answer pending approvals and are final', async () => {
  const { guard, time } = await createTestGuard()
  const [one, two] = [await guard.startSession(), await guard.startSession()]
  const waits = [one, two].map(async (session) => {
    const asked = await session.propose({ tool: 'refund' })
    return (await session.resolution(asked)).verdict
  })
  await new Promise(setImmediate)
  await one.end()
  await guard.close()
  await guard.close()
  assert.deepEqual(await Promise.all(waits), ['block', 'block'])
  await assert.rejects(guard.startSession(), withCode('closed'))
  await assert.rejects(two.propose({ tool: 'read_file' }), withCode('closed'))
  assert.equal(time.pending(), 0)
})
