import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueToken } from '@plimsoll/contracts'
import { createClient } from './client.js'
import { createGuard } from './guard.js'
import { createRig, withCode } from './testing/two-modes.js'

const KEY = 'an identity key of tests'

test('another client continues a session, with everything read so far', async (t) => {
  const { client, log, loop } = await createRig(t)
  const session = await client.startSession({ id: 'one' })
  const read = await session.propose({ tool: 'read_file' })
  await session.complete(read, { labels: { confidentiality: 'sensitive' } })
  await session.propose({ tool: 'read_file' })
  const other = await createClient({ log })
  const resumed = await other.resumeSession({ id: 'one' })
  assert.equal(await other.resumeSession({ id: 'one' }), resumed)
  const answer = await resumed.propose({ tool: 'read_file' })
  assert.deepEqual(
    [answer.by, answer.decision?.risk?.exposure, answer.decision?.step],
    ['decision', 'sensitive', 3],
  )
  assert.deepEqual(resumed.handover().inherits, {
    taint: 'instructions',
    confidentiality: 'credentials',
    unseen: true,
    held: false,
    codeWritten: true,
  })
  await resumed.complete(answer)
  await resumed.end('completed')
  await other.close()
  const goneOn = await createClient({ log })
  const again = await goneOn.resumeSession({ id: 'never-begun' })
  const lost = await again.propose({ tool: 'read_file' })
  assert.deepEqual([lost.verdict, lost.decision?.reasons[0]?.code], ['block', 'session_state_lost'])
  await goneOn.close()
  assert.deepEqual([...new Set(loop.faults)], ['session_state_lost'])
})

test('a client resumes a session that it dropped', async (t) => {
  const { client, loop } = await createRig(t, { settings: { limits: { sessionsMax: 1, idleMs: -1 } } })
  const first = await client.startSession({ id: 'one' })
  await first.propose({ tool: 'read_file' })
  await client.startSession({ id: 'two' })
  const again = await client.resumeSession({ id: 'one' })
  const answer = await again.propose({ tool: 'read_file' })
  assert.deepEqual([answer.verdict, answer.decision?.step], ['allow', 2])
  assert.deepEqual(loop.faults, [])
})

test('verifies the token and takes the root from it', async (t) => {
  const { client } = await createRig(t, { settings: { identityKey: KEY } })
  const claims = { sub: 'host', tenant: 'default', sid: 'child', par: 'parent', root: 'grandparent', iat: 1 }
  const token = issueToken(claims, KEY)
  const session = await client.resumeSession({ id: 'child', token })
  const { root, identity } = session.handover()
  assert.deepEqual([root, identity], ['grandparent', token])
  const forged = issueToken(claims, 'another key than the one')
  for (const resumed of [
    { id: 'other', token },
    { id: 'other', token: forged },
    { id: 'other', token: 'nonsense' },
  ])
    await assert.rejects(client.resumeSession(resumed), withCode('identity_invalid'))
})

test("library mode cannot resume another process's session", async () => {
  const guard = await createGuard()
  const session = await guard.startSession({ id: 'one' })
  assert.equal(await guard.resumeSession({ id: 'one' }), session)
  await assert.rejects(guard.resumeSession({ id: 'two' }), withCode('session_state_lost'))
})
