import assert from 'node:assert/strict'
import type { Batch, EventLog } from '@plimsoll/runtime'
import { waitUntil } from '../../support/wait-until.js'
import { logCase } from './log-case.js'
import { deliveries, gate, keyPerPartition, numbered, textOf, valuesOf } from './log-fixture.js'

export function consumeCases(open: () => EventLog): void {
  logCase(
    open,
    'begins at the beginning and goes on where it was committed',
    2,
    async ({ log, topic, consume }) => {
      const [before, after] = [numbered(20, ['a', 'b']), numbered(20, ['a', 'b'], 20)]
      await log.produce(topic, before)
      const first = deliveries()
      const consumption = await consume({ onBatch: first.takeAll })
      assert.equal(consumption.isRunning(), true)
      await first.untilAll(valuesOf(before))
      await consumption.close()
      assert.equal(consumption.isRunning(), false)
      await log.produce(topic, after)

      const second = deliveries()
      await consume({ onBatch: second.takeAll })
      await second.untilAll(valuesOf(after))
      assert.deepEqual(second.values().sort(), valuesOf(after).sort())
      assert.equal(first.records.length, 20, 'nothing more after it was closed')
    },
  )

  logCase(
    open,
    'delivers what is appended while it runs, in order of offsets',
    2,
    async ({ log, topic, consume }) => {
      const seen = deliveries()
      const ends: boolean[] = []
      await consume({
        onBatch: async (batch) => {
          ends.push((batch.records.at(-1)?.offset ?? 0n) < batch.endOffset)
          assert.equal(batch.isOwned(), true)
          await seen.takeAll(batch)
        },
      })
      for (let i = 0; i < 10; i++) await log.produce(topic, numbered(4, ['a', 'b', 'c', 'd'], i * 4))
      await seen.untilAll(valuesOf(numbered(40, ['a'])))
      assert.equal(seen.records.length, 40)
      for (const partition of [0, 1]) {
        const offsets = seen.records
          .filter((record) => record.partition === partition)
          .map(({ offset }) => Number(offset))
        assert.deepEqual(
          offsets,
          offsets.map((_, i) => i),
        )
      }
      assert.ok(ends.every(Boolean), 'the end lies beyond the batch')
    },
  )

  logCase(open, 'keeps groups apart', 1, async ({ log, topic, group, consume }) => {
    const records = numbered(5, ['a'])
    await log.produce(topic, records)
    const [one, two] = [deliveries(), deliveries()]
    await consume({ onBatch: one.takeAll })
    await consume({ group: `${group}2`, onBatch: two.takeAll })
    await one.untilAll(valuesOf(records))
    await two.untilAll(valuesOf(records))
  })

  logCase(open, 'delivers a rejected batch again, without end', 1, async ({ log, topic, consume }) => {
    const records = numbered(3, ['a'])
    await log.produce(topic, records)
    const errors: unknown[] = []
    const seen = deliveries()
    const refusal = new Error('not now')
    await consume({
      onBatch: async (batch) => {
        if (errors.length < 8) throw refusal
        await seen.takeAll(batch)
      },
      onError: (error) => errors.push(error),
    })
    await seen.untilAll(valuesOf(records))
    assert.deepEqual(seen.values(), valuesOf(records))
    assert.equal(errors.length, 8)
    assert.ok(errors.every((error) => error === refusal))
  })

  logCase(
    open,
    'delivers again what a batch that ended well has not committed',
    1,
    async ({ log, topic, consume }) => {
      const records = numbered(6, ['a'])
      await log.produce(topic, records)
      const seen = deliveries()
      const starts: bigint[] = []
      await consume({
        onBatch: async (batch) => {
          const [first] = batch.records
          if (!first) return
          starts.push(first.offset)
          seen.add([first])
          if (starts.length !== 2) await batch.commit(first.offset)
        },
      })
      await seen.untilAll(valuesOf(records))
      // One record at a time; the uncommitted one is delivered twice.
      assert.deepEqual(seen.values(), ['r0', 'r1', 'r1', 'r2', 'r3', 'r4', 'r5'])
    },
  )

  logCase(
    open,
    'goes on behind the last commit of a batch that is rejected',
    1,
    async ({ log, topic, consume }) => {
      const records = numbered(10, ['a'])
      await log.produce(topic, records)
      const seen = deliveries()
      let rejected = 0
      await consume({
        onBatch: async (batch) => {
          for (const record of batch.records) {
            seen.add([record])
            if (record.offset === 6n && rejected++ < 2) throw new Error('in the middle')
            if (record.offset % 3n === 0n || record.offset === 9n) await batch.commit(record.offset)
          }
        },
        onError: () => {},
      })
      await seen.untilAll(valuesOf(records))
      const expected = [
        'r0',
        'r1',
        'r2',
        'r3',
        'r4',
        'r5',
        'r6',
        'r4',
        'r5',
        'r6',
        'r4',
        'r5',
        'r6',
        'r7',
        'r8',
        'r9',
      ]
      assert.deepEqual(seen.values(), expected)
    },
  )

  logCase(
    open,
    'commits forwards, and nothing but what is in the batch',
    1,
    async ({ log, topic, consume }) => {
      await log.produce(topic, numbered(5, ['a']))
      const seen = deliveries()
      const consumption = await consume({
        onBatch: async (batch) => {
          assert.equal(batch.records.length, 5)
          await assert.rejects(batch.commit(5n), RangeError)
          await assert.rejects(batch.commit(-1n), RangeError)
          await Promise.all([batch.commit(4n), batch.commit(2n)])
          await batch.commit(4n)
          seen.add(batch.records)
        },
      })
      await seen.untilAll(['r4'])
      await consumption.close()
      const again = deliveries()
      await consume({ onBatch: again.takeAll })
      await log.produce(topic, numbered(1, ['a'], 5))
      await again.untilAll(['r5'])
      assert.deepEqual(again.values(), ['r5'])
    },
  )

  logCase(
    open,
    'goes on with other partitions while one is rejected for ever',
    3,
    async ({ log, topic, consume }) => {
      const keys = await keyPerPartition(log, topic, 3)
      const [poisoned = ''] = keys
      const seen = deliveries()
      let rejections = 0
      let isHealed = false
      await consume({
        onBatch: async (batch) => {
          if (batch.partition === 0 && !isHealed) {
            rejections++
            throw new Error('poison')
          }
          await seen.takeAll(batch)
        },
        onError: () => {},
      })
      await waitUntil('the poisoned partition was tried', () => rejections > 0)
      await log.produce(topic, [{ key: poisoned, value: 'poison' }])
      const longest = await latencyMsMax(20, async (i) => {
        const records = [1, 2].map((partition) => ({
          key: keys[partition] ?? '',
          value: `m${i}p${partition}`,
        }))
        await log.produce(topic, records)
        await seen.untilAll(valuesOf(records))
      })
      assert.ok(longest < 3_000, `${longest} ms`)
      assert.ok(!seen.values().includes('poison'))
      isHealed = true
      await seen.untilAll(['poison'])
    },
  )

  logCase(
    open,
    'goes on with other partitions while one takes its time',
    2,
    async ({ log, topic, consume }) => {
      const [slow = '', quick = ''] = await keyPerPartition(log, topic, 2)
      const seen = deliveries()
      const { opened, open: finish } = gate()
      const active = new Map<number, number>()
      await consume({
        onBatch: async (batch) => {
          active.set(batch.partition, (active.get(batch.partition) ?? 0) + 1)
          assert.equal(active.get(batch.partition), 1, 'one batch of a partition at a time')
          if (batch.records.some((record) => textOf(record) === 'slow')) await opened
          await seen.takeAll(batch)
          active.set(batch.partition, 0)
        },
      })
      await log.produce(topic, [{ key: slow, value: 'slow' }])
      for (let i = 0; i < 5; i++) {
        await log.produce(topic, [
          { key: quick, value: `quick${i}` },
          { key: slow, value: `behind${i}` },
        ])
        await seen.untilAll([`quick${i}`])
      }
      assert.ok(!seen.values().includes('slow'))
      finish()
      await seen.untilAll(['slow', 'behind4'])
      const ofSlow = seen.records.filter(({ key }) => key === slow).map(textOf)
      assert.deepEqual(ofSlow.slice(-6), ['slow', 'behind0', 'behind1', 'behind2', 'behind3', 'behind4'])
    },
  )

  logCase(open, 'lets the batch under way end when it is closed', 1, async ({ log, topic, consume }) => {
    await log.produce(topic, numbered(4, ['a']))
    const { opened, open: finish } = gate()
    const begun: Batch[] = []
    const seen = deliveries()
    const consumption = await consume({
      onBatch: async (batch) => {
        begun.push(batch)
        await opened
        seen.add(batch.records)
        await batch.commit(batch.records[1]?.offset ?? 0n)
      },
    })
    await waitUntil('a batch is under way', () => begun.length > 0)
    const closing = consumption.close()
    assert.equal(begun[0]?.isOwned(), false)
    finish()
    await closing
    await consumption.close()
    assert.equal(begun.length, 1)
    const rest = deliveries()
    await consume({ onBatch: rest.takeAll })
    await rest.untilAll(['r2', 'r3'])
    assert.deepEqual(rest.values(), ['r2', 'r3'])
  })

  logCase(open, 'never calls back before its caller is done', 1, async ({ log, topic, consume }) => {
    const seen = deliveries()
    await consume({ onBatch: seen.takeAll })
    const written = log.produce(topic, [{ key: 'a', value: 'r0' }])
    assert.equal(seen.records.length, 0)
    await written
    await seen.untilAll(['r0'])
  })
}

async function latencyMsMax(rounds: number, round: (i: number) => Promise<void>): Promise<number> {
  let longest = 0
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await round(i)
    longest = Math.max(longest, performance.now() - start)
  }
  return longest
}
