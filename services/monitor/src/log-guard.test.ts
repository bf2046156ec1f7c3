import assert from 'node:assert/strict'
import { describe as suite, test } from 'node:test'
import type { Clock, EventLog } from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { createLogGuard } from './log-guard.js'

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
  const guard = createLogGuard(log, store, TOPIC)
  await guard.check(() => describe(log))
  await guard.remember(0, 2n, 300)
  return store
}

async function check(log: EventLog): Promise<void> {
  const store = await knowingStore()
  await createLogGuard(log, store, TOPIC).check(() => describe(log))
}

suite('the log guard', () => {
  test('knows the same log again, as it was and grown', async () => {
    await check(await logOf([100, 200, 300]))
    await check(await logOf([100, 200, 300, 400, 500]))
  })

  test('does not mistake a log that goes on meanwhile for another', async () => {
    const store = await knowingStore()
    const log = await logOf([100, 200, 300])
    const other = createLogGuard(log, store, TOPIC)
    const goOn = async () => {
      await log.produce(TOPIC, [{ key: 'k', value: 'more' }])
      await other.remember(0, 3n, 300)
    }
    await createLogGuard(log, store, TOPIC).check(async () => {
      const described = await describe(log)
      await goOn()
      return described
    })
    // What is described has to be at least as new as what is remembered: the other way round this would be refused.
    await createLogGuard(log, store, TOPIC).check(() => describe(log))
  })

  test('keeps to the latest time that a monitor before it has seen', async () => {
    const store = await knowingStore()
    const guard = createLogGuard(await logOf([100, 200, 300]), store, TOPIC)
    await guard.remember(0, 5n, 200)
    assert.equal((await store.readMeta(`log:${TOPIC}`))['p0'], '5:300')
  })

  test('takes records of one and the same millisecond for what they are', async () => {
    await check(await logOf([300, 300, 300, 300]))
  })

  const changes: readonly [string, readonly number[], number?][] = [
    ['another number of partitions', [100, 200, 300], 2],
    ['a topic made anew, empty', []],
    ['a topic cut short', [100, 200]],
    ['a topic made anew and grown as long', [1000, 1100, 1200]],
    ['a topic made anew and grown longer', [1000, 1100, 1200, 1300]],
  ]
  for (const [what, times, partitions] of changes)
    test(`refuses ${what}`, async () => {
      await assert.rejects(check(await logOf(times, partitions)), { code: 'log_changed' })
    })

  test('never lowers the latest time it remembers, over a restart too', async () => {
    const store = await knowingStore()
    const log = await logOf([100, 200, 300, 250])
    const guard = createLogGuard(log, store, TOPIC)
    await guard.check(() => describe(log))
    await guard.remember(0, 3n, 250)
    assert.equal((await store.readMeta(`log:${TOPIC}`))['p0'], '3:300')
  })
})
