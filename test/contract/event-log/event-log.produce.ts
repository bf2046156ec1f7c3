import assert from 'node:assert/strict'
import type { EventLog, OutgoingRecord } from '@plimsoll/runtime'
import { logCase } from './log-case.js'
import { deliveries, numbered, textOf, valuesOf } from './log-fixture.js'

export function produceCases(open: () => EventLog): void {
  logCase(
    open,
    'keeps the order of each key, and each key in one partition',
    4,
    async ({ log, topic, consume }) => {
      const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      const records = numbered(700, keys)
      for (let i = 0; i < records.length; i += 100) await log.produce(topic, records.slice(i, i + 100))
      const seen = deliveries()
      await consume({ onBatch: seen.takeAll })
      await seen.untilAll(valuesOf(records))
      for (const key of keys) {
        const ofKey = seen.records.filter((record) => record.key === key)
        assert.equal(new Set(ofKey.map(({ partition }) => partition)).size, 1)
        assert.deepEqual(ofKey.map(textOf), valuesOf(records.filter((record) => record.key === key)))
      }
    },
  )

  logCase(open, 'keeps the order of calls that overlap', 2, async ({ log, topic, consume }) => {
    const keys = ['a', 'b', 'c']
    const records = numbered(600, keys)
    const calls = records.map((record) => log.produce(topic, [record]))
    await Promise.all(calls)
    const seen = deliveries()
    await consume({ onBatch: seen.takeAll })
    await seen.untilAll(valuesOf(records))
    for (const key of keys) {
      const values = seen.records.filter((record) => record.key === key).map(textOf)
      assert.deepEqual(values, valuesOf(records.filter((record) => record.key === key)))
    }
    assert.equal(seen.records.length, 600, 'each once')
  })

  logCase(open, 'places keys as the Java clients do', 12, async ({ log, topic, consume }) => {
    // From org.apache.kafka.common.utils.Utils.murmur2, as published with the Java clients' own tests.
    const placed: Readonly<Record<string, number>> = Object.fromEntries(
      Object.entries({ '21': -973932308, foobar: -790332482, 'a-little-bit-long-string': -985981536 }).map(
        ([key, hash]) => [key, (hash & 0x7fffffff) % 12],
      ),
    )
    await log.produce(
      topic,
      Object.keys(placed).map((key) => ({ key, value: key })),
    )
    const seen = deliveries()
    await consume({ onBatch: seen.takeAll })
    await seen.untilAll(Object.keys(placed))
    for (const record of seen.records) assert.equal(record.partition, placed[textOf(record)], textOf(record))
  })

  logCase(open, 'gives back keys, values, headers and times', 1, async ({ log, topic, consume }) => {
    const bytes = Uint8Array.from({ length: 512 }, (_, i) => i % 256)
    const records: OutgoingRecord[] = [
      { key: 'plain', value: 'value' },
      { key: null, value: 'no key' },
      { key: 'tombstone', value: null },
      { key: '', value: '' },
      { key: 'ключ 鍵 🔑', value: 'žluťoučký kůň 🚢', headers: { 'x-ž': 'ů 鍵', empty: '', plain: 'text' } },
      { key: 'bytes', value: bytes },
      { key: 'view', value: Buffer.from('..inside..').subarray(2, 8) },
      { key: 'large', value: 'é'.repeat(500_000) },
    ]
    await log.produce(topic, records)
    const seen = deliveries()
    await consume({ onBatch: seen.takeAll })
    await seen.untilAll(['é'.repeat(500_000), 'no key'])
    assert.equal(seen.records.length, records.length)
    const inOrder = seen.records.sort((a, b) => Number(a.offset - b.offset))
    for (const [i, { key, value, headers = {} }] of records.entries()) {
      const record = inOrder[i]
      assert.equal(record?.offset, BigInt(i))
      assert.equal(record.key, key)
      assert.deepEqual(record.value, value === null ? null : Buffer.from(value))
      assert.deepEqual({ ...record.headers }, headers)
      assert.ok(Math.abs(record.timeMs - Date.now()) < 60_000)
    }
  })

  logCase(open, 'takes more in one call than fits into one request', 1, async ({ log, topic, consume }) => {
    const records = Array.from({ length: 40 }, (_, i) => ({ key: 'a', value: `${i}:${'x'.repeat(100_000)}` }))
    await Promise.all([log.produce(topic, records), log.produce(topic, [])])
    const seen = deliveries()
    await consume({ onBatch: seen.takeAll })
    await seen.untilAll(valuesOf(records))
    assert.deepEqual(seen.values(), valuesOf(records))
  })
}
