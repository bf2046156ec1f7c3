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

/** What was decided on each call, as `call verdict`. */
const verdictsOf = (world: Deployment): string[] =>
  decisionsOf(world)
    .map(({ sessionId, callId, verdict, reasons }) =>
      [sessionId, callId, verdict, reasons[0]?.source].filter((part) => part !== undefined).join(' '),
    )
    .sort()

const codeOf = ({ headers }: LogRecord): string => headers['plimsoll-code'] ?? ''

for (const [kind, skip] of DEPLOYMENTS)
  describe(`control changes, ${kind}`, { skip }, () => {
    test('an activated policy applies to running and new sessions, and an unknown one is refused', async () => {
      const world = await deploy(kind, { partitions: 2 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await world.startMonitor({ metrics }).started
        const [documents] = world.documents
        const blocking = {
          id: 'no-lists',
          tier: 'blocklist' as const,
          tools: ['list_files'],
          message: 'not now',
        }
        const policy = { ...documents.policy, name: 'strict', specs: [blocking] } as typeof documents.policy
        const running = ['r0', 'r1', 'r2'].map((id) => sessionScript(id))
        await world.publish(
          running.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
        )
        await world.until('the first', () => decisionsOf(world).length === 3)

        const unknown = await settleControl(world, {
          id: 'unknown',
          type: 'versions.activated',
          versions: { policy: 'f'.repeat(32) },
          running: true,
        })
        assert.deepEqual(
          unknown.map(({ refused }) => refused?.code),
          ['version_unavailable', 'version_unavailable'],
        )
        const version = await registerDocument(world.log, world.topics.registry, policy)
        assert.equal(version, versionOf(policy))
        const applied = await settleControl(world, {
          id: 'strict',
          type: 'versions.activated',
          versions: { policy: version },
          running: true,
        })
        assert.deepEqual(
          applied.map(({ refused }) => refused),
          [undefined, undefined],
        )
        await world.publish(running.map((script) => script.propose('list_files', 'second')))
        const fresh = ['n0', 'n1'].map((id) => sessionScript(id))
        await world.publish(fresh.flatMap((script) => [script.start(), script.propose('list_files', 'only')]))
        await world.until('all', () => decisionsOf(world).length === 8)
        assert.deepEqual(verdictsOf(world), [
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
        const alone = foldAlone({ ...world, document })
        assert.deepEqual(byDecisionId(world.seen.decisions), alone.decisions)
        await world.until('two dead letters', () => world.seen.deadLetters.length === 2)
        assert.deepEqual(world.seen.deadLetters.map(codeOf), ['version_unavailable', 'version_unavailable'])
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
        await world.close()
      }
    })

    test('stops and resumes a tenant and observes a fleet; ignores changes without a key', async () => {
      const world = await deploy(kind, { partitions: 2 })
      try {
        await world.startMonitor().started
        const [stopped, free] = [sessionScript('acme~one'), sessionScript('zeta~one')]
        await world.publish([stopped.start(), free.start()])
        await settleControl(world, { id: 'stop', type: 'fleet.stopped', tenant: 'acme', reason: 'drill' })
        await sendControl(
          world,
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
        await world.publishRaw('#0', JSON.stringify(elsewhere))
        await world.publishRaw('acme~one', JSON.stringify(elsewhere))
        await world.publish([stopped.propose('list_files', 'a'), free.propose('list_files', 'a')])
        await world.untilDecided(2)
        await settleControl(world, { id: 'resume', type: 'fleet.resumed', tenant: 'acme' })
        await settleControl(world, { id: 'observe', type: 'mode.changed', mode: 'observe' })
        await world.publish([stopped.propose('list_files', 'b'), free.propose('no_such_tool', 'b')])
        await world.untilDecided(4)
        assert.deepEqual(verdictsOf(world), [
          'acme~one a block stop',
          'acme~one b allow',
          'zeta~one a allow',
          'zeta~one b confirm unlabelled',
        ])
        assert.deepEqual(
          decisionsOf(world)
            .filter(({ callId }) => callId === 'b')
            .map(({ mode }) => mode),
          ['observe', 'observe'],
        )
        await world.until('dead letters', () => world.seen.deadLetters.length === 4)
        assert.deepEqual(world.seen.deadLetters.map(codeOf).sort(), [
          'key_mismatch',
          'partition_mismatch',
          'signature_invalid',
          'signature_invalid',
        ])
        // What cannot even be read stops nobody who is observed; a stop is meant.
        const damaged = (seq: number) => ({ ...free.propose('list_files', `damaged-${seq}`), seq, odd: true })
        await world.publishRaw('zeta~one', JSON.stringify(damaged(90)))
        await settleControl(world, { id: 'halt', type: 'fleet.stopped', tenant: 'zeta' })
        await world.publishRaw('zeta~one', JSON.stringify(damaged(91)))
        await world.untilDecided(6)
        const modes = decisionsOf(world)
          .filter(({ kind }) => kind === 'refusal')
          .map(({ callId, mode }) => [callId, mode])
        assert.deepEqual(modes, [
          ['damaged-90', 'observe'],
          ['damaged-91', 'enforce'],
        ])
        for (const { key, headers } of world.seen.decisions)
          assert.equal(headers['plimsoll-tenant'], key?.split('~')[0])
      } finally {
        await world.close()
      }
    })
  })

describe('control changes', { skip: withoutPair }, () => {
  test('a stop survives the loss of the store, from the status that partitions reported', async () => {
    const world = await deploy('real', { partitions: 2 })
    const keys = openRedisKeys(redis.url, `${world.prefix}plimsoll`)
    try {
      await world.startMonitor().started
      const scripts = ['s0', 's1', 's2'].map((id) => sessionScript(id))
      await world.publish(scripts.map((script) => script.start()))
      await settleControl(world, { id: 'stop', type: 'fleet.stopped' })
      await world.publish(scripts.map((script) => script.propose('list_files', 'a')))
      await world.untilDecided(3)
      await keys.flush()
      await world.publish(scripts.map((script) => script.propose('list_files', 'b')))
      await world.untilDecided(6)
      for (const { verdict, reasons } of decisionsOf(world))
        assert.deepEqual([verdict, reasons[0]?.source], ['block', 'stop'])
    } finally {
      await keys.close()
      await world.close()
    }
  })
})
