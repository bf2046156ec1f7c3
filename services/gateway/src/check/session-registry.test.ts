import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import type { Principal } from '../auth/principals-file.js'
import { NAMED_IDLE_MS, UNNAMED_IDLE_MS, createHttpSessionRegistry } from './session-registry.js'

const ann: Principal = { name: 'ann', tenant: 'default', trust: 'host' }

async function deskAt(t: { after(release: () => Promise<void>): void }, sessionsMax = 100) {
  const time = { now: 1_700_000_000_000 }
  const guard = await createGuard({ sessionsMax })
  t.after(() => guard.close())
  const desk = createHttpSessionRegistry({ clientOf: async () => guard, now: () => time.now })
  return { desk, time }
}

test('a session that began by itself and was left lying is not gone on with', async (t) => {
  const { desk, time } = await deskAt(t)
  const first = await desk.findOrStart(ann, {})
  time.now += UNNAMED_IDLE_MS
  assert.equal(await desk.findOrStart(ann, {}), first, 'each use counts')
  time.now += UNNAMED_IDLE_MS + 1
  const second = await desk.findOrStart(ann, {})
  assert.notEqual(second.session.id, first.session.id)
  await assert.rejects(first.session.propose({ tool: 'read_file' }), { code: 'session_ended' })
  await assert.rejects(desk.find(ann, { session: first.token }), { code: 'session_ended' })
})

test('one that was started may wait for as long as any approval takes', async (t) => {
  const { desk, time } = await deskAt(t)
  const { token } = await desk.start(ann, {})
  time.now += NAMED_IDLE_MS
  await desk.find(ann, { session: token })
  time.now += NAMED_IDLE_MS + 1
  await assert.rejects(desk.find(ann, { session: token }), { code: 'session_ended' })
})

test('those that were left lying make room for others', async (t) => {
  const { desk, time } = await deskAt(t, 3)
  for (let i = 0; i < 3; i++) await desk.start(ann, {})
  await assert.rejects(desk.start(ann, {}), { code: 'queue_full' })
  time.now += NAMED_IDLE_MS + 1
  for (let i = 0; i < 3; i++) await desk.start(ann, {})
})

test('a start that fails leaves nothing behind', async (t) => {
  const { desk } = await deskAt(t, 1)
  const { token } = await desk.start(ann, {})
  for (let i = 0; i < 2; i++)
    await assert.rejects(desk.findOrStart(ann, { user: 'joe' }), { code: 'queue_full' })
  await desk.end(ann, { session: token }, 'completed')
  assert.ok(await desk.findOrStart(ann, { user: 'joe' }))
})
