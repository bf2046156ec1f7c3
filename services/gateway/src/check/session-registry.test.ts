import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import type { Principal } from '../auth/principals-file.js'
import { NAMED_IDLE_MS, UNNAMED_IDLE_MS, createHttpSessionRegistry } from './session-registry.js'

const ann: Principal = { name: 'ann', tenant: 'default', trust: 'host' }

async function registryAt(t: { after(release: () => Promise<void>): void }, sessionsMax = 100) {
  const time = { now: 1_700_000_000_000 }
  const guard = await createGuard({ sessionsMax })
  t.after(() => guard.close())
  const registry = createHttpSessionRegistry({ clientOf: async () => guard, now: () => time.now })
  return { registry, time }
}

test('a session that began by itself and was left lying is not gone on with', async (t) => {
  const { registry, time } = await registryAt(t)
  const first = await registry.findOrStart(ann, {})
  time.now += UNNAMED_IDLE_MS
  assert.equal(await registry.findOrStart(ann, {}), first, 'each use counts')
  time.now += UNNAMED_IDLE_MS + 1
  const second = await registry.findOrStart(ann, {})
  assert.notEqual(second.session.id, first.session.id)
  await assert.rejects(first.session.propose({ tool: 'read_file' }), { code: 'session_ended' })
  await assert.rejects(registry.find(ann, { session: first.token }), { code: 'session_ended' })
})

test('one that was started may wait for as long as any approval takes', async (t) => {
  const { registry, time } = await registryAt(t)
  const { token } = await registry.start(ann, {})
  time.now += NAMED_IDLE_MS
  await registry.find(ann, { session: token })
  time.now += NAMED_IDLE_MS + 1
  await assert.rejects(registry.find(ann, { session: token }), { code: 'session_ended' })
})

test('those that were left lying make room for others', async (t) => {
  const { registry, time } = await registryAt(t, 3)
  for (let i = 0; i < 3; i++) await registry.start(ann, {})
  await assert.rejects(registry.start(ann, {}), { code: 'queue_full' })
  time.now += NAMED_IDLE_MS + 1
  for (let i = 0; i < 3; i++) await registry.start(ann, {})
})

test('a start that fails leaves nothing behind', async (t) => {
  const { registry } = await registryAt(t, 1)
  const { token } = await registry.start(ann, {})
  for (let i = 0; i < 2; i++)
    await assert.rejects(registry.findOrStart(ann, { user: 'joe' }), { code: 'queue_full' })
  await registry.end(ann, { session: token }, 'completed')
  assert.ok(await registry.findOrStart(ann, { user: 'joe' }))
})
