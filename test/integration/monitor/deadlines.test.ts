import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEADLINE_ARROWS } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import { partitionOf } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { spawnMonitor } from '../../chaos/spawn-monitor.js'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import {
  byDecisionId,
  deploy,
  foldAlone,
  type Deployment,
  DEPLOYMENTS,
  decisionsOf,
} from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { untilMetric } from '../../support/until-metric.js'
import { waitUntil } from '../../support/wait-until.js'

const SESSIONS = ['s0', 's1', 's2', 's3']

/** The default policy with approval requests that expire after a second. */
async function hasty() {
  const { policy } = await defaultDocuments()
  return { ...policy, approvals: { ...policy.approvals, ttlSeconds: 1 } }
}

const expiredOf = (deployment: Deployment): string[] =>
  decisionsOf(deployment)
    .filter(({ kind, verdict }) => kind === 'approval' && verdict === 'block')
    .map(({ sessionId, reasons }) => `${sessionId} ${reasons.at(-1)?.code}`)
    .sort()

const EXPIRED = SESSIONS.map((id) => `${id} approval_expired`)

/** Deadlines are events of the log too, so the engine's fold gives the same decisions. */
async function assertAsFolded(deployment: Deployment): Promise<void> {
  await deployment.until('the decisions of the fold', () => {
    const { decisions } = foldAlone(deployment)
    return byDecisionId(deployment.seen.decisions).size === decisions.size
  })
  assert.deepEqual(byDecisionId(deployment.seen.decisions), foldAlone(deployment).decisions)
  assert.equal(deployment.seen.deadLetters.length, 0)
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`deadlines, ${kind}`, { skip }, () => {
    test('denies an approval request without an answer, and its step gets the denial', async () => {
      const deployment = await deploy(kind, { partitions: 2, documents: { policy: await hasty() } })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics, limits: { deadlinesEveryMs: 100 } }).started
        const scripts = SESSIONS.map((id) => sessionScript(id))
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('no_such_tool', 'ask')]),
        )
        await deployment.until(
          'the ends of all questions',
          () => expiredOf(deployment).length === SESSIONS.length,
        )
        assert.deepEqual(expiredOf(deployment), EXPIRED)
        await assertAsFolded(deployment)
        await waitUntil('nothing to wait any more', async () => {
          const counts = await Promise.all([deployment.store.dueCounts(0), deployment.store.dueCounts(1)])
          return counts.every(({ approval }) => approval === 0)
        })
        await untilMetric(metrics, /^plimsoll_approvals_resolved_total\{resolution="expired"\} 4$/m)
        await untilMetric(metrics, /^plimsoll_deadlines_published_total\{kind="approval"\} \d+$/m)
      } finally {
        await deployment.close()
      }
    })

    test('a deadline that stays due does not hide later ones', async () => {
      const deployment = await deploy(kind, { partitions: 1, documents: { policy: await hasty() } })
      try {
        // Unusable records: they get no decision, and their due entries stay.
        const unreadable = Array.from({ length: 300 }, (_, i) => ({
          id: `lost-${i}`,
          expected: 0,
          body: '0 lost',
          outbox: '',
          ttlMs: 3_600_000,
          due: { partition: 0, approvalMs: 1 + i },
        }))
        await deployment.store.compareAndSet(unreadable)
        await deployment.startMonitor({ limits: { deadlinesEveryMs: 100 } }).started
        const script = sessionScript('s0')
        await deployment.publish([script.start(), script.propose('no_such_tool', 'ask')])
        await deployment.until('the end of the question', () => expiredOf(deployment).length === 1)
        await assertAsFolded(deployment)
      } finally {
        await deployment.close()
      }
    })

    test('a failing partition does not delay the others', async () => {
      const deployment = await deploy(kind, { partitions: 2, documents: { policy: await hasty() } })
      try {
        const idIn = (partition: number) =>
          ['s0', 's1', 's2', 's3', 's4'].find((id) => partitionOf(id, 2) === partition) ?? ''
        // Written by a newer monitor: this one must not judge it.
        const newer = { id: idIn(0), expected: 0, body: '0 [99]', outbox: '', ttlMs: 3_600_000 }
        await deployment.store.compareAndSet([{ ...newer, due: { partition: 0, approvalMs: 1 } }])
        await deployment.startMonitor({ limits: { deadlinesEveryMs: 100 } }).started
        const script = sessionScript(idIn(1))
        await deployment.publish([script.start(), script.propose('no_such_tool', 'ask')])
        await deployment.until('the end of the question', () => expiredOf(deployment).length === 1)
      } finally {
        await deployment.close()
      }
    })

    test('an idle session ends by an event, and is deleted later', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics, limits: { deadlinesEveryMs: 100, idleTtlMs: 1_500 } })
          .started
        const script = sessionScript('idle')
        await deployment.publish([script.start(), script.propose('list_files', 'a')])
        await deployment.until('the deadline', () =>
          deployment.seen.events.some(({ value }) => String(value).includes('deadline.reached')),
        )
        await waitUntil('its end', async () => (await deployment.store.dueCounts(0)).idle === 0)
        await deployment.publish([script.propose('list_files', 'late')])
        await deployment.until('the refusal', () => deployment.seen.deadLetters.length === 1)
        assert.equal(deployment.seen.deadLetters[0]?.headers['plimsoll-code'], 'session_ended')
        await untilMetric(metrics, /sessions_ended_total\{category="\w+",level="\w+",how="idle"\} 1\n/)
      } finally {
        await deployment.close()
      }
    })
  })

describe('deadlines across a takeover', { skip: withoutPair, concurrency: 2 }, () => {
  for (const arrow of DEADLINE_ARROWS)
    test(`the owner killed behind \`${arrow}\`: no question is lost, none ends twice`, async () => {
      const policy = await hasty()
      const deployment = await deploy('real', { partitions: 1, documents: { policy } })
      const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: deployment.prefix }
      const given = { ...common, policy: { approvals: policy.approvals } }
      const first = spawnMonitor({ ...given, fate: { arrow, nth: 1, signal: 'SIGKILL' } })
      const scripts = SESSIONS.map((id) => sessionScript(id))
      let second: typeof first | undefined
      try {
        await first.printed('running')
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('no_such_tool', 'ask')]),
        )
        assert.equal(await first.exited, 'SIGKILL')
        second = spawnMonitor(given)
        await deployment.until(
          'the ends of all questions',
          () => expiredOf(deployment).length === SESSIONS.length,
        )
        assert.deepEqual(expiredOf(deployment), EXPIRED)
        await assertAsFolded(deployment)
      } finally {
        first.signal('SIGKILL')
        second?.signal('SIGKILL')
        await Promise.all([first.exited, second?.exited])
        await deployment.close()
      }
    })
})
