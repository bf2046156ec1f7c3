import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sign, versionOf, type Control } from '@plimsoll/contracts'
import { registerDocument, type LogRecord } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { redis, withoutPair } from '../../support/components/components.js'
import { sendControl, settleControl } from '../../support/sessions/controls.js'
import {
  byDecisionId,
  deploy,
  foldAlone,
  SIGNING_KEY,
  type Deployment,
  DEPLOYMENTS,
  decisionsOf,
} from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { untilMetric } from '../../support/until-metric.js'
import { openRedisKeys } from '../../support/components/redis-keys.js'

/** The decision on each call, as `call verdict`. */
const verdictsOf = (deployment: Deployment): string[] =>
  decisionsOf(deployment)
    .map(({ sessionId, callId, verdict, reasons }) =>
      [sessionId, callId, verdict, reasons[0]?.source].filter((part) => part !== undefined).join(' '),
    )
    .sort()

const codeOf = ({ headers }: LogRecord): string => headers['plimsoll-code'] ?? ''

for (const [kind, skip] of DEPLOYMENTS)
  describe(`control changes, ${kind}`, { skip }, () => {
    test('an activated policy applies to running and new sessions, and an unknown one is refused', async () => {
      const deployment = await deploy(kind, { partitions: 2 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const [documents] = deployment.documents
        const blocking = {
          id: 'no-lists',
          tier: 'blocklist' as const,
          tools: ['list_files'],
          message: 'not now',
        }
        const policy = { ...documents.policy, name: 'strict', specs: [blocking] } as typeof documents.policy
        const running = ['r0', 'r1', 'r2'].map((id) => sessionScript(id))
        await deployment.publish(
          running.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
        )
        await deployment.until('the first', () => decisionsOf(deployment).length === 3)

        const unknown = await settleControl(deployment, {
          id: 'unknown',
          type: 'versions.activated',
          versions: { policy: 'f'.repeat(32) },
          running: true,
        })
        assert.deepEqual(
          unknown.map(({ refused }) => refused?.code),
          ['version_unavailable', 'version_unavailable'],
        )
        const version = await registerDocument(deployment.log, deployment.topics.registry, policy)
        assert.equal(version, versionOf(policy))
        const applied = await settleControl(deployment, {
          id: 'strict',
          type: 'versions.activated',
          versions: { policy: version },
          running: true,
        })
        assert.deepEqual(
          applied.map(({ refused }) => refused),
          [undefined, undefined],
        )
        await deployment.publish(running.map((script) => script.propose('list_files', 'second')))
        const fresh = ['n0', 'n1'].map((id) => sessionScript(id))
        await deployment.publish(
          fresh.flatMap((script) => [script.start(), script.propose('list_files', 'only')]),
        )
        await deployment.until('all', () => decisionsOf(deployment).length === 8)
        assert.deepEqual(verdictsOf(deployment), [
          'n0 only block blocklist',
          'n1 only block blocklist',
          'r0 first allow',
          'r0 second block blocklist',
          'r1 first allow',
          'r1 second block blocklist',
          'r2 first allow',
          'r2 second block blocklist',
        ])
        const document = (asked: string) =>
          asked === version ? { kind: 'policy' as const, version, document: policy } : undefined
        const alone = foldAlone({ ...deployment, document })
        assert.deepEqual(byDecisionId(deployment.seen.decisions), alone.decisions)
        await deployment.until('two dead letters', () => deployment.seen.deadLetters.length === 2)
        assert.deepEqual(deployment.seen.deadLetters.map(codeOf), [
          'version_unavailable',
          'version_unavailable',
        ])
        await untilMetric(
          metrics,
          /^plimsoll_controls_total\{type="versions.activated",outcome="refused"\} 2$/m,
        )
        await untilMetric(
          metrics,
          /^plimsoll_controls_total\{type="versions.activated",outcome="applied"\} 2$/m,
        )
        await untilMetric(metrics, new RegExp(`active_info{kind="policy",version="${version}"} 1`))
      } finally {
        await deployment.close()
      }
    })

    test('stops and resumes a tenant and observes a fleet; ignores changes without a key', async () => {
      const deployment = await deploy(kind, { partitions: 2 })
      try {
        await deployment.startMonitor().started
        const [stopped, free] = [sessionScript('acme~one'), sessionScript('zeta~one')]
        await deployment.publish([stopped.start(), free.start()])
        await settleControl(deployment, {
          id: 'stop',
          type: 'fleet.stopped',
          tenant: 'acme',
          reason: 'drill',
        })
        await sendControl(
          deployment,
          { id: 'forged', type: 'fleet.resumed', tenant: 'acme' },
          'not the key of this one',
        )
        const elsewhere = sign<Control>(
          {
            schema: 1,
            id: 'astray',
            by: 'ada',
            time: Date.now(),
            type: 'fleet.resumed',
            tenant: 'acme',
            partition: 9,
          },
          SIGNING_KEY,
        )
        await deployment.publishRaw('#0', JSON.stringify(elsewhere))
        await deployment.publishRaw('acme~one', JSON.stringify(elsewhere))
        await deployment.publish([stopped.propose('list_files', 'a'), free.propose('list_files', 'a')])
        await deployment.untilDecided(2)
        await settleControl(deployment, { id: 'resume', type: 'fleet.resumed', tenant: 'acme' })
        await settleControl(deployment, { id: 'observe', type: 'mode.changed', mode: 'observe' })
        await deployment.publish([stopped.propose('list_files', 'b'), free.propose('no_such_tool', 'b')])
        await deployment.untilDecided(4)
        assert.deepEqual(verdictsOf(deployment), [
          'acme~one a block stop',
          'acme~one b allow',
          'zeta~one a allow',
          'zeta~one b confirm unlabelled',
        ])
        assert.deepEqual(
          decisionsOf(deployment)
            .filter(({ callId }) => callId === 'b')
            .map(({ mode }) => mode),
          ['observe', 'observe'],
        )
        await deployment.until('dead letters', () => deployment.seen.deadLetters.length === 4)
        assert.deepEqual(deployment.seen.deadLetters.map(codeOf).sort(), [
          'key_mismatch',
          'partition_mismatch',
          'signature_invalid',
          'signature_invalid',
        ])
        // An unreadable record does not block an observed session; a stop does.
        const damaged = (seq: number) => ({ ...free.propose('list_files', `damaged-${seq}`), seq, odd: true })
        await deployment.publishRaw('zeta~one', JSON.stringify(damaged(90)))
        await settleControl(deployment, { id: 'halt', type: 'fleet.stopped', tenant: 'zeta' })
        await deployment.publishRaw('zeta~one', JSON.stringify(damaged(91)))
        await deployment.untilDecided(6)
        const modes = decisionsOf(deployment)
          .filter(({ kind }) => kind === 'refusal')
          .map(({ callId, mode }) => [callId, mode])
        assert.deepEqual(modes, [
          ['damaged-90', 'observe'],
          ['damaged-91', 'enforce'],
        ])
        for (const { key, headers } of deployment.seen.decisions)
          assert.equal(headers['plimsoll-tenant'], key?.split('~')[0])
      } finally {
        await deployment.close()
      }
    })
  })

describe('control changes', { skip: withoutPair }, () => {
  test('a stop survives the loss of the store, from the status that partitions reported', async () => {
    const deployment = await deploy('real', { partitions: 2 })
    const keys = openRedisKeys(redis.url, `${deployment.prefix}plimsoll`)
    try {
      await deployment.startMonitor().started
      const scripts = ['s0', 's1', 's2'].map((id) => sessionScript(id))
      await deployment.publish(scripts.map((script) => script.start()))
      await settleControl(deployment, { id: 'stop', type: 'fleet.stopped' })
      await deployment.publish(scripts.map((script) => script.propose('list_files', 'a')))
      await deployment.untilDecided(3)
      await keys.flush()
      await deployment.publish(scripts.map((script) => script.propose('list_files', 'b')))
      await deployment.untilDecided(6)
      for (const { verdict, reasons } of decisionsOf(deployment))
        assert.deepEqual([verdict, reasons[0]?.source], ['block', 'stop'])
    } finally {
      await keys.close()
      await deployment.close()
    }
  })
})
