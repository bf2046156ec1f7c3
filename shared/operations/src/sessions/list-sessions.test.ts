import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { listSessions } from './list-sessions.js'
import { sampleWrite } from './sample-session.js'

const store = createEmbeddedStore()
await store.compareAndSet([
  sampleWrite('calm', { time: 9_000 }),
  sampleWrite('acme~ended', { level: 4, band: 3, ended: true }),
  sampleWrite('acme~critical', { level: 3, band: 1, agent: 'bot' }),
  sampleWrite('critical-high', { level: 3, band: 3 }),
  sampleWrite('blocked', { level: 1, blocked: 4 }),
  sampleWrite('blocked-less', { level: 1, blocked: 2, time: 8_000 }),
  { ...sampleWrite('damaged'), body: '17 [1,2]' },
  { ...sampleWrite('newer'), body: '17 [99]' },
  { ...sampleWrite('#3/controls'), body: '{}' },
])

const idsOf = async (filter: Parameters<typeof listSessions>[1], limit = 10) =>
  (await listSessions(store, filter, limit)).sessions.map(({ id }) => id)

test('those that run go before those that ended, then by risk', async () => {
  const { sessions, count, unreadable } = await listSessions(store, {}, 10)
  assert.deepEqual(
    sessions.map(({ id }) => id),
    ['critical-high', 'acme~critical', 'blocked', 'blocked-less', 'calm', 'acme~ended'],
  )
  assert.deepEqual([count, unreadable], [6, 2])
  const { tenant, agent, level, band, lastEventMs } = sessions[1] ?? {}
  assert.deepEqual(
    { tenant, agent, level, band, lastEventMs },
    { tenant: 'acme', agent: 'bot', level: 'critical', band: 1, lastEventMs: 1_000 },
  )
})

test('each condition narrows', async () => {
  assert.deepEqual(await idsOf({ tenant: 'acme' }), ['acme~critical', 'acme~ended'])
  assert.deepEqual(await idsOf({ tenant: 'default', level: 'critical' }), ['critical-high'])
  assert.deepEqual(await idsOf({ band: 3 }), ['critical-high', 'acme~ended'])
  assert.deepEqual(await idsOf({ tenant: 'nobody' }), [])
})

test('a limit keeps those most at risk of many, and all are counted', async () => {
  const many = createEmbeddedStore()
  const writes = Array.from({ length: 2_000 }, (_, i) =>
    sampleWrite(`s-${i}`, { level: i % 1_000 === 7 ? 3 : 0, blocked: i }),
  )
  await many.compareAndSet(writes)
  const { sessions, count } = await listSessions(many, {}, 3)
  assert.deepEqual(
    sessions.map(({ id }) => id),
    ['s-1007', 's-7', 's-1999'],
  )
  assert.equal(count, 2_000)
})
