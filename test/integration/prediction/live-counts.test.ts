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

/** Sessions mixed with each other, as a fleet's are. */
async function publishFleet(world: Deployment, ids: readonly string[] = SESSIONS): Promise<void> {
  const sessions = ids.map((id, i) => wholeSession(id, TOOLS, i % 2 === 0 ? 'research_comms' : 'gardening'))
  for (const [i] of (sessions[0] ?? []).entries())
    await world.publish(sessions.flatMap((events) => events.slice(i, i + 1)))
}

/** What was counted this month and the one before, by kind and category. */
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
      const world = await deploy(kind, { partitions: 2 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        world.startMonitor({ metrics, limits: { chunkEventsMax: 7 } })
        await publishFleet(world)
        await world.untilDecided(PROPOSALS)
        await untilCountedOnce(world)
        const counted = await countedOf(world)
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
        await world.close()
      }
    })

    test('censors waiting and denied steps, and counts approved ones', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        world.startMonitor()
        const scripts = ['approved', 'denied', 'waiting'].map((id) => sessionScript(id))
        await world.publish(
          scripts.flatMap((script) => [script.start(), script.propose('read_file', 'read')]),
        )
        await world.publish(scripts.map((script) => script.propose('no_such_tool', 'ask')))
        await world.until('the questions', () => decisionsOf(world).length === 6)
        const questions = decisionsOf(world).filter(({ verdict }) => verdict === 'confirm')
        assert.equal(questions.length, 3)
        for (const question of questions) {
          const { sessionId } = question
          if (sessionId === 'waiting') continue
          const resolution = sessionId === 'approved' ? 'approved' : 'denied'
          await world.publish([approvalOf(question, { resolution })])
        }
        await world.until('the answers', () => decisionsOf(world).length === 8)
        await world.publish(scripts.map((script) => script.end()))
        await world.until('all events', () => world.seen.events.length === 14)
        await untilCountedOnce(world)
        const counted = await countedOf(world)
        // One step each, and the approved one.
        assert.equal((counted.get('survived aggregate') ?? 0) + (counted.get('passed aggregate') ?? 0), 4)
        assert.equal(counted.get('began aggregate'), 3)
      } finally {
        await world.close()
      }
    })

    test('counts nothing when off, or for excluded tenants', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        world.startMonitor({ counting: { isOn: true, exceptTenants: ['redteam'] } })
        await world.publish(wholeSession('redteam~a', TOOLS, 'sysadmin'))
        await world.publish(wholeSession('other~a', TOOLS, 'research_comms'))
        await world.untilDecided(2 * TOOLS.length)
        await world.until('all events', () => world.seen.events.length === 24)
        await world.stopMonitors()
        const counted = await countedOf(world)
        assert.ok([...counted.keys()].every((key) => key.endsWith('research_comms')))
        assert.equal(counted.get('began research_comms'), 1)
        world.startMonitor({ counting: { isOn: false, exceptTenants: [] } })
        await world.publish(wholeSession('other~b', TOOLS, 'research_comms'))
        await world.untilDecided(3 * TOOLS.length)
        await world.stopMonitors()
        assert.deepEqual(await countedOf(world), counted)
      } finally {
        await world.close()
      }
    })
  })

describe('live counts and a store that loses records', { skip: withoutPair }, () => {
  test('rebuilds counts after a flush, and counts nothing twice after one lost record', async () => {
    const world = await deploy('real', { partitions: 1 })
    const keys = openRedisKeys(redis.url, `${world.prefix}plimsoll`)
    try {
      world.startMonitor({ limits: { chunkEventsMax: 5 } })
      const scripts = SESSIONS.map((id) => sessionScript(id))
      await world.publish(scripts.map((script) => script.start('sysadmin')))
      const propose = async (tool: string, callId: string, decided: number) => {
        await world.publish(scripts.map((script) => script.propose(tool, callId)))
        await world.untilDecided(decided * SESSIONS.length)
      }
      await propose('list_files', 'a', 1)
      await propose('read_file', 'b', 2)
      await untilCountedOnce(world)
      await keys.flush()
      assert.equal((await countedOf(world)).size, 0)
      await propose('list_files', 'c', 3)
      await untilCountedOnce(world)
      // The log's last batch is committed before a record is taken away.
      await world.stopMonitors()
      await keys.delete('s3')
      world.startMonitor({ limits: { chunkEventsMax: 5 } })
      await propose('read_file', 'd', 4)
      await world.publish(scripts.map((script) => script.end()))
      await world.until('all events', () => world.seen.events.length === 6 * SESSIONS.length)
      await untilCountedOnce(world)
      assert.equal((await countedOf(world)).get('began sysadmin'), SESSIONS.length)
    } finally {
      await keys.close()
      await world.close()
    }
  })
})
