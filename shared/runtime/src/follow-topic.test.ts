import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmbeddedLog } from './embedded/event-log.js'
import { type FollowTopicOptions, followTopic } from './follow-topic.js'
import type { LogRecord } from './ports/event-log.js'

const TOPIC = 'topic'

/** A log with three partitions, and what was taken in from it. */
async function createWorld(t: { after(release: () => Promise<void>): void }) {
  const log = createEmbeddedLog()
  t.after(() => log.close())
  await log.createTopics([{ topic: TOPIC, partitions: 3 }])
  const taken: string[] = []
  const places = new Map<string, string>()
  let wake: () => void = () => {}
  let sent = 0
  const onRecords = async (records: readonly LogRecord[]) => {
    for (const { partition, offset, value } of records) {
      taken.push(String(value))
      places.set(`${partition}:${offset}`, String(value))
    }
    wake()
  }
  const ending = new AbortController()
  return {
    log,
    taken,
    places,
    onRecords,
    send: (count: number) =>
      log.produce(
        TOPIC,
        Array.from({ length: count }, () => ({ key: `k${sent % 7}`, value: String(sent++) })),
      ),
    async until(count: number): Promise<void> {
      while (taken.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
    follow: async (over: Partial<FollowTopicOptions> = {}) => {
      const followed = await followTopic({
        log,
        topic: TOPIC,
        next: new Map(),
        onRecords,
        onError: async () => {},
        signal: ending.signal,
        ...over,
      })
      t.after(() => followed.close())
      return followed
    },
  }
}

const all = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i)).toSorted()

test('takes in what was there and what follows, each record once', async (t) => {
  const { send, follow, until, taken } = await createWorld(t)
  await send(1_200)
  const followed = await follow()
  await followed.caughtUp
  await send(700)
  await until(1_900)
  assert.deepEqual(taken.toSorted(), all(1_900))
})

test('goes on where it ended', async (t) => {
  const { send, follow, until, taken } = await createWorld(t)
  const next = new Map<number, bigint>()
  await send(50)
  const followed = await follow({ next })
  await followed.caughtUp
  await followed.close()
  await send(50)
  await (
    await follow({ next })
  ).caughtUp
  await until(100)
  assert.deepEqual(taken.toSorted(), all(100))
})

test('what could not be taken in is read again, and nothing is left out', async (t) => {
  const { send, follow, until, taken, onRecords } = await createWorld(t)
  let failures = 3
  let errors = 0
  await send(20)
  await follow({
    onRecords: async (records) => {
      if (failures-- > 0) throw new Error('away')
      await onRecords(records)
    },
    onError: async () => void errors++,
  })
  await send(20)
  await until(40)
  assert.deepEqual([taken.toSorted(), errors], [all(40), 3])
})

for (const [what, limit] of [
  ['more records than can wait are', { waitingMax: 10 }],
  ['more bytes than can wait are', { waitingBytesMax: 20 }],
] as const)
  test(`${what} read from the log: bounded, and complete`, async (t) => {
    const { log, send, follow, until, places, taken, onRecords } = await createWorld(t)
    let reads = 0
    const read: typeof log.read = (...args) => {
      reads += 1
      return log.read(...args)
    }
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const followed = await follow({
      log: { ...log, read },
      ...limit,
      onRecords: async (records) => {
        await held
        await onRecords(records)
      },
    })
    await followed.caughtUp
    for (let i = 0; i < 20; i++) await send(10)
    release()
    await until(200)
    assert.deepEqual([...places.values()].toSorted(), all(200))
    assert.equal(taken.length, 200)
    assert.ok(reads > 1, 'once more than at the start')
  })
