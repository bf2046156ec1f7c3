import assert from 'node:assert/strict'
import { type TestContext, describe, test } from 'node:test'
import { type Decision, type PlimsollError, topicsOf } from '@plimsoll/contracts'
import { type Monitor, startMonitor } from '@plimsoll/monitor'
import { type SessionStore, noMetrics, silentLogger, topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { SIGNING_KEY } from '../support/sessions/signing-key.js'
import { waitUntil } from '../support/wait-until.js'
import { answerOf, fixtureFiles, readFixture, readStoreFixture, signed } from './fixture.js'

// The older monitor itself is not part of this repository. Old to new: its records are its own, stored by the real one. New to old: today's
// monitor stands in for it, with records whose layout is one above its own.

const GROUP = 'monitors'

/** A log and a store on the clock of the fixture's session. */
async function createWorld(file: string, t: TestContext) {
  const { documents, steps } = readFixture(file)
  let now = 0
  const clock = { now: () => now }
  const log = createEmbeddedLog({ clock, redeliveryMsMax: 10 })
  const store = createEmbeddedStore({ clock })
  const topics = topicsOf('plimsoll')
  const monitors: Monitor[] = []
  t.after(async () => {
    await Promise.all(monitors.map((monitor) => monitor.close()))
    await log.close()
    await store.close()
  })
  await log.createTopics(topicSpecs(topics, { partitions: 1 }))
  const published: string[] = []
  const deadLetters: string[] = []
  await log.tail(topics.decisions, ({ value }) => void published.push(String(value)))
  await log.tail(topics.deadLetters, ({ value }) => void deadLetters.push(String(value)))
  const committed = async () => (await log.group(GROUP, topics.events)).offsets.get(0) ?? 0n
  return {
    store,
    published,
    deadLetters,
    committed,
    publish: async (from: number, to: number) => {
      for (const { at, event } of steps.slice(from, to)) {
        now = at
        await log.produce(topics.events, [{ key: 's', value: JSON.stringify(signed(event)) }])
      }
    },
    publishDecisions: (texts: readonly string[]) =>
      log.produce(
        topics.decisions,
        texts.map((value) => ({ key: 's', value })),
      ),
    start: (itsStore: SessionStore, onFatal: (error: PlimsollError) => void = assert.ifError) => {
      const common = { log, store: itsStore, documents: [documents] as const, topics, group: GROUP }
      const rest = { signingKey: SIGNING_KEY, metrics: noMetrics, logger: silentLogger, clock, onFatal }
      const monitor = startMonitor({ ...common, ...rest })
      monitors.push(monitor)
      return monitor
    },
    /** Commits follow what is published; `decisions` are those that the tail has then. */
    untilCommitted: async (offset: number, decisions: number) => {
      await waitUntil('the commit', async () => (await committed()) === BigInt(offset))
      await waitUntil('the decisions', () => published.length >= decisions)
    },
  }
}

/** The store as a monitor sees it whose layout is older than that of the records of sessions. */
const asOlder = (store: SessionStore): SessionStore => ({
  ...store,
  load: async (ids) =>
    (await store.load(ids)).map((stored, i) =>
      stored && ids[i] === 's'
        ? { ...stored, body: stored.body.replace(/ \[(\d+)/, (_, layout) => ` [${Number(layout) + 1}`) }
        : stored,
    ),
})

for (const file of fixtureFiles())
  describe(`a rolling upgrade from ${file}`, () => {
    const { steps } = readFixture(file)
    const stored = readStoreFixture(file)
    const expected = steps.flatMap(({ decision }) => (decision ? [decision] : []))
    const former = expected.slice(0, steps.slice(0, stored.events).filter(({ decision }) => decision).length)

    const assertDecidedOnce = (published: readonly string[]) => {
      const decisions = published.map((text) => JSON.parse(text) as Decision)
      assert.deepEqual(decisions.map(answerOf), expected.map(answerOf))
      return decisions
    }

    for (const hadPublished of [false, true])
      test(`old to new: killed after it stored${hadPublished ? ' and published' : ''}, before it committed`, async (t) => {
        const world = await createWorld(file, t)
        await world.publish(0, stored.events)
        const writes = stored.records.map((each) => ({ ...each, expected: 0, ttlMs: 3_600_000 }))
        assert.ok((await world.store.compareAndSet(writes)).every(Boolean))
        await world.store.writeMeta('log:plimsoll.events', stored.meta)
        const texts = former.map((decision) => JSON.stringify(decision))
        if (hadPublished) await world.publishDecisions(texts)

        const monitor = world.start(world.store)
        // Clients know a decision by its id: what is published again has the same bytes.
        const again = hadPublished ? texts : []
        await world.untilCommitted(stored.events, texts.length + again.length)
        await world.publish(stored.events, steps.length)
        await world.untilCommitted(steps.length, expected.length + again.length)
        await monitor.close()
        assert.deepEqual(world.published.slice(0, texts.length + again.length), [...texts, ...again])
        const decisions = assertDecidedOnce(world.published.slice(again.length))
        const engines = decisions.map(({ versions }) => versions?.engine)
        assert.deepEqual(new Set(engines.slice(0, former.length)), new Set([former[0]?.versions?.engine]))
        assert.ok(engines.slice(former.length).every((engine) => engine !== former[0]?.versions?.engine))
        assert.deepEqual(world.deadLetters, [])
      })

    test('new to old: a newer record stops the older monitor, and its events wait for a newer one', async (t) => {
      const world = await createWorld(file, t)
      const newer = world.start(world.store)
      await world.publish(0, stored.events)
      await world.untilCommitted(stored.events, former.length)
      await newer.close()

      const fatal: PlimsollError[] = []
      const older = world.start(asOlder(world.store), (error) => void fatal.push(error))
      await world.publish(stored.events, steps.length)
      await waitUntil('the refusal', () => fatal.length > 0)
      await older.close()
      assert.deepEqual(
        fatal.map(({ code }) => code),
        ['record_too_new'],
      )
      assert.equal(await world.committed(), BigInt(stored.events))
      assert.equal(world.published.length, former.length)

      const again = world.start(world.store)
      await world.untilCommitted(steps.length, expected.length)
      await again.close()
      assertDecidedOnce(world.published)
      assert.deepEqual(world.deadLetters, [])
    })
  })
