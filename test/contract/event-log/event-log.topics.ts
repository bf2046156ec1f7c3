import assert from 'node:assert/strict'
import type { EventLog } from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'
import { logCase } from './log-case.js'
import { numbered } from './log-fixture.js'

export function topicCases(open: () => EventLog): void {
  logCase(
    open,
    'describes the partitions of a topic, and no topic that is not there',
    3,
    async ({ log, topic }) => {
      const empty = { firstOffset: 0n, nextOffset: 0n }
      assert.deepEqual(
        await log.describe(topic),
        [0, 1, 2].map((partition) => ({ partition, ...empty })),
      )
      assert.equal(await log.describe(uniquePrefix()), undefined)
      await log.produce(topic, numbered(30, ['a', 'b', 'c', 'd']))
      const infos = (await log.describe(topic)) ?? []
      assert.equal(
        infos.reduce((sum, { nextOffset }) => sum + nextOffset, 0n),
        30n,
      )
    },
  )

  logCase(open, 'stamps the times of the topics it makes', 1, async ({ log, topic }) => {
    assert.equal((await log.settings(topic))?.['message.timestamp.type'], 'LogAppendTime')
    assert.equal(await log.settings(uniquePrefix()), undefined)
  })

  logCase(open, 'tells how many copies of a topic there are', 2, async ({ log, topic }) => {
    const { brokers = 0, replicas, inSync } = (await log.copies(topic)) ?? {}
    assert.ok(brokers >= 1)
    assert.deepEqual({ replicas, inSync }, { replicas: 1, inSync: 1 })
    assert.equal(await log.copies(uniquePrefix()), undefined)
  })

  logCase(open, 'tells who owns the partitions of a topic', 3, async ({ log, topic, group, consume }) => {
    const nobody = await log.group(group, topic)
    assert.deepEqual([nobody.members, nobody.owned.size, nobody.offsets.size], [0, 0, 0])
    const consumption = await consume({ onBatch: async () => {} })
    await waitUntil('all are owned', async () => (await log.group(group, topic)).owned.size === 3)
    assert.equal((await log.group(group, topic)).members, 1)
    await consumption.close()
    await waitUntil('none is owned', async () => (await log.group(group, topic)).owned.size === 0)
  })

  logCase(open, 'tells the settings that a topic was made with', 1, async ({ log, topic }) => {
    const compacted = `${topic}-compacted`
    await log.createTopics([{ topic: compacted, partitions: 1, config: { 'cleanup.policy': 'compact' } }])
    assert.equal((await log.settings(compacted))?.['cleanup.policy'], 'compact')
    assert.equal((await log.settings(topic))?.['cleanup.policy'], 'delete')
  })

  logCase(
    open,
    'makes the topics that are missing and leaves the others as they are',
    2,
    async ({ log, topic, another }) => {
      await log.produce(topic, numbered(4, ['a']))
      const specs = [
        { topic, partitions: 5 },
        { topic: `${topic}2`, partitions: 1, config: { 'retention.ms': '3600000' } },
      ]
      await log.createTopics(specs)
      await Promise.all([log.createTopics(specs), another().createTopics(specs)])
      await log.createTopics([])
      assert.equal((await log.describe(topic))?.length, 2)
      assert.equal((await log.describe(`${topic}2`))?.length, 1)
    },
  )

  logCase(
    open,
    'finds the first offset appended at a time or later',
    1,
    async ({ log, topic, group, consume }) => {
      assert.equal(await log.offsetAt(topic, 0, 0), undefined)
      assert.equal(await log.offsetAt(`${topic}2`, 0, 0), undefined)
      const times: number[] = []
      await log.produce(topic, numbered(2, ['a']))
      const consumption = await consume({
        group: `${group}2`,
        onBatch: async (batch) => {
          times.push(...batch.records.map(({ timeMs }) => timeMs))
          await batch.commit(batch.records.at(-1)?.offset ?? 0n)
          if (times.length < 4 && times.length >= 2) await log.produce(topic, numbered(2, ['a'], 2))
        },
      })
      while (times.length < 4) await new Promise((resolve) => setTimeout(resolve, 10))
      await consumption.close()
      const [first = 0, , third = 0, last = 0] = times
      assert.ok(Math.abs(first - Date.now()) < 60_000, 'the time is the time of appending')
      assert.equal(await log.offsetAt(topic, 0, 0), 0n)
      assert.equal(await log.offsetAt(topic, 0, first), 0n)
      if (third > first) assert.equal(await log.offsetAt(topic, 0, third), 2n)
      assert.equal(await log.offsetAt(topic, 0, last + 1), undefined)
      assert.equal(await log.offsetAt(topic, 7, 0), undefined)
    },
  )

  logCase(open, 'answers a ping', 1, async ({ log }) => {
    await log.ping()
  })

  logCase(open, 'is closed twice without harm, and then for good', 1, async ({ log, topic, group }) => {
    await log.produce(topic, numbered(1, ['a']))
    const consumption = await log.consume({ topic, group, onBatch: async () => {} })
    const tail = await log.tail(topic, () => {})
    await Promise.all([log.close(), log.close()])
    await log.close()
    assert.equal(consumption.isRunning(), false)
    assert.equal(tail.isRunning(), false)
    await consumption.close()
    await tail.close()
    await assert.rejects(log.produce(topic, numbered(1, ['a'])), { code: 'closed' })
    await assert.rejects(log.consume({ topic, group, onBatch: async () => {} }), { code: 'closed' })
    await assert.rejects(
      log.tail(topic, () => {}),
      { code: 'closed' },
    )
    await assert.rejects(log.describe(topic), { code: 'closed' })
    await assert.rejects(log.ping(), { code: 'closed' })
  })

  logCase(
    open,
    'waits for a topic that is still to be made, until it is closed',
    1,
    async ({ log, topic, group, another }) => {
      const [early, never] = [`${topic}-early`, `${topic}-never`]
      const consuming = log.consume({ topic: early, group, onBatch: async () => {} })
      const tailing = log.tail(early, () => {})
      const other = another()
      const waiting = assert.rejects(other.consume({ topic: never, group, onBatch: async () => {} }), {
        code: 'closed',
      })
      const waitingTail = assert.rejects(
        other.tail(never, () => {}),
        { code: 'closed' },
      )
      await log.createTopics([{ topic: early, partitions: 1 }])
      assert.equal((await consuming).isRunning(), true)
      assert.equal((await tailing).isRunning(), true)
      await other.close()
      await waiting
      await waitingTail
    },
  )

  logCase(open, 'is ended by a signal, before and after it has begun', 1, async ({ log, topic, group }) => {
    const abort = new AbortController()
    const never = `${topic}-never`
    const ended = [
      assert.rejects(log.consume({ topic: never, group, onBatch: async () => {}, signal: abort.signal }), {
        code: 'closed',
      }),
      assert.rejects(
        log.tail(never, () => {}, { signal: abort.signal }),
        { code: 'closed' },
      ),
    ]
    const consumption = await log.consume({ topic, group, onBatch: async () => {}, signal: abort.signal })
    const tail = await log.tail(topic, () => {}, { signal: abort.signal })
    abort.abort()
    await Promise.all(ended)
    assert.equal(consumption.isRunning(), false)
    assert.equal(tail.isRunning(), false)
    await assert.rejects(log.consume({ topic, group, onBatch: async () => {}, signal: abort.signal }), {
      code: 'closed',
    })
    await log.ping()
  })
}
