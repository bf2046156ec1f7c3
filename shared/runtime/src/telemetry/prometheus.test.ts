import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECONDS_BUCKETS, noMetrics } from '../telemetry/metrics.js'
import { createMetrics } from './prometheus.js'

test('counts, sets and observes by label', async () => {
  const metrics = createMetrics({ prefix: 'test_', hasProcessMetrics: false })
  const decisions = metrics.counter({
    name: 'decisions_total',
    help: 'Decisions.',
    labels: ['verdict', 'category'],
  })
  decisions.inc({ verdict: 'allow', category: 'mail' })
  decisions.inc({ verdict: 'allow', category: 'mail' }, 2)
  metrics.gauge({ name: 'ready', help: 'Readiness.' }).set({}, 1)
  const seconds = metrics.histogram({ name: 'decision_seconds', help: 'Time.', buckets: SECONDS_BUCKETS })
  seconds.observe({}, 0.002)
  const text = await metrics.text()
  assert.match(text, /^test_decisions_total\{verdict="allow",category="mail"\} 3$/m)
  assert.match(text, /^test_ready 1$/m)
  assert.match(text, /^test_decision_seconds_bucket\{le="0.0025"\} 1$/m)
  assert.match(metrics.contentType, /^text\/plain/)
})

test('each has a registry of its own, with the metrics of the process where they are wanted', async () => {
  for (let i = 0; i < 2; i++) {
    const metrics = createMetrics()
    metrics.counter({ name: 'events_total', help: 'Events.' })
    assert.match(await metrics.text(), /^process_cpu_seconds_total /m)
  }
})

test('refuses names and labels that break the conventions', () => {
  const metrics = createMetrics({ hasProcessMetrics: false })
  const help = 'Help.'
  metrics.counter({ name: 'events_total', help })
  const cases: readonly [string, () => unknown][] = [
    ['already exists', () => metrics.counter({ name: 'events_total', help })],
    ['in _total', () => metrics.counter({ name: 'events', help })],
    ['lower-case', () => metrics.gauge({ name: 'lagMs', help })],
    ['unbounded', () => metrics.counter({ name: 'a_total', help, labels: ['session_id'] })],
    ['unbounded', () => metrics.gauge({ name: 'b', help, labels: ['verdict', 'session'] })],
  ]
  for (const [message, make] of cases)
    assert.throws(
      make,
      (error: Error) => 'code' in error && error.code === 'config_invalid' && error.message.includes(message),
    )
})

test('no metrics take all and give nothing', async () => {
  noMetrics.counter({ name: 'x', help: '', labels: ['a'] }).inc({ a: '1' })
  noMetrics.gauge({ name: 'x', help: '' }).set({}, 1)
  noMetrics.histogram({ name: 'x', help: '', buckets: [] }).observe({}, 1)
  assert.equal(await noMetrics.text(), '')
})
