import assert from 'node:assert/strict'
import { describe as suite, test } from 'node:test'
import type { Clock, EventLog, SessionStore } from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { checkLog } from './log-guard.js'
import { progressIdOf, progressWrite, readProgress } from './progress.js'

const TOPIC = 'events'

/** A log with `times.length` records in one partition, appended at those times. */
async function logOf(times: readonly number[], partitions = 1): Promise<EventLog> {
  let now = 0
  const clock: Clock = { now: () => now }
  const log = createEmbeddedLog({ clock })
  await log.createTopics([{ topic: TOPIC, partitions }])
  for (const time of times) {
    now = time
    await log.produce(TOPIC, [{ key: 'k', value: String(time) }])
  }
  return log
}

const describe = async (log: EventLog) => (await log.describe(TOPIC)) ?? []

/** A store that has known a log of records at 100, 200 and 300, all of them read. */
async function knowingStore() {
  const store = createEmbeddedStore()
  const log = await logOf([100, 200, 300])
  await checkLog(log, store, TOPIC, () => describe(log))
  await reach(store, 2n, 300)
  return store
}

/** Stores that all up to `offset`, appended at `timeMs` or before, is done. */
async function reach(store: SessionStore, offset: bigint, timeMs: number): Promise<void> {
  const [stored] = await store.load([progressIdOf(0)])
  const next = { offset, timeMs, controls: -1n, trustedFrom: -1n }
  assert.deepEqual(await store.compareAndSet([progressWrite(0, readProgress(stored), next)]), [true])
}

async function check(log: EventLog): Promise<void> {
  await checkLog(log, await knowingStore(), TOPIC, () => describe(log))
}

suite('the log guard', () => {
  test('knows the same log again, as it was and grown', async () => {
    await check(await logOf([100, 200, 300]))
    await check(await logOf([100, 200, 300, 400, 500]))
  })

  test('does not mistake a log that goes on meanwhile for another', async () => {
    const store = await knowingStore()
    const log = await logOf([100, 200, 300])
    const goOn = async () => {
      await log.produce(TOPIC, [{ key: 'k', value: 'more' }])
      await reach(store, 3n, 300)
    }
    await checkLog(log, store, TOPIC, async () => {
      const described = await describe(log)
      await goOn()
      return described
    })
    // What is described has to be at least as new as what is remembered: the other way round this would be refused.
    await checkLog(log, store, TOPIC, () => describe(log))
  })

  test('takes records of one and the same millisecond for what they are', async () => {
    await check(await logOf([300, 300, 300, 300]))
  })

  const changes: readonly [string, readonly number[], number?][] = [
    ['another number of partitions', [100, 200, 300], 2],
    ['a topic made again, empty', []],
    ['a topic cut short', [100, 200]],
    ['a topic made again and grown as long', [1000, 1100, 1200]],
    ['a topic made again and grown longer', [1000, 1100, 1200, 1300]],
  ]
  for (const [what, times, partitions] of changes)
    test(`refuses ${what}`, async () => {
      await assert.rejects(check(await logOf(times, partitions)), { code: 'log_changed' })
    })
})
