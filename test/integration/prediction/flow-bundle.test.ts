import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { versionOf, type Event } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { registerDocument } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { settleControl } from '../../support/sessions/controls.js'
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

const flow = await readDocument('bundle', 'default')
const paper60 = await readDocument('bundle', 'paper60')
const FINGERPRINT = 'caaaaaaa'

/** A session that reads a page with an instruction to send something, as reported by a client with a key. */
function misled(id: string) {
  const script = sessionScript(id)
  const reported = (event: Event, more: object): Event => ({ ...event, ...more })
  return {
    start: () => reported(script.start('data_handling'), { fingerprints: ['cbbbbbbb'] }),
    read: () => [
      reported(script.propose('fetch_webpage', 'page'), { fingerprints: [] }),
      reported(script.complete('fetch_webpage', 'page'), {
        taint: 'instructions',
        fingerprints: [FINGERPRINT],
        instructed: [FINGERPRINT],
        signals: { instructions: 0.95, override: 0.9, toolcall: 0.8 },
      }),
    ],
    obey: (callId: string) => reported(script.propose('send_email', callId), { fingerprints: [FINGERPRINT] }),
  }
}

const riskOf = (deployment: Deployment, callId: string) =>
  decisionsOf(deployment).find((decision) => decision.callId === callId)

for (const [kind, skip] of DEPLOYMENTS)
  describe(`a bundle with the feature space flow, ${kind}`, { skip }, () => {
    test('is published, run in shadow and activated under sessions of paper60, which move to it and back', async () => {
      const deployment = await deploy(kind, { partitions: 2, documents: { bundle: paper60 } })
      try {
        assert.deepEqual([paper60.space, flow.space], ['paper60', 'flow'])
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics }).started
        const session = misled('moves')
        await deployment.publish([session.start(), ...session.read(), session.obey('before')])
        await deployment.untilDecided(2)
        const version = await registerDocument(deployment.log, deployment.topics.registry, flow)
        assert.equal(version, versionOf(flow))

        await settleControl(deployment, { id: 'try', type: 'shadow.changed', candidate: { bundle: version } })
        await deployment.publish([session.obey('in-shadow')])
        await deployment.untilDecided(3)
        await untilMetric(metrics, new RegExp(`^plimsoll_shadow_steps_total{version="${version}".* 1$`, 'm'))
        assert.equal(riskOf(deployment, 'in-shadow')?.versions?.bundle, versionOf(paper60))

        const to = (id: string, bundle: string) =>
          settleControl(deployment, { id, type: 'versions.activated', versions: { bundle }, running: true })
        for (const { refused } of await to('forth', version)) assert.equal(refused, undefined)
        await deployment.publish([session.obey('under-flow')])
        await deployment.until('the decision', () => riskOf(deployment, 'under-flow') !== undefined)
        await registerDocument(deployment.log, deployment.topics.registry, paper60)
        await to('back', versionOf(paper60))
        await deployment.publish([session.obey('after')])
        await deployment.until('the last', () => riskOf(deployment, 'after') !== undefined)

        const under = riskOf(deployment, 'under-flow')
        assert.equal(under?.versions?.bundle, version)
        assert.ok(under?.risk?.provenance, 'its scorers saw where the arguments come from')
        assert.notEqual(under?.risk?.hazard, riskOf(deployment, 'before')?.risk?.hazard)
        assert.equal(riskOf(deployment, 'after')?.versions?.bundle, versionOf(paper60))
        assert.equal(riskOf(deployment, 'after')?.risk?.hazard, riskOf(deployment, 'before')?.risk?.hazard)
        // Once the session has moved to it there is nothing to compare it with.
        await untilMetric(metrics, new RegExp(`^plimsoll_shadow_steps_total{version="${version}".* 2$`, 'm'))
        const document = (asked: string) =>
          asked === version ? { kind: 'bundle' as const, version, document: flow } : undefined
        assert.deepEqual(
          byDecisionId(deployment.seen.decisions),
          foldAlone({ ...deployment, document }).decisions,
        )
      } finally {
        await deployment.close()
      }
    })
  })
