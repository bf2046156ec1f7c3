import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { settleControl } from '../../support/sessions/controls.js'
import { deploy, type Deployment, DEPLOYMENTS } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { untilMetric } from '../../support/until-metric.js'
import { waitUntil } from '../../support/wait-until.js'

const FLOOD = 60
const MAX = 10

const refusalsOf = ({ seen }: Deployment) =>
  seen.deadLetters.filter(({ headers }) => headers['plimsoll-code'] === 'quota_exceeded')

/** Windows are whole seconds: events published after this fall into one new window. */
const nextSecond = async () => {
  const second = Math.floor(Date.now() / 1000)
  await waitUntil('the next second', () => Math.floor(Date.now() / 1000) > second, { everyMs: 5 })
}

/** The decided steps; refusals of an event sent twice have two times, and so two texts. */
const stepsOf = ({ seen }: Deployment, session: string): string[] => {
  const ids = seen.decisions.map(({ value }) => (JSON.parse(String(value)) as { id: string }).id)
  return [...new Set(ids)].filter((id) => id.startsWith(`${session}#`) && id.endsWith('#step'))
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`quotas, ${kind}`, { skip }, () => {
    test("refuses a session's flood, answers other sessions, and accepts the refused steps later", async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        await deployment.startMonitor({ metrics, limits: { sessionEventsPerSecondMax: MAX } }).started
        const [noisy, quiet] = [sessionScript('noisy'), sessionScript('quiet')]
        await nextSecond()
        const flood = Array.from({ length: FLOOD }, (_, i) =>
          noisy.propose('list_files', `c${i}`, { seq: i + 1 }),
        )
        await deployment.publish([
          noisy.start(),
          ...flood,
          quiet.start(),
          quiet.propose('list_files', 'q', { seq: 1 }),
        ])
        await deployment.until(
          'the quiet one to be answered',
          () => stepsOf(deployment, 'quiet').length === 1,
        )
        // A window may end during the flood; events after a gap are refused for the gap.
        const isFull = () =>
          deployment.seen.deadLetters.length + stepsOf(deployment, 'noisy').length === FLOOD
        await deployment.until('all of the flood to be answered', isFull)
        assert.ok(refusalsOf(deployment).length >= FLOOD - 3 * MAX, String(refusalsOf(deployment).length))
        await untilMetric(
          metrics,
          new RegExp(`quota_refusals_total{scope="session"} ${refusalsOf(deployment).length}\n`),
        )

        for (
          let done = stepsOf(deployment, 'noisy').length;
          done < 2 * MAX;
          done = stepsOf(deployment, 'noisy').length
        ) {
          await nextSecond()
          const answers = deployment.seen.decisions.length
          await deployment.publish(flood.slice(done, done + MAX / 2))
          await deployment.until('answers', () => deployment.seen.decisions.length === answers + MAX / 2)
        }
        assert.ok(stepsOf(deployment, 'noisy').length >= 2 * MAX)
      } finally {
        await deployment.close()
      }
    })

    test("a tenant's flood over many sessions affects neither other tenants nor control changes", async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        await deployment.startMonitor({ limits: { tenantEventsPerSecondMax: MAX } }).started
        await nextSecond()
        const flood = Array.from({ length: FLOOD }, (_, i) => sessionScript(`acme~${i}`).start())
        const other = sessionScript('zeta~1')
        await deployment.publish([...flood, other.start(), other.propose('list_files', 'z')])
        await deployment.until(
          'the other tenant to be answered',
          () => stepsOf(deployment, 'zeta~1').length === 1,
        )
        await deployment.until('refusals', () => refusalsOf(deployment).length >= FLOOD - 3 * MAX)
        const [report] = await settleControl(deployment, {
          id: 'stop',
          type: 'fleet.stopped',
          tenant: 'acme',
        })
        assert.equal(report?.refused, undefined)
      } finally {
        await deployment.close()
      }
    })
  })
