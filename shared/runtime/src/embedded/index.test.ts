import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../ports/event-log.js'
import {
  createEmbeddedLog,
  createEmbeddedRecords,
  createEmbeddedStore,
  createEmbeddedTopics,
} from './index.js'

const values = (count: number) => Array.from({ length: count }, (_, i) => ({ key: 'a', value: `${i}` }))

async function logOf(retentionRecordsMax: number) {
  const log = createEmbeddedLog({ retentionRecordsMax })
  await log.createTopics([{ topic: 't', partitions: 1 }])
  return log
}

test('append times are those of the clock, and never run backwards', async () => {
  let now = 100
  const log = createEmbeddedLog({ clock: { now: () => now } })
  await log.createTopics([{ topic: 't', partitions: 1 }])
  const times: number[] = []
  await log.tail('t', ({ timeMs }) => times.push(timeMs))
  for (const time of [100, 250, 200, 300]) {
    now = time
    await log.produce('t', values(1))
  }
  while (times.length < 4) await new Promise(setImmediate)
  assert.deepEqual(times, [100, 250, 250, 300])
  assert.equal(await log.offsetAt('t', 0, 251), 3n)
  await log.close()
})

test('the oldest records go where nobody reads', async () => {
  const log = await logOf(100)
  await log.produce('t', values(1_000))
  const [info] = (await log.describe('t')) ?? []
  assert.equal(info?.nextOffset, 1_000n)
  assert.ok(info.firstOffset >= 900n && info.firstOffset < 1_000n)
  await log.close()
})

test('what a present reader has still to read is kept, and more than that refused', async () => {
  const log = await logOf(100)
  const consumption = await log.consume({ topic: 't', group: 'g', onBatch: () => new Promise(() => {}) })
  await log.produce('t', values(100))
  await assert.rejects(log.produce('t', values(1)), { code: 'queue_full' })
  assert.equal((await log.describe('t'))?.[0]?.firstOffset, 0n)
  assert.equal(consumption.isRunning(), true)
})

test('what was read makes room', async () => {
  const log = await logOf(100)
  const read: LogRecord[] = []
  await log.consume({
    topic: 't',
    group: 'g',
    onBatch: async (batch) => {
      read.push(...batch.records)
      await batch.commit(batch.records.at(-1)?.offset ?? 0n)
    },
  })
  for (let i = 0; i < 50; i++) {
    await log.produce('t', values(50))
    while (read.length < (i + 1) * 50) await new Promise(setImmediate)
  }
  assert.deepEqual(
    read.map(({ offset }) => Number(offset)),
    Array.from({ length: 2_500 }, (_, i) => i),
  )
  await log.close()
})

test('a topic that is not there is not made by writing to it', async () => {
  await assert.rejects(createEmbeddedLog().produce('t', values(1)), { code: 'log_unavailable' })
})

test('topics and records outlive the log and the store over them', async () => {
  const [topics, records] = [createEmbeddedTopics(), createEmbeddedRecords()]
  const first = createEmbeddedLog({ topics })
  await first.createTopics([{ topic: 't', partitions: 1 }])
  await first.produce('t', values(3))
  await first.close()
  assert.equal((await createEmbeddedLog({ topics }).describe('t'))?.[0]?.nextOffset, 3n)
  await createEmbeddedStore({ records }).compareAndSet([
    { id: 's', expected: 0, body: 'b', outbox: '', ttlMs: 1_000 },
  ])
  assert.equal((await createEmbeddedStore({ records }).load(['s']))[0]?.body, 'b')
})

test('records expire by the clock, and make room for others', async () => {
  let now = 0
  const store = createEmbeddedStore({ clock: { now: () => now }, recordsMax: 2 })
  const write = (id: string, ttlMs: number) =>
    store.compareAndSet([{ id, expected: 0, body: '', outbox: '', ttlMs }])
  await write('a', 1_000)
  await write('b', 100)
  await assert.rejects(write('c', 100), { code: 'store_unavailable' })
  now = 100
  assert.deepEqual(await write('c', 100), [true])
  assert.deepEqual(
    (await store.load(['a', 'b', 'c'])).map((record) => record?.revision),
    [1, undefined, 1],
  )
})
