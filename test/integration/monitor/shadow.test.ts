import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  shadowRecordSchema,
  versionOf,
  type Bundle,
  type Policy,
  type ShadowRecord,
} from '@plimsoll/contracts'
import { registerDocument } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { sendControl, settleControl } from '../../support/sessions/controls.js'
import { decisionsOf, deploy, DEPLOYMENTS, type Deployment } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { withHazardAt } from '../../support/sessions/hazard-at.js'
import { untilMetric } from '../../support/until-metric.js'

const recordsOf = ({ seen }: Deployment): ShadowRecord[] =>
  seen.shadow.map(({ value }) => shadowRecordSchema.parse(JSON.parse(String(value))))

const refusalsOf = (reports: Awaited<ReturnType<typeof settleControl>>) =>
  reports.map(({ refused }) => refused?.code)

const PARTITIONS = 2
const steps = (version: string, active: string, candidate: string, count: number) =>
  new RegExp(
    `^plimsoll_shadow_steps_total\\{version="${version}",active="${active}",candidate="${candidate}"\\} ${count}$`,
    'm',
  )

for (const [kind, skip] of DEPLOYMENTS)
  describe(`a candidate in shadow, ${kind}`, { skip }, () => {
    test('is published, evaluated beside the active bundle, exchanged and stopped without changing a verdict', async () => {
      const deployment = await deploy(kind, { partitions: PARTITIONS })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const [{ bundle }] = deployment.documents
        const strict = withHazardAt(bundle, 'strict', 0)
        const alike = { ...bundle, name: 'alike' }
        const [strictVersion, alikeVersion] = [versionOf(strict), versionOf(alike)]
        await registerDocument(deployment.log, deployment.topics.registry, strict)
        await registerDocument(deployment.log, deployment.topics.registry, alike)

        const scripts = ['a0', 'a1', 'a2', 'acme~a3'].map((id) => sessionScript(id))
        const propose = (call: string) => scripts.map((script) => script.propose('list_files', call))
        await deployment.publish([...scripts.map((script) => script.start()), ...propose('first')])
        await deployment.untilDecided(4)

        const began = await settleControl(deployment, {
          id: 'try-strict',
          type: 'shadow.changed',
          candidate: { bundle: strictVersion },
        })
        assert.deepEqual(refusalsOf(began), [undefined, undefined])
        await deployment.publish(propose('second'))
        await deployment.untilDecided(8)
        await deployment.until('what differs', () => deployment.seen.shadow.length === 4)
        await untilMetric(metrics, steps(strictVersion, 'allow', 'block', 4))
        await untilMetric(metrics, new RegExp(`^plimsoll_shadow_info{version="${strictVersion}"} 1$`, 'm'))
        for (const { key, headers } of deployment.seen.shadow)
          assert.equal(headers['plimsoll-tenant'], key === 'acme~a3' ? 'acme' : 'default')
        for (const record of recordsOf(deployment)) {
          const decision = decisionsOf(deployment).find(({ id }) => id === record.decisionId)
          assert.deepEqual([record.decided, record.tool], [decision?.verdict, 'list_files'])
          assert.deepEqual(
            [record.active.verdict, record.active.bundle, record.active.probability],
            ['allow', versionOf(bundle), decision?.risk?.probability],
          )
          assert.deepEqual([record.candidate.verdict, record.candidate.bundle], ['block', strictVersion])
        }

        await settleControl(deployment, {
          id: 'try-alike',
          type: 'shadow.changed',
          candidate: { bundle: alikeVersion },
        })
        await deployment.publish(propose('third'))
        await deployment.untilDecided(12)
        await untilMetric(metrics, steps(alikeVersion, 'allow', 'allow', 4))
        await untilMetric(metrics, new RegExp(`^plimsoll_shadow_info{version="${strictVersion}"} 0$`, 'm'))
        await untilMetric(
          metrics,
          new RegExp(`^plimsoll_shadow_probability_difference_total{version="${alikeVersion}"} 0$`, 'm'),
        )

        await settleControl(deployment, { id: 'stop-trying', type: 'shadow.changed' })
        await deployment.publish(propose('fourth'))
        await deployment.untilDecided(16)
        await untilMetric(metrics, new RegExp(`^plimsoll_shadow_info{version="${alikeVersion}"} 0$`, 'm'))
        await untilMetric(metrics, steps(alikeVersion, 'allow', 'allow', 4))
        assert.equal(deployment.seen.shadow.length, 4, 'the same says nothing different')
        assert.ok(decisionsOf(deployment).every(({ verdict }) => verdict === 'allow'))
      } finally {
        await deployment.close()
      }
    })

    test('may be a policy, which judges only sessions that started with it in shadow', async () => {
      const deployment = await deploy(kind, { partitions: PARTITIONS })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const [{ policy, bundle }] = deployment.documents
        const twice = {
          ...policy,
          name: 'not twice',
          specs: [
            { id: 'not-twice', tier: 'blocklist', tools: ['list_files'], after: { tools: ['list_files'] } },
          ],
        } satisfies Policy
        const version = await registerDocument(deployment.log, deployment.topics.registry, twice)
        const [earlier, later] = [sessionScript('e0'), sessionScript('f0')]
        await deployment.publish([earlier.start(), earlier.propose('list_files', 'first')])
        await deployment.untilDecided(1)
        const began = await settleControl(deployment, {
          id: 'try-policy',
          type: 'shadow.changed',
          candidate: { policy: version },
        })
        assert.deepEqual(refusalsOf(began), [undefined, undefined])
        await deployment.publish([earlier.propose('list_files', 'second'), later.start()])
        await deployment.publish([later.propose('list_files', 'first')])
        await deployment.untilDecided(3)
        await deployment.publish([later.propose('list_files', 'second')])
        await deployment.untilDecided(4)
        await deployment.until('what differs', () => deployment.seen.shadow.length === 1)
        const [record] = recordsOf(deployment)
        assert.deepEqual(
          [record?.sessionId, record?.step, record?.active.verdict, record?.candidate.verdict],
          ['f0', 2, 'allow', 'block'],
        )
        assert.deepEqual(record?.causes, [{ source: 'blocklist', code: 'not-twice', how: 'speaks' }])
        assert.deepEqual([record?.candidate.policy, record?.candidate.bundle], [version, versionOf(bundle)])
        await untilMetric(
          metrics,
          new RegExp(`^plimsoll_shadow_skipped_steps_total\\{version="${version}"\\} 1$`, 'm'),
        )
        await untilMetric(
          metrics,
          new RegExp(
            `^plimsoll_shadow_changes_total\\{version="${version}",cause="blocklist:not-twice",how="speaks",change="blocked"\\} 1$`,
            'm',
          ),
        )
        assert.ok(decisionsOf(deployment).every(({ verdict }) => verdict === 'allow'))
      } finally {
        await deployment.close()
      }
    })

    test('is refused when unknown or not computable by this engine, and the previous one stays', async () => {
      const deployment = await deploy(kind, { partitions: PARTITIONS })
      try {
        await deployment.startMonitor().started
        const [{ bundle, policy }] = deployment.documents
        const alike = { ...bundle, name: 'alike' }
        await registerDocument(deployment.log, deployment.topics.registry, alike)
        await registerDocument(deployment.log, deployment.topics.registry, policy)
        const later = await registerDocument(deployment.log, deployment.topics.registry, ofLaterEngine())
        await settleControl(deployment, {
          id: 'good',
          type: 'shadow.changed',
          candidate: { bundle: versionOf(alike) },
        })
        for (const [id, version] of [
          ['unknown', 'f'.repeat(32)],
          ['no-bundle', versionOf(policy)],
          ['later', later],
        ] as const) {
          const reports = await settleControl(deployment, {
            id,
            type: 'shadow.changed',
            candidate: { bundle: version },
          })
          assert.deepEqual(refusalsOf(reports), ['version_unavailable', 'version_unavailable'], id)
          for (const { controls, refused } of reports) {
            assert.match(refused?.message ?? '', /cannot run in shadow/)
            assert.deepEqual(
              controls.changes.map(({ control }) => control.id),
              ['good'],
            )
          }
        }
        const script = sessionScript('b0')
        await deployment.publish([script.start(), script.propose('list_files', 'only')])
        await deployment.untilDecided(1)
      } finally {
        await deployment.close()
      }
    })

    test('that a monitor lacks is counted at each step, and decisions are still published', async () => {
      const deployment = await deploy(kind, { partitions: PARTITIONS })
      try {
        const [documents] = deployment.documents
        const alike = { ...documents.bundle, name: 'alike' }
        const first = deployment.startMonitor({ documents: [documents, { ...documents, bundle: alike }] })
        await first.started
        await settleControl(deployment, {
          id: 'try',
          type: 'shadow.changed',
          candidate: { bundle: versionOf(alike) },
        })
        await deployment.stopMonitors()
        // Another monitor, without the document.
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const script = sessionScript('c0')
        await deployment.publish([
          script.start(),
          script.propose('list_files', 'one'),
          script.propose('list_files', 'two'),
        ])
        await deployment.untilDecided(2)
        await untilMetric(
          metrics,
          new RegExp(
            `^plimsoll_shadow_errors_total{version="${versionOf(alike)}",reason="unavailable"} 2$`,
            'm',
          ),
        )
        assert.equal(deployment.seen.shadow.length, 0)
      } finally {
        await deployment.close()
      }
    })

    test('whose topic rejects records is counted and dropped without waiting; a change without a key starts none', async () => {
      const deployment = await deploy(kind, { partitions: PARTITIONS })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        const { log, topics } = deployment
        const failing: typeof log = {
          ...log,
          produce: (topic, records) =>
            topic === topics.shadow
              ? Promise.reject(new Error('no such topic'))
              : log.produce(topic, records),
        }
        await deployment.startMonitor({ metrics, log: failing }).started
        const strict = withHazardAt(deployment.documents[0].bundle, 'strict', 0)
        const version = await registerDocument(log, topics.registry, strict)
        const script = sessionScript('d0')
        await sendControl(
          deployment,
          { id: 'forged', type: 'shadow.changed', candidate: { bundle: version } },
          'not the key of this one',
        )
        await deployment.publish([script.start(), script.propose('list_files', 'unseen')])
        await deployment.untilDecided(1)
        await settleControl(deployment, { id: 'try', type: 'shadow.changed', candidate: { bundle: version } })
        await deployment.publish([script.propose('list_files', 'one'), script.propose('list_files', 'two')])
        await deployment.untilDecided(3)
        await untilMetric(metrics, /^plimsoll_shadow_records_dropped_total 2$/m)
        await untilMetric(metrics, steps(version, 'allow', 'block', 2))
      } finally {
        await deployment.close()
      }
    })
  })

/** A bundle whose scorers need a feature that does not exist yet. */
function ofLaterEngine(): Bundle {
  const states = Array.from({ length: 120 }, () => 0)
  const aggregate = {
    traces: 0,
    transitions: 0,
    violations: 0,
    hazard: states,
    forward: [states, states],
    stepsToViolation: states.map(() => null),
    counts: [],
    thresholds: { hazard: [0.2, 0.4, 0.6], forward: [0.2, 0.4, 0.6] },
  }
  const scorer = {
    features: ['feature.of.a.later.engine'],
    bias: 0,
    trees: [],
    calibration: { x: [0, 1], y: [0, 1] },
  }
  return {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'later',
    space: 'flow',
    target: 'observed',
    horizon: 1,
    horizonMax: 1,
    aggregate,
    categories: {},
    flow: { hazard: scorer, session: scorer, edges: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] },
    origin: {},
  }
}
