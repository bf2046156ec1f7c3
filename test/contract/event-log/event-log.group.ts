import assert from 'node:assert/strict'
import type { Batch, EventLog } from '@plimsoll/runtime'
import { waitUntil } from '../../support/wait-until.js'
import { logCase } from './log-case.js'
import { deliveries, gate, keyPerPartition, numbered, valuesOf } from './log-fixture.js'

const asNumbers = (partitions: readonly number[]) => [...partitions].sort((a, b) => a - b)

export function groupCases(open: () => EventLog): void {
  logCase(open, 'shares the partitions between members, and gives them over', 4, async (fixture) => {
    const { log, topic, consume, another } = fixture
    let [mine, theirs]: [readonly number[], readonly number[]] = [[], []]
    const [one, two] = [deliveries(), deliveries()]
    const first = await consume({ onBatch: one.takeAll, onAssigned: (partitions) => (mine = partitions) })
    await waitUntil('the first has all', () => mine.length === 4)
    const second = await consume(
      { onBatch: two.takeAll, onAssigned: (partitions) => (theirs = partitions) },
      another(),
    )
    await waitUntil('each has its share', () => mine.length === 2 && theirs.length === 2)
    assert.deepEqual(asNumbers([...mine, ...theirs]), [0, 1, 2, 3])
    assert.equal(second.isRunning(), true)

    const records = numbered(
      200,
      Array.from({ length: 20 }, (_, i) => `key${i}`),
    )
    await log.produce(topic, records)
    const both = () => new Set([...one.values(), ...two.values()])
    await waitUntil('all are delivered', () => both().size === 200)
    assert.ok(one.records.length > 0 && two.records.length > 0)
    assert.equal(one.records.length + two.records.length, 200, 'each to one member')

    await first.close()
    await waitUntil('the second has all', () => theirs.length === 4)
    const more = numbered(
      40,
      Array.from({ length: 20 }, (_, i) => `key${i}`),
      200,
    )
    await log.produce(topic, more)
    await two.untilAll(valuesOf(more))
  })

  logCase(open, 'refuses the commits of a member that has lost the partition', 2, async (fixture) => {
    const { log, topic, consume, another } = fixture
    const keys = await keyPerPartition(log, topic, 2)
    const records = keys.map((key, i) => ({ key, value: `held${i}` }))
    const { opened, open: finish } = gate()
    const held = new Map<number, Batch>()
    let [mine, theirs]: [readonly number[], readonly number[]] = [[], []]
    const one = deliveries()
    await consume({
      onBatch: async (batch) => {
        if (!held.has(batch.partition)) {
          held.set(batch.partition, batch)
          await opened
        } else await one.takeAll(batch)
      },
      onAssigned: (partitions) => (mine = partitions),
      onError: () => {},
    })
    await log.produce(topic, records)
    await waitUntil('both partitions are held', () => held.size === 2)
    const two = deliveries()
    await consume({ onBatch: two.takeAll, onAssigned: (partitions) => (theirs = partitions) }, another())
    await waitUntil('each has one', () => mine.length === 1 && theirs.length === 1)

    const lost = held.get(theirs[0] ?? -1)
    assert.equal(lost?.isOwned(), false)
    await assert.rejects(lost.commit(lost.records[0]?.offset ?? 0n), { code: 'contended' })
    await assert.rejects(
      lost.commit(lost.records.at(-1)?.offset ?? 0n),
      { code: 'contended' },
      'and ever after',
    )
    await two.untilAll([`held${lost.partition}`])
    finish()
    const kept = mine[0] ?? -1
    await waitUntil('the partition that stayed goes on', () =>
      [...one.values(), ...(held.get(kept)?.records ?? []).map(({ value }) => String(value))].includes(
        `held${kept}`,
      ),
    )
    await log.produce(topic, [{ key: keys[kept] ?? '', value: 'after' }])
    await one.untilAll(['after'])
  })

  logCase(open, 'tells who is in a group and how far they are', 2, async (fixture) => {
    const { log, topic, group, consume } = fixture
    const described = async (name = topic) => {
      const { members, offsets } = await log.group(group, name)
      return { members, offsets }
    }
    const none = { members: 0, offsets: new Map() }
    assert.deepEqual(await described(), none)
    assert.deepEqual(await described(`${topic}-never`), none)
    const [key = ''] = await keyPerPartition(log, topic, 2)
    const end = (await log.describe(topic))?.[0]?.nextOffset ?? 0n
    const seen = deliveries()
    const consumption = await consume({
      onBatch: async (batch) => {
        if (batch.partition === 0) await seen.takeAll(batch)
      },
    })
    await log.produce(topic, numbered(3, [key]))
    await seen.untilAll(valuesOf(numbered(3, [key])))
    const info = { members: 1, offsets: new Map([[0, end + 3n]]) }
    await waitUntil('it has committed', async () => (await described()).offsets.get(0) === end + 3n)
    assert.deepEqual(await described(), info)
    await consumption.close()
    assert.deepEqual(await described(), { ...info, members: 0 })
  })

  logCase(open, 'gives a new owner all that the old one had not committed', 1, async (fixture) => {
    const { log, topic, consume, another } = fixture
    const records = numbered(10, ['a'])
    await log.produce(topic, records)
    const stuck = gate()
    const one = await consume({
      onBatch: async (batch) => {
        await batch.commit(3n)
        await stuck.opened
        throw new Error('given up')
      },
      onError: () => {},
    })
    const described = async () => (await log.describe(topic))?.[0]?.nextOffset === 10n
    await waitUntil('all are written', described)
    const two = deliveries()
    const joining = consume({ onBatch: two.takeAll }, another())
    stuck.open()
    await one.close()
    await joining
    await two.untilAll(valuesOf(records.slice(4)))
    assert.ok(two.records.every(({ offset }) => offset >= 0n))
    assert.equal(two.values().at(-1), 'r9')
  })
}
