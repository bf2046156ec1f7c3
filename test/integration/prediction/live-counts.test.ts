import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { meaningOf, monthsBack, transitionCountsName, parseTransitionField } from '@plimsoll/contracts'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { redis, withoutPair } from '../../support/components/components.js'
import { untilCountedOnce } from '../../support/sessions/counts.js'
import { decisionsOf, deploy, DEPLOYMENTS, type Deployment } from '../../support/sessions/deployment.js'
import { approvalOf } from '../../support/sessions/approvals.js'
import { sessionScript, wholeSession } from '../../support/sessions/events.js'
import { openRedisKeys } from '../../support/components/redis-keys.js'
import { untilMetric } from '../../support/until-metric.js'

const TOOLS = ['list_files', 'read_file', 'search_emails', 'send_email', 'no_such_tool']
const SESSIONS = Array.from({ length: 12 }, (_, i) => `s${i}`)
const PROPOSALS = SESSIONS.length * TOOLS.length

/** Interleaved sessions, as in a fleet. */
async function publishFleet(deployment: Deployment, ids: readonly string[] = SESSIONS): Promise<void> {
  const sessions = ids.map((id, i) => wholeSession(id, TOOLS, i % 2 === 0 ? 'research_comms' : 'gardening'))
  for (const [i] of (sessions[0] ?? []).entries())
    await deployment.publish(sessions.flatMap((events) => events.slice(i, i + 1)))
}

/** The counts of this month and the previous one, by kind and category. */
async function countedOf({ store, documents: [{ bundle }] }: Deployment): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const month of monthsBack(Date.now(), 2))
    for (const [field, n] of await store.counted(transitionCountsName(meaningOf(bundle), month))) {
      const { kind, category } = parseTransitionField(field) ?? assert.fail(field)
      const key = `${kind} ${category}`
      sums.set(key, (sums.get(key) ?? 0) + n)
    }
  return sums
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`live counts, ${kind}`, { skip }, () => {
    test('counts each transition once by category, and only in the aggregate without a chain', async () => {
      const deployment = await deploy(kind, { partitions: 2 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        deployment.startMonitor({ metrics, limits: { chunkEventsMax: 7 } })
        await publishFleet(deployment)
        await deployment.untilDecided(PROPOSALS)
        await untilCountedOnce(deployment)
        const counted = await countedOf(deployment)
        const half = SESSIONS.length / 2
        for (const category of ['research_comms', 'aggregate']) {
          assert.equal(counted.get(`began ${category}`), half)
          const ended =
            (counted.get(`ended ${category}`) ?? 0) + (counted.get(`endedViolated ${category}`) ?? 0)
          assert.equal(ended, half)
        }
        assert.ok(![...counted.keys()].some((key) => key.includes('gardening')))
        await untilMetric(
          metrics,
          /^plimsoll_counted_transitions_total\{category="research_comms",kind="began"\} 6$/m,
        )
      } finally {
        await deployment.close()
      }
    })

    test('censors waiting and denied steps, and counts approved ones', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        deployment.startMonitor()
        const scripts = ['approved', 'denied', 'waiting'].map((id) => sessionScript(id))
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('read_file', 'read')]),
        )
        await deployment.publish(scripts.map((script) => script.propose('no_such_tool', 'ask')))
        await deployment.until('the questions', () => decisionsOf(deployment).length === 6)
        const questions = decisionsOf(deployment).filter(({ verdict }) => verdict === 'confirm')
        assert.equal(questions.length, 3)
        for (const question of questions) {
          const { sessionId } = question
          if (sessionId === 'waiting') continue
          const resolution = sessionId === 'approved' ? 'approved' : 'denied'
          await deployment.publish([approvalOf(question, { resolution })])
        }
        await deployment.until('the answers', () => decisionsOf(deployment).length === 8)
        await deployment.publish(scripts.map((script) => script.end()))
        await deployment.until('all events', () => deployment.seen.events.length === 14)
        await untilCountedOnce(deployment)
        const counted = await countedOf(deployment)
        // One step each, and the approved one.
        assert.equal((counted.get('survived aggregate') ?? 0) + (counted.get('passed aggregate') ?? 0), 4)
        assert.equal(counted.get('began aggregate'), 3)
      } finally {
        await deployment.close()
      }
    })

    test('counts nothing when off, or for excluded tenants', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        deployment.startMonitor({ counting: { isOn: true, exceptTenants: ['redteam'] } })
        await deployment.publish(wholeSession('redteam~a', TOOLS, 'sysadmin'))
        await deployment.publish(wholeSession('other~a', TOOLS, 'research_comms'))
        await deployment.untilDecided(2 * TOOLS.length)
        await deployment.until('all events', () => deployment.seen.events.length === 24)
        await deployment.stopMonitors()
        const counted = await countedOf(deployment)
        assert.ok([...counted.keys()].every((key) => key.endsWith('research_comms')))
        assert.equal(counted.get('began research_comms'), 1)
        deployment.startMonitor({ counting: { isOn: false, exceptTenants: [] } })
        await deployment.publish(wholeSession('other~b', TOOLS, 'research_comms'))
        await deployment.untilDecided(3 * TOOLS.length)
        await deployment.stopMonitors()
        assert.deepEqual(await countedOf(deployment), counted)
      } finally {
        await deployment.close()
      }
    })
  })

describe('live counts and a store that loses records', { skip: withoutPair }, () => {
  test('rebuilds counts after a flush, and counts nothing twice after one lost record', async () => {
    const deployment = await deploy('real', { partitions: 1 })
    const keys = openRedisKeys(redis.url, `${deployment.prefix}plimsoll`)
    try {
      deployment.startMonitor({ limits: { chunkEventsMax: 5 } })
      const scripts = SESSIONS.map((id) => sessionScript(id))
      await deployment.publish(scripts.map((script) => script.start('sysadmin')))
      const propose = async (tool: string, callId: string, decided: number) => {
        await deployment.publish(scripts.map((script) => script.propose(tool, callId)))
        await deployment.untilDecided(decided * SESSIONS.length)
      }
      await propose('list_files', 'a', 1)
      await propose('read_file', 'b', 2)
      await untilCountedOnce(deployment)
      await keys.flush()
      assert.equal((await countedOf(deployment)).size, 0)
      await propose('list_files', 'c', 3)
      await untilCountedOnce(deployment)
      // The last batch of the log is committed before a record is deleted.
      await deployment.stopMonitors()
      await keys.delete('s3')
      deployment.startMonitor({ limits: { chunkEventsMax: 5 } })
      await propose('read_file', 'd', 4)
      await deployment.publish(scripts.map((script) => script.end()))
      await deployment.until('all events', () => deployment.seen.events.length === 6 * SESSIONS.length)
      await untilCountedOnce(deployment)
      assert.equal((await countedOf(deployment)).get('began sysadmin'), SESSIONS.length)
    } finally {
      await keys.close()
      await deployment.close()
    }
  })
})
