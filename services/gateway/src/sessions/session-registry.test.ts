import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import { silentLogger } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals.js'
import { createSessionRegistry } from './session-registry.js'

const ann: Principal = { name: 'ann', tenant: 'default', trust: 'host' }
const IDLE_MS = 3_600_000
const terms = { idleMs: IDLE_MS }

async function registryAt(t: { after(release: () => Promise<void>): void }, sessionsMax = 100) {
  const time = { now: 1_700_000_000_000 }
  const guard = await createGuard({ sessionsMax })
  const registry = createSessionRegistry({
    clientOf: async () => guard,
    now: () => time.now,
    logger: silentLogger,
  })
  t.after(async () => {
    await registry.close()
    await guard.close()
  })
  return { registry, time }
}

test('replaces a named session that has been idle, and ends it', async (t) => {
  const { registry, time } = await registryAt(t)
  const first = await registry.findOrOpen(ann, 'joe', terms)
  time.now += IDLE_MS
  assert.equal(await registry.findOrOpen(ann, 'joe', terms), first, 'each use counts')
  time.now += IDLE_MS + 1
  const second = await registry.findOrOpen(ann, 'joe', terms)
  assert.notEqual(second.session.id, first.session.id)
  await assert.rejects(first.session.propose({ tool: 'read_file' }), { code: 'session_ended' })
  await assert.rejects(registry.find(ann, first.token), { code: 'session_ended' })
})

test('keeps a session until it has been idle for as long as its terms say', async (t) => {
  const { registry, time } = await registryAt(t)
  const { token } = await registry.open(ann, { idleMs: 10 * IDLE_MS })
  time.now += 10 * IDLE_MS
  await registry.find(ann, token)
  time.now += 10 * IDLE_MS + 1
  await assert.rejects(registry.find(ann, token), { code: 'session_ended' })
})

test('a session with a request in progress is not idle', async (t) => {
  const { registry, time } = await registryAt(t)
  const held = await registry.open(ann, terms)
  await registry.during(held, async () => {
    time.now += 2 * IDLE_MS
    assert.equal(await registry.find(ann, held.token), held)
  })
})

test('idle sessions make room for others', async (t) => {
  const { registry, time } = await registryAt(t, 3)
  for (let i = 0; i < 3; i++) await registry.open(ann, terms)
  await assert.rejects(registry.open(ann, terms), { code: 'queue_full' })
  time.now += IDLE_MS + 1
  for (let i = 0; i < 3; i++) await registry.open(ann, terms)
})

test('beyond the cap of a principal, its least recently used session ends, and no other principal’s', async (t) => {
  const { registry } = await registryAt(t)
  const capped = { ...terms, ofOneMax: 2 }
  const bob = { ...ann, name: 'bob' }
  const other = await registry.open(bob, capped)
  const [first, second] = [await registry.open(ann, capped), await registry.open(ann, capped)]
  await registry.find(ann, first.token)
  await registry.open(ann, capped)
  await assert.rejects(registry.find(ann, second.token), { code: 'session_ended' })
  assert.equal(await registry.find(ann, first.token), first)
  assert.equal(await registry.find(bob, other.token), other)
  await assert.rejects(registry.find(ann, other.token), { code: 'session_unknown' })
})

test('a start that fails leaves nothing behind', async (t) => {
  const { registry } = await registryAt(t, 1)
  const held = await registry.open(ann, terms)
  for (let i = 0; i < 2; i++)
    await assert.rejects(registry.findOrOpen(ann, 'joe', terms), { code: 'queue_full' })
  await registry.end(held, 'completed')
  assert.ok(await registry.findOrOpen(ann, 'joe', terms))
})
