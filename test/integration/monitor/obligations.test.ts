import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Decision, Policy } from '@plimsoll/contracts'
import { DEADLINE_ARROWS } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { spawnMonitor } from '../../chaos/spawn-monitor.js'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import {
  byDecisionId,
  decisionsOf,
  deploy,
  DEPLOYMENTS,
  foldAlone,
  type Deployment,
} from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { untilMetric } from '../../support/until-metric.js'
import { waitUntil } from '../../support/wait-until.js'

/** A list must be followed by a read within a second. */
const SPECS: Policy['specs'] = [
  {
    id: 'read-it',
    tier: 'mustlist',
    tools: ['list_files'],
    followedBy: { step: { tools: ['read_file'] }, within: { seconds: 1 } },
  },
]
const SESSIONS = ['s0', 's1', 's2', 's3']

const policyWith = async (specs: Policy['specs']): Promise<Policy> => ({
  ...(await defaultDocuments()).policy,
  specs,
})

const alertsOf = (deployment: Deployment): Decision[] =>
  decisionsOf(deployment).filter(({ kind }) => kind === 'alert')
const reported = (deployment: Deployment): string[] =>
  alertsOf(deployment)
    .map(({ sessionId, reasons }) => `${sessionId} ${reasons.map(({ code }) => code).join()}`)
    .sort()

/** Every record of the decisions topic, duplicates included; no id has two texts. */
async function assertAsFolded(deployment: Deployment): Promise<void> {
  await deployment.until(
    'the decisions of the fold',
    () => byDecisionId(deployment.seen.decisions).size === foldAlone(deployment).decisions.size,
  )
  assert.deepEqual(byDecisionId(deployment.seen.decisions), foldAlone(deployment).decisions)
  assert.equal(deployment.seen.deadLetters.length, 0)
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`obligations, ${kind}`, { skip }, () => {
    test('reports an overdue obligation once, and one still open at the end once', async () => {
      const deployment = await deploy(kind, { partitions: 2, documents: { policy: await policyWith(SPECS) } })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics, limits: { deadlinesEveryMs: 100 } }).started
        const scripts = SESSIONS.map((id) => sessionScript(id))
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('list_files', 'owes')]),
        )
        await deployment.until('the alerts', () => alertsOf(deployment).length === SESSIONS.length)
        assert.deepEqual(
          reported(deployment),
          SESSIONS.map((id) => `${id} read-it`),
        )
        const waiting = async () =>
          (await Promise.all([0, 1].map((partition) => deployment.store.dueCounts(partition)))).map(
            ({ obligation }) => obligation,
          )
        await waitUntil('nothing to wait any more', async () => (await waiting()).every((n) => n === 0))
        const [paying, owing, ...others] = scripts
        assert.ok(paying && owing)
        // It stays open: other steps are refused. One session fulfils it late, one ends with it open, the others stay as they are.
        await deployment.publish([
          paying.propose('search_emails', 'refused'),
          paying.propose('read_file', 'pays'),
          paying.complete('read_file', 'pays'),
          paying.propose('search_emails', 'free'),
          paying.end(),
          owing.end(),
        ])
        await deployment.until('the last alert', () => alertsOf(deployment).length === SESSIONS.length + 1)
        await deployment.until('the last step', () =>
          decisionsOf(deployment).some(({ callId }) => callId === 'free'),
        )
        const refused = decisionsOf(deployment).find(({ callId }) => callId === 'refused')
        assert.deepEqual([refused?.verdict, refused?.reasons[0]?.code], ['block', 'read-it'])
        assert.equal(reported(deployment).filter((text) => text === 's1 read-it').length, 2)
        assert.equal(others.length, 2)
        await assertAsFolded(deployment)
        await untilMetric(metrics, /^plimsoll_deadlines_published_total\{kind="obligation"\} \d+$/m)
      } finally {
        await deployment.close()
      }
    })
  })

describe('obligations across a takeover', { skip: withoutPair, concurrency: 2 }, () => {
  for (const arrow of DEADLINE_ARROWS)
    test(`the owner killed behind \`${arrow}\`: none is lost, none is reported twice`, async () => {
      const policy = await policyWith(SPECS)
      const deployment = await deploy('real', { partitions: 1, documents: { policy } })
      const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: deployment.prefix, policy }
      const first = spawnMonitor({ ...common, fate: { arrow, nth: 1, signal: 'SIGKILL' } })
      const scripts = SESSIONS.map((id) => sessionScript(id))
      let second: typeof first | undefined
      try {
        await first.printed('running')
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('list_files', 'owes')]),
        )
        assert.equal(await first.exited, 'SIGKILL')
        second = spawnMonitor(common)
        await deployment.until('the alerts', () => alertsOf(deployment).length === SESSIONS.length)
        assert.deepEqual(
          reported(deployment),
          SESSIONS.map((id) => `${id} read-it`),
        )
        await assertAsFolded(deployment)
      } finally {
        first.signal('SIGKILL')
        second?.signal('SIGKILL')
        await Promise.all([first.exited, second?.exited])
        await deployment.close()
      }
    })
})
