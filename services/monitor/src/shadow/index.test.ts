import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShadowRecord } from '@plimsoll/contracts'
import { silentLogger, type OutgoingRecord } from '@plimsoll/runtime'
import { createShadowWriter } from './index.js'

const record = (step: number) => ({ sessionId: 'acme~1', tenant: 'acme', step }) as ShadowRecord
const stepsOf = (records: readonly OutgoingRecord[]) =>
  records.map(({ value }) => (JSON.parse(String(value)) as ShadowRecord).step)

function createWorld() {
  const written: (readonly OutgoingRecord[])[] = []
  const gates: { readonly open: () => void; readonly fail: () => void }[] = []
  const world = { nowMs: 0, dropped: 0 }
  const writer = createShadowWriter({
    log: {
      produce: (_topic, records) => {
        written.push(records)
        return new Promise((resolve, reject) =>
          gates.push({ open: resolve, fail: () => reject(new Error('away')) }),
        )
      },
    },
    topic: 'shadow',
    recordsPerSecondMax: 3,
    clock: { now: () => world.nowMs },
    logger: silentLogger,
    onDropped: (count) => void (world.dropped += count),
  })
  /** Lets what waits for its turn have it. */
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { world, writer, written, gates, turn }
}

test('what is offered together is written together, under its session and tenant', async () => {
  const { writer, written, gates, turn } = createWorld()
  writer.offer(record(1))
  writer.offer(record(2))
  await turn()
  assert.deepEqual(written.map(stepsOf), [[1, 2]])
  assert.deepEqual(written[0]?.[0]?.headers, { 'plimsoll-tenant': 'acme' })
  assert.equal(written[0]?.[0]?.key, 'acme~1')
  gates[0]?.open()
  await writer.settled()
})

test('more than so many a second are dropped and counted', async () => {
  const { world, writer, written, gates, turn } = createWorld()
  for (const step of [1, 2, 3, 4, 5]) writer.offer(record(step))
  await turn()
  assert.equal(world.dropped, 2)
  gates[0]?.open()
  world.nowMs = 1000
  await turn()
  writer.offer(record(6))
  await turn()
  assert.deepEqual(written.map(stepsOf), [[1, 2, 3], [6]])
  gates[1]?.open()
  await writer.settled()
})

test('one write is under way at a time, and no more waits behind it than is taken in a second', async () => {
  const { world, writer, written, gates, turn } = createWorld()
  writer.offer(record(1))
  await turn()
  for (let second = 1; second <= 4; second++) {
    world.nowMs = second * 1000
    writer.offer(record(10 * second))
  }
  assert.equal(world.dropped, 1, 'a log that is away is not waited for')
  assert.equal(written.length, 1)
  gates[0]?.open()
  await turn()
  assert.deepEqual(written.map(stepsOf), [[1], [10, 20, 30]])
  gates[1]?.open()
  await writer.settled()
})

test('a write that fails drops what it had, and the next goes on', async () => {
  const { world, writer, written, gates, turn } = createWorld()
  writer.offer(record(1))
  await turn()
  writer.offer(record(2))
  gates[0]?.fail()
  await turn()
  assert.equal(world.dropped, 1)
  assert.deepEqual(written.map(stepsOf), [[1], [2]])
  gates[1]?.open()
  await writer.settled()
  assert.equal(world.dropped, 1)
})
