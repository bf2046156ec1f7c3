import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { EventLog } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { Kafka, logLevel, type Admin, type Transaction } from 'kafkajs'
import { kafka, uniquePrefix } from '../support/components/components.js'
import { waitUntil } from '../support/wait-until.js'
import { numbered, textOf } from './event-log/log-fixture.js'

/** Offsets without a record, for which a read must not wait. */
describe('event log in kafka, reading across gaps', { skip: kafka.skip, concurrency: 4 }, () => {
  test('skips transaction markers and aborted records', async (t) => {
    const { log, topic, client } = await logOf(t)
    await log.produce(topic, numbered(2, ['a']))
    await transact(t, client, topic, (transaction) => transaction.commit())
    await transact(t, client, topic, (transaction) => transaction.abort())
    // Two records, then twice two and a marker; Kafka writes the markers after it has answered.
    await waitUntil('both are over', async () => (await log.describe(topic))?.[0]?.nextOffset === 8n)
    assert.deepEqual(await read(log, topic), ['r0', 'r1', 'in', 'in'])
    for (let to = 0n; to <= 8n; to++)
      assert.equal((await read(log, topic, 0n, to)).length, Math.min(Number(to), 4), `to ${to}`)
    for (let from = 4n; from <= 8n; from++) assert.deepEqual(await read(log, topic, from), [])
    const tailed: string[] = []
    await log.tail(topic, (record) => tailed.push(textOf(record)), { from: 'beginning' })
    await log.produce(topic, numbered(1, ['a'], 2))
    await waitUntil('the last is there', () => tailed.includes('r2'))
    assert.deepEqual(tailed, ['r0', 'r1', 'in', 'in', 'r2'])
  })

  test('starts at the first record that retention kept', async (t) => {
    const { log, topic, admin } = await logOf(t)
    await log.produce(topic, numbered(10, ['a']))
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '6' }] })
    assert.equal((await log.describe(topic))?.[0]?.firstOffset, 6n)
    assert.deepEqual(await read(log, topic), ['r6', 'r7', 'r8', 'r9'])
    assert.deepEqual(await read(log, topic, 2n, 7n), ['r6'])
    assert.deepEqual(await read(log, topic, 2n, 5n), [])
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '10' }] })
    assert.deepEqual(await read(log, topic), [])
  })

  test('reads and tails the records that compaction kept', { timeout: 240_000 }, async (t) => {
    const { log, topic } = await logOf(t, {
      'cleanup.policy': 'compact',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.001',
    })
    let written = 0
    const write = async (key: string) => log.produce(topic, [{ key, value: `${key}${written++}` }])
    const isCompacted = async () => {
      // A write after a segment's time closes the segment, and only closed segments are compacted.
      await write('same')
      return (await read(log, topic)).length < written / 2
    }
    await write('first')
    for (let i = 0; i < 20; i++) await write('same')
    await waitUntil('much was compacted away', isCompacted, { timeoutMs: 180_000, everyMs: 300 })
    const left = await read(log, topic)
    assert.deepEqual([left[0], left.at(-1)], ['first0', `same${written - 1}`])
    assert.equal((await log.describe(topic))?.[0]?.nextOffset, BigInt(written))
    for (const to of [1n, 2n, 5n, 10n]) assert.ok((await read(log, topic, 0n, to)).includes('first0'))
    for (const from of [1n, 2n, 5n]) assert.equal((await read(log, topic, from)).at(-1), left.at(-1))
    const tailed: string[] = []
    await log.tail(topic, (record) => tailed.push(textOf(record)), { from: 'beginning' })
    await waitUntil('the last is there', () => tailed.at(-1) === left.at(-1))
    // Compaction may have gone on since the read: what is left of it can only be less.
    assert.equal(tailed[0], 'first0')
    const kept = new Set(left)
    for (const value of tailed) assert.ok(kept.has(value), value)
  })
})

interface Gapped {
  readonly log: EventLog
  readonly topic: string
  readonly client: Kafka
  readonly admin: Admin
}

async function logOf(t: TestContext, config: Readonly<Record<string, string>> = {}): Promise<Gapped> {
  const log = createKafkaLog({ brokers: kafka.brokers })
  const client = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING })
  const admin = client.admin()
  t.after(async () => {
    await admin.disconnect()
    await log.close()
  })
  const topic = `${uniquePrefix()}topic`
  await log.createTopics([{ topic, partitions: 1, config }])
  await admin.connect()
  // kafkajs deletes only from topics whose metadata it has loaded.
  await admin.fetchTopicOffsets(topic)
  return { log, topic, client, admin }
}

/** Writes two records in one transaction, ended by `end`. */
async function transact(
  t: TestContext,
  client: Kafka,
  topic: string,
  end: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const producer = client.producer({
    transactionalId: uniquePrefix(),
    maxInFlightRequests: 1,
    idempotent: true,
  })
  t.after(() => producer.disconnect())
  await producer.connect()
  const transaction = await producer.transaction()
  await transaction.send({
    topic,
    messages: [
      { key: 'a', value: 'in' },
      { key: 'a', value: 'in' },
    ],
  })
  await end(transaction)
}

async function read(log: EventLog, topic: string, from?: bigint, to?: bigint): Promise<string[]> {
  const values: string[] = []
  const range = { partition: 0, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  await log.read(topic, (record) => values.push(textOf(record)), { ranges: [range] })
  return values
}
