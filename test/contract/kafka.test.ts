import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKafkaLog, type KafkaLogOptions } from '@plimsoll/runtime/kafka'
import { Kafka, logLevel } from 'kafkajs'
import { kafka, uniquePrefix } from '../support/components/components.js'
import { logCase } from './event-log/log-case.js'
import { deliveries, keyPerPartition, numbered, valuesOf } from './event-log/log-fixture.js'

const open = (options: Partial<KafkaLogOptions> = {}) =>
  createKafkaLog({ brokers: kafka.brokers, ...options })
const sessionTimeoutMs = 1_500

describe('event log in kafka', { skip: kafka.skip, concurrency: 4 }, () => {
  test('creates topics that take timestamps from the broker', async (t) => {
    const log = open()
    t.after(() => log.close())
    const topic = `${uniquePrefix()}topic`
    await log.createTopics([{ topic, partitions: 1, config: { 'retention.ms': '3600000' } }])
    assert.equal(await configOf(t, topic, 'message.timestamp.type'), 'LogAppendTime')
    assert.equal(await configOf(t, topic, 'retention.ms'), '3600000')
  })

  test('reports that a topic takes timestamps from producers', async (t) => {
    const log = open()
    t.after(() => log.close())
    const topic = `${uniquePrefix()}topic`
    await log.createTopics([{ topic, partitions: 1, config: { 'message.timestamp.type': 'CreateTime' } }])
    assert.equal((await log.settings(topic))?.['message.timestamp.type'], 'CreateTime')
  })

  logCase(
    open,
    'stays a member while a batch takes longer than the session timeout',
    2,
    async ({ log, topic, consume }) => {
      const [slow = '', quick = ''] = await keyPerPartition(log, topic, 2)
      const seen = deliveries()
      const assignments: (readonly number[])[] = []
      const consumption = await consume({
        sessionTimeoutMs,
        onBatch: async (batch) => {
          const isSlow = batch.records.some(({ value }) => String(value) === 'slow')
          if (isSlow) await sleep(3 * sessionTimeoutMs)
          assert.equal(batch.isOwned(), true)
          await seen.takeAll(batch)
        },
        onAssigned: (partitions) => assignments.push(partitions),
      })
      await log.produce(topic, [{ key: slow, value: 'slow' }])
      let isRunningAllTheTime = true
      for (let i = 0; !seen.values().includes('slow'); i++) {
        await log.produce(topic, [{ key: quick, value: `quick${i}` }])
        await seen.untilAll([`quick${i}`])
        isRunningAllTheTime &&= consumption.isRunning()
      }
      assert.equal(isRunningAllTheTime, true)
      assert.equal(assignments.length, 1, 'it was never expelled')
      assert.equal(seen.values().filter((value) => value === 'slow').length, 1)
    },
  )

  test('reports a record too large for the broker, and continues', async (t) => {
    const log = open()
    t.after(() => log.close())
    const topic = `${uniquePrefix()}topic`
    await log.createTopics([{ topic, partitions: 1 }])
    const large = log.produce(topic, [{ key: 'a', value: 'x'.repeat(2_000_000) }])
    const after = log.produce(topic, [{ key: 'a', value: 'small' }])
    await assert.rejects(large, { code: 'log_unavailable', details: { type: 'MESSAGE_TOO_LARGE' } })
    await after
    assert.equal((await log.describe(topic))?.[0]?.nextOffset, 1n)
  })

  test('refuses writes beyond the queue limit', async (t) => {
    const log = open({ limits: { queueBytesMax: 1_000 } })
    t.after(() => log.close())
    const topic = `${uniquePrefix()}topic`
    await log.createTopics([{ topic, partitions: 1 }])
    const first = log.produce(topic, [{ key: 'a', value: 'x'.repeat(2_000) }])
    await assert.rejects(log.produce(topic, numbered(1, ['a'])), { code: 'queue_full' })
    await first
    await log.produce(topic, numbered(1, ['a']))
  })
})

describe('event log in kafka, alone in its process', { skip: kafka.skip }, () => {
  logCase(
    open,
    'refuses the commit of a member that was expelled, and comes back',
    1,
    async ({ log, topic, consume }) => {
      await log.produce(topic, numbered(3, ['a']))
      const seen = deliveries()
      const errors: unknown[] = []
      let deaf = true
      await consume({
        sessionTimeoutMs,
        onBatch: async (batch) => {
          if (deaf) deafFor(2 * sessionTimeoutMs)
          deaf = false
          await batch.commit(batch.records.at(-1)?.offset ?? 0n)
          seen.add(batch.records)
        },
        onError: (error) => errors.push(error),
      })
      await seen.untilAll(valuesOf(numbered(3, ['a'])))
      assert.equal((errors[0] as { code?: string }).code, 'contended')
      assert.equal(seen.records.length, 3, 'what was refused was not taken')
    },
  )
})

/** Blocks this process, heartbeats included. */
function deafFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

async function configOf(t: TestContext, topic: string, name: string): Promise<string | undefined> {
  const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin()
  t.after(() => admin.disconnect())
  await admin.connect()
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name: topic, configNames: [name] }],
  })
  return resources[0]?.configEntries[0]?.configValue
}
