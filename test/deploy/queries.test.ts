import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { GATEWAY_METRICS } from '@plimsoll/gateway'
import { MONITOR_METRICS } from '@plimsoll/monitor'
import { withoutPair } from '../support/components/components.js'
import { waitUntil } from '../support/wait-until.js'
import { type BusyDeployment, createBusyDeployment } from './busy-world.js'
import { panelsOf, readDashboard } from './dashboard-files.js'
import { DEBIAN_PROMETHEUS, findProgram } from './programs.js'
import { type PrometheusServer, startPrometheus } from './prometheus-server.js'
import { asAsked, labelsIn, metricsIn, withoutThresholds } from './promql.js'
import { alertRules, filesIn, recordingRules } from './rule-files.js'

const { skip } = findProgram('prometheus', DEBIAN_PROMETHEUS)

interface Asked {
  readonly what: string
  readonly expr: string
}

const panels: readonly Asked[] = filesIn('deploy/grafana/dashboards').flatMap((file) => {
  const dashboard = readDashboard(file)
  return panelsOf(dashboard).flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ what: `${dashboard.title}, ${title}`, expr: asAsked(expr) })),
  )
})
const recordings = recordingRules.map(({ record, expr }) => ({ what: record, expr }))
const alerts = alertRules.map(({ alert, expr }) => ({ what: alert, expr: withoutThresholds(expr) }))

/** What does not happen here: Kafka refuses no write and throws nobody out. That the metrics are there is checked all the same. */
const HAPPENS_NOT = new Set([
  'plimsoll:log_write_failures:increase15m',
  'plimsoll:log_rejoins:increase30m',
  'PlimsollKafkaWritesFail',
  'PlimsollGroupUnsteady',
])

/** Long: a starved machine is no failure. */
const WAIT = { timeoutMs: 60_000, everyMs: 200 }

describe('a fleet, the monitor, a gateway, and a real Prometheus', { skip: skip || withoutPair }, () => {
  let deployment: BusyDeployment
  let prometheus: PrometheusServer
  let exported: ReadonlySet<string>

  before(async () => {
    deployment = await createBusyDeployment()
    prometheus = await startPrometheus(deployment.targets)
    await deployment.live(untilSeen)
    exported = new Set((await Promise.all(deployment.targets.map(namesAt))).flatMap((names) => [...names]))
  })
  const untilSeen = (query: string) =>
    waitUntil(`there is data for ${query}`, async () => (await prometheus.query(query)).length > 0, WAIT)
  after(async () => {
    await prometheus?.close()
    await deployment?.close()
  })

  const recorded = new Set(recordingRules.map(({ record }) => record))
  for (const { what, expr } of [...panels, ...recordings, ...alerts])
    test(`${what}: ${expr}`, async () => {
      const names = metricsIn(expr)
      assert.ok(names.length > 0)
      for (const name of names) assert.ok(exported.has(name) || recorded.has(name), `nobody exports ${name}`)
      if (HAPPENS_NOT.has(what)) return assert.deepEqual(await prometheus.query(expr), [])
      await untilSeen(expr)
    })

  test('no rule has failed, and the annotations of alerts are complete', async () => {
    const { groups } = (await prometheus.api('rules')) as {
      readonly groups: readonly { readonly rules: readonly RuleState[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    assert.equal(rules.length, alertRules.length + recordingRules.length)
    for (const { name, health, lastError } of rules) assert.equal(health, 'ok', `${name}: ${lastError}`)
    const active = rules.flatMap((rule) => rule.alerts ?? [])
    assert.ok(active.length > 5, 'much has gone wrong here')
    for (const { annotations } of active)
      for (const text of Object.values(annotations)) assert.doesNotMatch(text, /<no value>|<error|\{\{/)
  })
})

interface RuleState {
  readonly name: string
  readonly health: string
  readonly lastError?: string
  readonly alerts?: readonly { readonly annotations: Readonly<Record<string, string>> }[]
}

/** The names of the series at `/metrics`, those without a value yet too. */
async function namesAt(target: string): Promise<ReadonlySet<string>> {
  const text = await (await fetch(`http://${target}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
}

const labelsOf = new Map(
  [...MONITOR_METRICS, ...GATEWAY_METRICS].map(({ name, labels = [] }) => [`plimsoll_${name}`, labels]),
)

/** Every target has these; `le` those of a histogram; the rest are the adapters'. */
const EVERYWHERE = ['job', 'instance', 'le', 'topic']

describe('queries use only existing labels of metrics', () => {
  const recordedLabels = new Map(recordingRules.map(({ record, expr }) => [record, labelsIn(expr)]))
  for (const { what, expr } of [...panels, ...recordings, ...alerts])
    test(`${what}: ${expr}`, () => {
      const known = metricsIn(expr).flatMap(
        (name) => labelsOf.get(name.replace(/_(bucket|count|sum)$/, '')) ?? recordedLabels.get(name) ?? [],
      )
      for (const label of labelsIn(expr)) assert.ok([...known, ...EVERYWHERE].includes(label), label)
    })
})
