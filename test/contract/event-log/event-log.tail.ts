import assert from 'node:assert/strict'
import type { EventLog } from '@plimsoll/runtime'
import { waitUntil } from '../../support/wait-until.js'
import { logCase } from './log-case.js'
import { deliveries, numbered, textOf, valuesOf } from './log-fixture.js'

export function tailCases(open: () => EventLog): void {
  logCase(open, 'tails what is appended from the call on, and nothing older', 3, async ({ log, topic }) => {
    await log.produce(topic, numbered(30, ['a', 'b', 'c', 'd', 'e']))
    const seen = deliveries()
    const tail = await log.tail(topic, (record) => seen.add([record]))
    assert.equal(tail.isRunning(), true)
    const records = numbered(30, ['a', 'b', 'c', 'd', 'e'], 30)
    await log.produce(topic, records)
    await seen.untilAll(valuesOf(records))
    assert.deepEqual(seen.values().sort(), valuesOf(records).sort())
    await tail.close()
    await tail.close()
    assert.equal(tail.isRunning(), false)
  })

  logCase(
    open,
    'misses nothing published as soon as the tail is there, with many tails',
    2,
    async ({ topic, another }) => {
      const clients = Array.from({ length: 4 }, () => another())
      const rounds = clients.flatMap((client) => Array.from({ length: 3 }, () => client))
      await Promise.all(
        rounds.map(async (client, i) => {
          const seen = deliveries()
          const tail = await client.tail(topic, (record) => seen.add([record]))
          const records = numbered(4, ['a', 'b', 'c', 'd']).map((record) => ({
            ...record,
            value: `${i}-${String(record.value)}`,
          }))
          await client.produce(topic, records)
          await seen.untilAll(valuesOf(records))
          await tail.close()
        }),
      )
    },
  )

  logCase(open, 'tails from the beginning, each record once', 3, async ({ log, topic }) => {
    const keys = ['a', 'b', 'c', 'd', 'e']
    const [old, fresh] = [numbered(300, keys), numbered(300, keys, 300)]
    await log.produce(topic, old)
    const seen = deliveries()
    await log.tail(topic, (record) => seen.add([record]), { from: 'beginning' })
    await log.produce(topic, fresh)
    await seen.untilAll(valuesOf([...old, ...fresh]))
    for (const key of keys) {
      const values = seen.records.filter((record) => record.key === key).map(textOf)
      const expected = [...old, ...fresh].filter((record) => record.key === key)
      assert.deepEqual(values, valuesOf(expected))
    }
  })

  logCase(open, 'tails beside the groups without a trace in them', 1, async ({ log, topic, consume }) => {
    const tailed = deliveries()
    await log.tail(topic, (record) => tailed.add([record]))
    const records = numbered(5, ['a'])
    await log.produce(topic, records)
    await tailed.untilAll(valuesOf(records))
    const consumed = deliveries()
    await consume({ onBatch: consumed.takeAll })
    await consumed.untilAll(valuesOf(records))
  })

  logCase(open, 'goes on behind a record that its reader throws at', 1, async ({ log, topic }) => {
    const seen: string[] = []
    await log.tail(topic, (record) => {
      seen.push(textOf(record))
      if (seen.length === 2) throw new Error('cannot read this')
    })
    await log.produce(topic, numbered(4, ['a']))
    await waitUntil('the last was read', () => seen.includes('r3'))
    assert.deepEqual(seen, ['r0', 'r1', 'r2', 'r3'])
  })
}
