import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import type { EventLog } from '@plimsoll/runtime'
import { createKafkaLog, type KafkaLogOptions } from '@plimsoll/runtime/kafka'
import { uniquePrefix } from '../support/components/components.js'
import { startKafka, withoutOwnKafka, type RunningKafka } from '../support/components/own-components.js'
import { waitUntil } from '../support/wait-until.js'
import { deliveries, numbered, textOf, valuesOf } from './event-log/log-fixture.js'

const LONG = { timeoutMs: 60_000 }

describe('event log without kafka', { skip: withoutOwnKafka }, () => {
  test('survives a crash of kafka: loses nothing acknowledged, and recovers by itself', async (t) => {
    const { kafka, log, topic, group } = await ownLog(t)
    await log.createTopics([{ topic, partitions: 3 }])
    const [consumed, tailed] = [deliveries(), deliveries()]
    const consumption = await log.consume({ topic, group, onBatch: consumed.takeAll, onError: () => {} })
    const tail = await log.tail(topic, (record) => tailed.add([record]))
    const producer = produceOnAndOn(log, topic)
    await waitUntil('the flow is under way', () => consumed.records.length > 50 && tailed.records.length > 50)

    await kafka.kill()
    await waitUntil('it tells that it does not run', () => !consumption.isRunning() && !tail.isRunning())
    await assert.rejects(log.ping(), { code: 'log_unavailable' })
    await kafka.restart()
    await waitUntil('it runs again', () => consumption.isRunning() && tail.isRunning(), LONG)
    const acknowledgedBefore = producer.acknowledged.length
    await waitUntil(
      'writes succeed again',
      () => producer.acknowledged.length > acknowledgedBefore + 50,
      LONG,
    )
    await producer.stop()

    await consumed.untilAll(producer.acknowledged)
    await tailed.untilAll(producer.acknowledged)
    for (const key of producer.keys) {
      const offsets = tailed.records.filter((record) => record.key === key).map(({ offset }) => offset)
      assert.deepEqual(offsets, [...new Set(offsets)], 'the tail gives each record once')
      const numbers = tailed.records
        .filter((record) => record.key === key)
        .map((record) => Number(textOf(record)))
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
        'written once each and in order, whatever was tried again',
      )
    }
  })

  test('fails a write and those queued behind it while kafka is down', async (t) => {
    const { kafka, log, topic } = await ownLog(t, { writeRetriesMax: 4 })
    await log.createTopics([{ topic, partitions: 1 }])
    await log.produce(topic, numbered(1, ['a']))
    await kafka.kill()
    const writes = [0, 1, 2].map((i) => log.produce(topic, numbered(1, ['a'], 10 + i)))
    for (const { status, reason } of (await Promise.allSettled(writes)) as PromiseRejectedResult[]) {
      assert.equal(status, 'rejected')
      assert.equal((reason as { code?: string }).code, 'log_unavailable')
      assert.equal((reason as { retryable?: boolean }).retryable, true)
    }
    await kafka.restart()
    await log.produce(topic, numbered(1, ['a'], 1))
    const [info] = (await log.describe(topic)) ?? []
    assert.equal(info?.nextOffset, 2n, 'what was given up was not written')
  })

  test('continues reading after a crash of kafka, each record once', async (t) => {
    const { kafka, log, topic } = await ownLog(t)
    await log.createTopics([{ topic, partitions: 2 }])
    const filler = 'x'.repeat(1_000)
    const records = Array.from({ length: 20_000 }, (_, i) => ({ key: `k${i % 10}`, value: `${i} ${filler}` }))
    await log.produce(topic, records)
    const read: number[] = []
    let crash: Promise<void> | undefined
    await log.read(topic, (record) => {
      read.push(Number.parseInt(textOf(record), 10))
      crash ??= kafka.kill().then(() => kafka.restart())
    })
    assert.ok(crash)
    await crash
    assert.equal(read.length, records.length)
    assert.equal(new Set(read).size, records.length)
  })

  test('starts before kafka does', async (t) => {
    const { kafka, log, topic, group } = await ownLog(t)
    await log.createTopics([{ topic, partitions: 2 }])
    await kafka.kill()
    const [consumed, tailed] = [deliveries(), deliveries()]
    const consuming = log.consume({ topic, group, onBatch: consumed.takeAll })
    const tailing = log.tail(topic, (record) => tailed.add([record]))
    await assert.rejects(log.describe(topic), { code: 'log_unavailable' })
    await kafka.restart()
    const [consumption, tail] = await Promise.all([consuming, tailing])
    assert.ok(consumption.isRunning() && tail.isRunning())
    const records = numbered(10, ['a', 'b', 'c'])
    await log.produce(topic, records)
    await consumed.untilAll(valuesOf(records))
    await tailed.untilAll(valuesOf(records))
  })

  test('closes while kafka is down', async (t) => {
    const { kafka, log, topic, group } = await ownLog(t)
    await log.createTopics([{ topic, partitions: 1 }])
    await log.consume({ topic, group, onBatch: async () => {} })
    await log.tail(topic, () => {})
    await log.produce(topic, numbered(1, ['a']))
    await kafka.kill()
    const waiting = assert.rejects(log.consume({ topic, group: `${group}2`, onBatch: async () => {} }), {
      code: 'closed',
    })
    await log.close()
    await waiting
  })
})

/** One broker for all tests, started by the first: each test leaves it running. */
let shared: Promise<RunningKafka> | undefined
after(async () => (await shared)?.stop())

async function ownLog(
  t: TestContext,
  limits: KafkaLogOptions['limits'] = {},
): Promise<{ kafka: RunningKafka; log: EventLog; topic: string; group: string }> {
  const kafka = await (shared ??= startKafka())
  const log = createKafkaLog({ brokers: kafka.brokers, limits })
  t.after(() => log.close())
  const prefix = uniquePrefix()
  return { kafka, log, topic: `${prefix}topic`, group: `${prefix}group` }
}

/** Writes increasing numbers, one at a time per key; retries each until it is acknowledged. */
function produceOnAndOn(log: EventLog, topic: string) {
  const keys = ['a', 'b', 'c', 'd', 'e']
  const acknowledged: string[] = []
  let next = 0
  const stopped = new AbortController()
  const loops = keys.map(async (key) => {
    while (!stopped.signal.aborted) {
      const value = String(next++)
      // A failed write may have been stored all the same: it is not repeated here.
      await log.produce(topic, [{ key, value }]).then(
        () => acknowledged.push(value),
        () => undefined,
      )
    }
  })
  return {
    keys,
    acknowledged,
    stop: async () => {
      stopped.abort()
      await Promise.all(loops)
    },
  }
}
