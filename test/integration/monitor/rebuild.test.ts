import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  decisionSchema,
  EVENT_SCHEMA,
  sign,
  type Decision,
  type Event,
  type EventOf,
} from '@plimsoll/contracts'
import { encodeState } from '@plimsoll/engine'
import { rebuild, type MonitorLimits } from '@plimsoll/monitor'
import { isSessionId, type Metrics, type SessionStore } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { redis, withoutPair } from '../../support/components/components.js'
import {
  byDecisionId,
  deploy,
  foldAlone,
  SIGNING_KEY,
  type Deployment,
} from '../../support/sessions/deployment.js'
import { sessionScript, wholeSession } from '../../support/sessions/events.js'
import { untilMetric } from '../../support/until-metric.js'
import { openRedisKeys, type RedisKeys } from '../../support/components/redis-keys.js'
import { waitUntil } from '../../support/wait-until.js'

interface Fleet {
  readonly deployment: Deployment
  readonly keys: RedisKeys
  readonly scripts: readonly ReturnType<typeof sessionScript>[]
  readonly metrics: Metrics
  /** The verdicts on each session's outgoing e-mail. */
  readonly mailed: () => (readonly [session: string, verdict: string, code: string | undefined])[]
}

const SESSIONS = ['s0', 's1', 's2', 's3', 's4', 's5']

const each = (scripts: Fleet['scripts'], make: (script: Fleet['scripts'][number]) => Event[]) =>
  scripts.flatMap(make)

async function withFleet(
  run: (fleet: Fleet) => Promise<void>,
  options: { partitions?: number; limits?: Partial<MonitorLimits>; onStored?: OnStored } = {},
): Promise<void> {
  const { partitions = 2, limits = {}, onStored } = options
  const deployment = await deploy('real', { partitions })
  const keys = openRedisKeys(redis.url, `${deployment.prefix}plimsoll`)
  const metrics = createMetrics({ hasProcessMetrics: false })
  const mailed: Fleet['mailed'] = () =>
    [...byDecisionId(deployment.seen.decisions).values()]
      .map((text): Decision => decisionSchema.parse(JSON.parse(text)))
      .filter(({ tool }) => tool === 'send_email')
      .map(({ sessionId, verdict, reasons }) => [sessionId, verdict, reasons[0]?.code] as const)
      .sort(([a], [b]) => a.localeCompare(b))
  try {
    const store = onStored ? interrupted(deployment.store, () => onStored(keys)) : deployment.store
    await deployment.startMonitor({ store, metrics, limits: { chunkEventsMax: 4, ...limits } }).started
    const scripts = SESSIONS.map((id) => sessionScript(id))
    await run({ deployment, keys, scripts, mailed, metrics })
  } finally {
    await keys.close()
    await deployment.close()
  }
}

type OnStored = (keys: RedisKeys) => Promise<void>

/** `store` that calls `onStored` between the writes of sessions and those of the partition's records. */
function interrupted(store: SessionStore, onStored: () => Promise<void>): SessionStore {
  return {
    ...store,
    compareAndSet: async (writes) => {
      const sessions = writes.filter(({ id }) => isSessionId(id))
      const answers = await store.compareAndSet(sessions)
      if (sessions.length > 0) await onStored()
      return [...answers, ...(await store.compareAndSet(writes.slice(sessions.length)))]
    },
  }
}

const readMail = (script: Fleet['scripts'][number]) => [
  script.propose('read_email', 'read'),
  // Later user messages are rebuilt too.
  script.instruct(['aaaaaaaa', 'wbbbbbbb']),
  script.complete('read_email', 'read'),
]
const sendMail = (script: Fleet['scripts'][number]) => [script.propose('send_email', 'send')]

/** An idle deadline for an outdated last event time: it changes nothing. */
const pastDeadline = (sessionId: string): Event =>
  sign<EventOf<'deadline.reached'>>(
    {
      schema: EVENT_SCHEMA,
      id: 'deadline:idle:1',
      sessionId,
      producer: 'plimsoll-monitor',
      seq: 0,
      time: 2,
      type: 'deadline.reached',
      due: { kind: 'idle', lastEventAt: 1 },
      dueAt: 2,
    },
    SIGNING_KEY,
  )

