import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { logCase } from './log-case.js'
import { keyPerPartition, numbered, textOf, valuesOf } from './log-fixture.js'

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

export function readCases(open: () => EventLog): void {
  logCase(open, 'reads all that lies there, each partition in its order', 3, async ({ log, topic }) => {
    const records = numbered(3_000, KEYS)
    await log.produce(topic, records)
    const read: LogRecord[] = []
    await log.read(topic, (record) => read.push(record))
    assert.deepEqual(read.map(textOf).sort(), valuesOf(records).sort())
    for (const { partition, firstOffset, nextOffset } of (await log.describe(topic)) ?? []) {
      const offsets = read.filter((record) => record.partition === partition).map(({ offset }) => offset)
      assert.deepEqual(offsets, between(firstOffset, nextOffset))
    }
  })

  logCase(open, 'waits for a reader that takes its time', 1, async ({ log, topic }) => {
    const records = numbered(40, ['a'])
    await log.produce(topic, records)
    const read: string[] = []
    let isTaking = false
    await log.read(topic, async (record) => {
      assert.equal(isTaking, false)
      isTaking = true
      await nextTurn()
      read.push(textOf(record))
      isTaking = false
    })
    assert.deepEqual(read, valuesOf(records))
    const refusing = log.read(topic, () => Promise.reject(new RangeError('enough')))
    await assert.rejects(refusing, /enough/)
  })

  logCase(open, 'reads the ranges that are asked for and nothing beside them', 3, async ({ log, topic }) => {
    const [first = '', second = '', third = ''] = await keyPerPartition(log, topic, 3)
    const start = (await log.describe(topic)) ?? []
    await log.produce(topic, numbered(60, [first, second, third]))
    const [at0 = 0n, at1 = 0n] = start.map(({ nextOffset }) => nextOffset)
    const ranges = [
      { partition: 0, from: at0 + 5n, to: at0 + 8n },
      { partition: 1, from: at1 + 18n, to: at1 + 1_000n },
    ]
    const offsets = await offsetsRead(log, topic, ranges)
    assert.deepEqual(offsets.get(0), between(at0 + 5n, at0 + 8n))
    assert.deepEqual(offsets.get(1), between(at1 + 18n, at1 + 20n))
    assert.equal(offsets.size, 2)
    const early = await offsetsRead(log, topic, [{ partition: 0, from: -5n, to: 2n }])
    assert.deepEqual(early.get(0), [0n, 1n])
  })

  logCase(open, 'has read at once what is empty', 2, async ({ log, topic }) => {
    const empty = async (ranges?: Parameters<typeof offsetsRead>[2]) =>
      assert.equal((await offsetsRead(log, topic, ranges)).size, 0)
    await empty()
    await log.produce(topic, numbered(10, ['a']))
    await empty([])
    for (const partition of [0, 1])
      await empty([{ partition, from: 10n }]).then(() => empty([{ partition, from: 3n, to: 3n }]))
    await empty([{ partition: 0, to: 0n }])
  })

  logCase(open, 'reads to where the log ended at the call', 1, async ({ log, topic, another }) => {
    await log.produce(topic, numbered(5, ['a']))
    const writer = another()
    const writes: Promise<void>[] = []
    const read: string[] = []
    await log.read(topic, (record) => {
      read.push(textOf(record))
      writes.push(writer.produce(topic, numbered(1, ['a'], 100)))
    })
    await Promise.all(writes)
    assert.deepEqual(read, ['r0', 'r1', 'r2', 'r3', 'r4'])
    assert.equal((await log.describe(topic))?.[0]?.nextOffset, 10n)
  })

  logCase(open, 'refuses to read what is not there', 2, async ({ log, topic }) => {
    const ignore = () => {}
    await assert.rejects(log.read(uniquePrefix(), ignore), { code: 'log_unavailable' })
    await assert.rejects(log.read(topic, ignore, { ranges: [{ partition: 2 }] }), { code: 'log_unavailable' })
    await assert.rejects(
      log.read(topic, ignore, { ranges: [{ partition: 0 }, { partition: 0 }] }),
      RangeError,
    )
  })

  logCase(open, 'ends a read that its reader throws at', 1, async ({ log, topic }) => {
    await log.produce(topic, numbered(10, ['a']))
    const thrown = new Error('cannot read this')
    const read: string[] = []
    const reading = log.read(topic, (record) => {
      read.push(textOf(record))
      if (read.length === 3) throw thrown
    })
    await assert.rejects(reading, (error) => error === thrown)
    assert.deepEqual(read, ['r0', 'r1', 'r2'])
  })

  logCase(open, 'ends a read by its signal, and with the log', 1, async ({ log, topic, another }) => {
    await log.produce(topic, numbered(1_000, ['a']))
    const abort = new AbortController()
    let count = 0
    const aborted = log.read(topic, () => ++count === 2 && abort.abort(), { signal: abort.signal })
    await assert.rejects(aborted, { code: 'closed' })
    assert.ok(count < 1_000, `${count} records after the end`)
    await assert.rejects(
      log.read(topic, () => {}, { signal: abort.signal }),
      { code: 'closed' },
    )
    const other = another()
    const closed = other.read(topic, () => void other.close())
    await assert.rejects(closed, { code: 'closed' })
    await assert.rejects(
      other.read(topic, () => {}),
      { code: 'closed' },
    )
  })
}

async function offsetsRead(
  log: EventLog,
  topic: string,
  ranges?: readonly { partition: number; from?: bigint; to?: bigint }[],
): Promise<Map<number, bigint[]>> {
  const offsets = new Map<number, bigint[]>()
  const take = ({ partition, offset }: LogRecord) =>
    offsets.set(partition, [...(offsets.get(partition) ?? []), offset])
  await log.read(topic, take, ranges && { ranges })
  return offsets
}

const between = (from: bigint, to: bigint): bigint[] =>
  Array.from({ length: Number(to - from) }, (_, i) => from + BigInt(i))
