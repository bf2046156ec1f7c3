import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decisionSchema, versionOf, type Decision, type Policy } from '@plimsoll/contracts'
import { registerDocument } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { spawnMonitor } from '../../chaos/spawn-monitor.js'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import { sendControl, settleControl } from '../../support/sessions/controls.js'
import {
  byDecisionId,
  deploy,
  DEPLOYMENTS,
  foldAlone,
  type Deployment,
} from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { openRedisKeys } from '../../support/components/redis-keys.js'
import { untilMetric } from '../../support/until-metric.js'

const SESSIONS = ['w0', 'w1', 'w2', 'w3']

/** A policy that forbids listing after a read. */
const policyOf = ({ documents: [{ policy }] }: Deployment): Policy => ({
  ...policy,
  name: 'remembers',
  specs: [
    { id: 'not-after-file', tier: 'blocklist', tools: ['list_files'], after: { tools: ['read_file'] } },
  ],
})
const register = (deployment: Deployment): Promise<string> =>
  registerDocument(deployment.log, deployment.topics.registry, policyOf(deployment))

const untilDecided = (deployment: Deployment, count: number): Promise<void> =>
  deployment.until(`${count} decisions`, () => byDecisionId(deployment.seen.decisions).size === count)

/** Asserts that every decision equals, byte for byte, that of the engine alone on the whole log. */
async function assertSameAlone(deployment: Deployment, published: number): Promise<void> {
  await deployment.until('all events', () => deployment.seen.events.length === published)
  const document = policyOf(deployment)
  const registered = { kind: 'policy' as const, version: versionOf(document), document }
  const alone = foldAlone({
    ...deployment,
    document: (version) => (version === registered.version ? registered : undefined),
  })
  assert.deepEqual(byDecisionId(deployment.seen.decisions), alone.decisions)
}

const decisionsOn = (deployment: Deployment, tool: string): Decision[] =>
  [...byDecisionId(deployment.seen.decisions).values()]
    .map((text) => decisionSchema.parse(JSON.parse(text)))
    .filter((decision) => decision.tool === tool)
    .sort((a, b) => a.sessionId.localeCompare(b.sessionId))

const saidOf = ({ verdict, reasons, memory }: Decision) => [verdict, reasons[0]?.code, memory]

const warmStarts = (from: string, count: number) =>
  new RegExp(`^plimsoll_warm_starts_total\\{from="${from}"\\} ${count}$`, 'm')

/** Publishes sessions that have read a file under the shipped policy. */
async function publishReads(deployment: Deployment) {
  const scripts = SESSIONS.map((id) => sessionScript(id))
  await deployment.publish(
    scripts.flatMap((script) => [
      script.start(),
      script.propose('read_file', 'read'),
      script.complete('read_file', 'read'),
    ]),
  )
  return scripts
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`running sessions that move to another policy, ${kind}`, { skip }, () => {
    test('are judged by their earlier steps from the log', async () => {
      const deployment = await deploy(kind, { partitions: 2 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const scripts = await publishReads(deployment)
        await untilDecided(deployment, 4)
        const policy = await register(deployment)
        await settleControl(deployment, {
          id: 'move',
          type: 'versions.activated',
          versions: { policy },
          running: true,
        })
        await deployment.publish(scripts.map((script) => script.propose('list_files', 'list')))
        await untilDecided(deployment, 8)
        const listed = decisionsOn(deployment, 'list_files')
        assert.deepEqual(
          listed.map(saidOf),
          SESSIONS.map(() => ['block', 'not-after-file', undefined]),
        )
        assert.ok(listed.every(({ versions }) => versions?.policy === policy))
        await untilMetric(metrics, warmStarts('log', 4))
        await assertSameAlone(deployment, 4 * 3 + 2 + 4)
      } finally {
        await deployment.close()
      }
    })

    test('continue with their record when the log is not read that far, and the decision says so', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics, limits: { warmStartRecordsMax: 4 } }).started
        const scripts = await publishReads(deployment)
        await untilDecided(deployment, 4)
        const policy = await register(deployment)
        await settleControl(deployment, {
          id: 'move',
          type: 'versions.activated',
          versions: { policy },
          running: true,
        })
        // Three of the last four records belong to the latest session.
        await deployment.publish(scripts.map((script) => script.propose('list_files', 'list')))
        await untilDecided(deployment, 8)
        assert.deepEqual(decisionsOn(deployment, 'list_files').map(saidOf), [
          ['allow', undefined, 'seeded'],
          ['allow', undefined, 'seeded'],
          ['allow', undefined, 'seeded'],
          ['block', 'not-after-file', undefined],
        ])
        await untilMetric(metrics, warmStarts('record', 3))
      } finally {
        await deployment.close()
      }
    })
  })

describe('a moved session survives its monitor and its store', { skip: withoutPair }, () => {
  test('its earlier steps are restored when Redis is rebuilt', async () => {
    const deployment = await deploy('real', { partitions: 1 })
    const keys = openRedisKeys(redis.url, `${deployment.prefix}plimsoll`)
    try {
      await deployment.startMonitor().started
      const scripts = await publishReads(deployment)
      await untilDecided(deployment, 4)
      const policy = await register(deployment)
      await settleControl(deployment, {
        id: 'move',
        type: 'versions.activated',
        versions: { policy },
        running: true,
      })
      await deployment.publish(scripts.map((script) => script.propose('send_email', 'moves')))
      await untilDecided(deployment, 8)
      await keys.flush()
      await deployment.publish(scripts.map((script) => script.propose('list_files', 'list')))
      await untilDecided(deployment, 12)
      assert.deepEqual(
        decisionsOn(deployment, 'list_files').map(saidOf),
        SESSIONS.map(() => ['block', 'not-after-file', undefined]),
      )
      await assertSameAlone(deployment, 4 * 3 + 1 + 4 + 4)
    } finally {
      await keys.close()
      await deployment.close()
    }
  })

  for (const arrow of ['folded', 'stored', 'produced'] as const)
    test(`killed behind \`${arrow}\` where they move`, async () => {
      const deployment = await deploy('real', { partitions: 1 })
      const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: deployment.prefix }
      const monitors = []
      try {
        const scripts = await publishReads(deployment)
        const policy = await register(deployment)
        await sendControl(deployment, {
          id: 'move',
          type: 'versions.activated',
          versions: { policy },
          running: true,
        })
        await deployment.publish(scripts.map((script) => script.propose('list_files', 'list')))
        const first = spawnMonitor({ ...common, fate: { arrow, nth: 2, signal: 'SIGKILL' } })
        monitors.push(first)
        assert.equal(await first.exited, 'SIGKILL')
        monitors.push(spawnMonitor(common))
        await untilDecided(deployment, 8)
        assert.deepEqual(
          decisionsOn(deployment, 'list_files').map(saidOf),
          SESSIONS.map(() => ['block', 'not-after-file', undefined]),
        )
        await assertSameAlone(deployment, 4 * 3 + 1 + 4)
      } finally {
        for (const monitor of monitors) monitor.signal('SIGKILL')
        await Promise.all(monitors.map(({ exited }) => exited))
        await deployment.close()
      }
    })
})
