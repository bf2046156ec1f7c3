import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { DEAD_LETTER_HEADERS } from '@plimsoll/contracts'
import { ARROWS } from '@plimsoll/monitor'
import { pause } from '@plimsoll/runtime'
import { encodeState } from '@plimsoll/engine'
import { kafka, redis, withoutPair } from '../support/components/components.js'
import { sendControl, untilReported } from '../support/sessions/controls.js'
import { untilCountedOnce } from '../support/sessions/counts.js'
import { byDecisionId, deploy, foldAlone, type Deployment } from '../support/sessions/deployment.js'
import { sessionScript, wholeSession } from '../support/sessions/events.js'
import { waitUntil } from '../support/wait-until.js'
import { spawnMonitor, type SpawnedMonitor } from './spawn-monitor.js'
import type { MonitorProcess } from './monitor-process.js'

const TOOLS = ['list_files', 'read_file', 'search_emails', 'send_email', 'no_such_tool', 'send_email']
/** Later messages of the users. */
const SAID = [['aaaaaaaa', 'wbbbbbbb'], ['iccccccc']]
const SESSIONS = Array.from({ length: 12 }, (_, i) => `s${i}`)
/** Each session has one more proposal, which is refused. */
const DECISIONS = SESSIONS.length * (TOOLS.length + 1)

/**
 * Publishes the sessions interleaved, as a fleet would: the first event of each, then the second, and so on; among them, for each
 * session, a proposal that leaves a gap and a record that is no event.
 */
async function publishFleet(deployment: Deployment, paceMs = 0): Promise<void> {
  const sessions = SESSIONS.map((id) => wholeSession(id, TOOLS, 'research_comms', SAID))
  for (const [i] of (sessions[0] ?? []).entries()) {
    await deployment.publish(sessions.flatMap((events) => events.slice(i, i + 1)))
    if (i === 5) await publishFaulty(deployment)
    await pause(paceMs)
  }
}

async function publishFaulty(deployment: Deployment): Promise<void> {
  await deployment.publish(
    SESSIONS.map((id) => sessionScript(id).propose('read_file', 'gap', { seq: 99, id: 'gap' })),
  )
  for (const id of SESSIONS) await deployment.publishRaw(id, 'no event')
}

/** Every proposal has one decision, equal to the engine's fold; each record holds the fold's state; each transition is counted once. */
async function assertNothingLostNorDoubled(deployment: Deployment): Promise<void> {
  await deployment.untilDecided(DECISIONS)
  const { states, faults } = foldAlone(deployment)
  const expected = SESSIONS.map((id) => states.get(id)).map((state) => state && encodeState(state))
  // The last events of a session give no decision: wait until its record includes them.
  await waitUntil('the records of the fold', async () =>
    isDeepStrictEqual(await storedStates(deployment), expected),
  )
  await untilCountedOnce(deployment)
  // Dead letters have their own topic.
  await deployment.until('the dead letters', () => codesByOrigin(deployment).size >= faults.size)
  assert.deepEqual(codesByOrigin(deployment), faults)
  assert.equal(faults.size, 2 * SESSIONS.length)
}

/** The code of each dead letter by the `partition:offset` of its record; a crash may duplicate one. */
function codesByOrigin({ seen }: Deployment): Map<string, string | undefined> {
  const { partition, offset, code } = DEAD_LETTER_HEADERS
  return new Map(
    seen.deadLetters.map(({ headers }) => [`${headers[partition]}:${headers[offset]}`, headers[code]]),
  )
}

async function storedStates({ store }: Deployment): Promise<(string | undefined)[]> {
  const records = await store.load(SESSIONS)
  return records.map((record) => record?.body.slice(record.body.indexOf(' ') + 1))
}

/** A monitor with a fatal error has ended. */
async function stillRuns({ exited }: SpawnedMonitor): Promise<boolean> {
  return (await Promise.race([exited, Promise.resolve('running')])) === 'running'
}

async function withFleet(
  run: (deployment: Deployment, start: (fate?: MonitorProcess['fate']) => SpawnedMonitor) => Promise<void>,
) {
  const deployment = await deploy('real', { partitions: 2 })
  const monitors: SpawnedMonitor[] = []
  const start = (fate?: MonitorProcess['fate']) => {
    const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: deployment.prefix }
    const monitor = spawnMonitor(fate ? { ...common, fate } : common)
    monitors.push(monitor)
    return monitor
  }
  try {
    await run(deployment, start)
  } finally {
    for (const monitor of monitors) monitor.signal('SIGKILL')
    await Promise.all(monitors.map(({ exited }) => exited))
    await deployment.close()
  }
}

describe('the crash matrix', { skip: withoutPair, concurrency: 3 }, () => {
  for (const arrow of ARROWS) {
    test(`killed behind \`${arrow}\` and started again`, () =>
      withFleet(async (deployment, start) => {
        await publishFleet(deployment)
        const first = start({ arrow, nth: 3, signal: 'SIGKILL' })
        assert.equal(await first.exited, 'SIGKILL')
        start()
        await assertNothingLostNorDoubled(deployment)
      }))
  }

  for (const arrow of ARROWS) {
    test(`killed behind \`${arrow}\` of a control change and started again`, () =>
      withFleet(async (deployment, start) => {
        await sendControl(deployment, { id: 'observe', type: 'mode.changed', mode: 'observe' })
        await publishFleet(deployment)
        const first = start({ arrow, nth: 1, signal: 'SIGKILL' })
        assert.equal(await first.exited, 'SIGKILL')
        start()
        await assertNothingLostNorDoubled(deployment)
        for (const { refused, controls } of await untilReported(deployment, 'observe')) {
          assert.equal(refused, undefined)
          assert.equal(controls.changes.length, 1)
        }
      }))
  }

  test('killed in the middle of a batch while a second monitor takes over', () =>
    withFleet(async (deployment, start) => {
      const first = start({ arrow: 'stored', nth: 2, signal: 'SIGKILL' })
      const second = start()
      await Promise.all([first.printed('running'), second.printed('running')])
      await publishFleet(deployment)
      assert.equal(await first.exited, 'SIGKILL')
      await assertNothingLostNorDoubled(deployment)
    }))

  test('monitors that join during a stream of events take over without a gap', () =>
    withFleet(async (deployment, start) => {
      const monitors = [start()]
      await monitors[0]?.printed('running')
      const streamed = publishFleet(deployment, 300)
      for (let i = 0; i < 3; i++) {
        const next = start()
        monitors.push(next)
        await next.printed('running')
      }
      await streamed
      await assertNothingLostNorDoubled(deployment)
      for (const monitor of monitors) assert.equal(await stillRuns(monitor), true)
    }))

  for (const arrow of ['loaded', 'folded', 'stored', 'produced'] as const)
    test(`a zombie that wakes behind \`${arrow}\` when another has gone on changes nothing`, () =>
      withFleet(async (deployment, start) => {
        await publishFleet(deployment)
        const zombie = start({ arrow, nth: 2, signal: 'SIGSTOP' })
        await zombie.printed(`at ${arrow}`)
        start()
        await deployment.until(
          `${DECISIONS} decisions`,
          () => byDecisionId(deployment.seen.decisions).size === DECISIONS,
        )
        zombie.signal('SIGCONT')
        await assertNothingLostNorDoubled(deployment)
        // Both are alive: later steps are decided normally.
        await deployment.publish(wholeSession('after', ['read_file']))
        await deployment.untilDecided(DECISIONS + 1)
      }))
})