const ASKED = SESSIONS.map((id) => [id, 'confirm', 'outgoing_after_sensitive'] as const)

describe('the store is a cache of the log', { skip: withoutPair, concurrency: 2 }, () => {
  test('sessions continue unchanged after a flush in the middle of a run', () =>
    withFleet(async ({ deployment, keys, scripts, mailed, metrics }) => {
      await deployment.publish(
        each(scripts, (script) => [script.start('research_comms'), ...readMail(script)]),
      )
      await deployment.untilDecided(SESSIONS.length)
      await keys.flush()
      // A repeated start does not reset a session to safe.
      await deployment.publish(SESSIONS.map((id) => sessionScript(id, 'second').start()))
      await deployment.publish(each(scripts, sendMail))
      await deployment.untilDecided(2 * SESSIONS.length)
      assert.deepEqual(mailed(), ASKED)
      await untilMetric(metrics, /^plimsoll_rebuilds_total\{why="flushed"\} [12]$/m)
      // The identity of the log is restored too, so that a later repartitioning is refused.
      const { store, topics } = deployment
      assert.deepEqual(await store.readMeta(`log:${topics.events}`), { partitions: '2' })
      const codes = new Set(foldAlone(deployment).faults.values())
      assert.deepEqual([...codes], ['session_already_started'])
    }))

  test('the next monitor rebuilds a store that was flushed while none ran', () =>
    withFleet(async ({ deployment, keys, scripts, mailed }) => {
      await deployment.publish(each(scripts, (script) => [script.start(), ...readMail(script)]))
      await deployment.untilDecided(SESSIONS.length)
      await deployment.stopMonitors()
      await keys.flush()
      deployment.startMonitor()
      await deployment.publish(each(scripts, sendMail))
      await deployment.untilDecided(2 * SESSIONS.length)
      assert.deepEqual(mailed(), ASKED)
    }))

  test('rebuilds a deleted record and a damaged one', () =>
    withFleet(async ({ deployment, keys, scripts, mailed, metrics }) => {
      await deployment.publish(each(scripts, (script) => [script.start(), ...readMail(script)]))
      await deployment.untilDecided(SESSIONS.length)
      await deployment.stopMonitors()
      await keys.delete('s1')
      await keys.set('s2', 'no record')
      await keys.set('s3', '7 4\nbody')
      const own = createMetrics({ hasProcessMetrics: false })
      deployment.startMonitor({ metrics: own })
      await deployment.publish(each(scripts, sendMail))
      await deployment.untilDecided(2 * SESSIONS.length)
      assert.deepEqual(mailed(), ASKED)
      await untilMetric(own, /^plimsoll_rebuilds_total\{why="missing"\} [1-9]/m)
      assert.doesNotMatch(await metrics.text(), /^plimsoll_rebuilds_total/m)
    }))

  for (const [what, flushes] of [
    ['again while it is rebuilt', 2],
    ['between the sessions of a chunk and its progress', 1],
  ] as const) {
    let left = 0
    const onStored: OnStored = async (keys) => {
      if (left-- > 0) await keys.flush()
    }
    test(`a store flushed ${what} loses no session state`, () =>
      withFleet(
        async ({ deployment, keys, scripts, mailed }) => {
          await deployment.publish(
            each(scripts, (script) => [script.start(), script.propose('list_files', 'list')]),
          )
          await deployment.untilDecided(SESSIONS.length)
          left = flushes === 1 ? 1 : 0
          await deployment.publish(each(scripts, readMail))
          await deployment.untilDecided(2 * SESSIONS.length)
          if (flushes === 2) {
            left = 2
            await keys.flush()
          }
          await deployment.publish(SESSIONS.map((id) => sessionScript(id, 'second').start()))
          await deployment.publish(each(scripts, sendMail))
          await deployment.untilDecided(3 * SESSIONS.length)
          assert.ok(left <= 0)
          assert.deepEqual(mailed(), ASKED)
        },
        { partitions: 1, onStored },
      ))
  }

  test('an earlier deadline does not hide a missing record', () =>
    withFleet(
      async ({ deployment, keys, scripts, mailed }) => {
        await deployment.publish(each(scripts, (script) => [script.start(), ...readMail(script)]))
        await deployment.untilDecided(SESSIONS.length)
        await deployment.stopMonitors()
        await keys.delete('s1')
        const [, script] = scripts
        assert.ok(script)
        await deployment.publish([pastDeadline('s1'), ...sendMail(script)])
        deployment.startMonitor()
        await deployment.until('the answer', () => mailed().length === 1)
        assert.deepEqual(mailed(), [ASKED[1]])
      },
      { partitions: 1 },
    ))

  test('a store restored to an older state catches up', () =>
    withFleet(async ({ deployment, keys, scripts, mailed, metrics }) => {
      await deployment.publish(each(scripts, (script) => [script.start()]))
      await deployment.publish(wholeSession('over', ['list_files']))
      await deployment.untilDecided(1)
      const restore = await keys.dump()
      await deployment.publish(each(scripts, readMail))
      await deployment.untilDecided(1 + SESSIONS.length)
      await restore()
      await deployment.publish(each(scripts, sendMail))
      await deployment.untilDecided(1 + 2 * SESSIONS.length)
      assert.deepEqual(mailed(), ASKED)
      await untilMetric(metrics, /^plimsoll_rebuilds_total\{why="behind"\} [12]$/m)
    }))

  test('blocks sessions that started before the rebuild window, and continues later ones', () =>
    withFleet(
      async ({ deployment, keys, scripts, mailed }) => {
        const [old, young] = scripts
        assert.ok(old && young)
        await deployment.publish([old.start(), ...readMail(old)])
        await deployment.publish([young.start(), ...readMail(young)])
        await deployment.publish([old.propose('list_files', 'list')])
        await deployment.untilDecided(3)
        await keys.flush()
        await deployment.publish([...sendMail(old), ...sendMail(young)])
        await deployment.until('both answers', () => mailed().length === 2)
        // Nor is it reset to safe.
        const again = sessionScript('s0', 'second')
        await deployment.publish([again.start(), again.propose('send_email', 'again')])
        await deployment.until('the last answer', () => mailed().length === 3)
        assert.deepEqual(mailed(), [
          ['s0', 'block', 'session_state_lost'],
          ['s0', 'block', 'session_state_lost'],
          ['s1', 'confirm', 'outgoing_after_sensitive'],
        ])
      },
      { partitions: 1, limits: { rebuildEventsMax: 5 } },
    ))

  test('`rebuild` rebuilds every record while no monitor runs, and refuses while one does', () =>
    withFleet(async ({ deployment, keys, scripts }) => {
      await deployment.publish(each(scripts, (script) => [script.start(), ...readMail(script)]))
      await deployment.untilDecided(SESSIONS.length)
      const { log, store, topics, documents } = deployment
      const options = {
        log,
        store,
        topics,
        documents,
        group: `${deployment.prefix}plimsoll-monitor`,
        signingKey: SIGNING_KEY,
      }
      await assert.rejects(rebuild(options), { code: 'usage_invalid' })
      const states = async () =>
        (await store.load(SESSIONS)).map((record) => record?.body.slice(record.body.indexOf(' ') + 1))
      const { states: folded } = foldAlone(deployment)
      const expected = SESSIONS.map((id) => folded.get(id)).map((state) => state && encodeState(state))
      await waitUntil('all to be stored', async () => String(await states()) === String(expected))
      await deployment.stopMonitors()
      await keys.flush()
      const read: number[] = []
      const first = await rebuild({ ...options, onProgress: ({ partition }) => read.push(partition) })
      assert.deepEqual(await states(), expected)
      assert.deepEqual(new Set(read), new Set(first.map(({ partition }) => partition)))
      assert.equal(
        first.reduce((sum, { sessions }) => sum + sessions, 0),
        SESSIONS.length,
      )
      await keys.delete('s4')
      const again = await rebuild(options)
      assert.deepEqual(await states(), expected)
      assert.deepEqual(new Set(again.map(({ why }) => why)), new Set(['missing']))
      assert.equal(
        again.reduce((sum, { sessions }) => sum + sessions, 0),
        1,
      )
    }))
})
