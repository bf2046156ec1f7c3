import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { MONITOR_METRICS, createMonitorMetrics } from './index.js'
import { createBoundedLabel } from './specs.js'

test('every metric that is listed is made, and no other', async () => {
  const metrics = createMetrics({ hasProcessMetrics: false })
  createMonitorMetrics(metrics)
  const made = [...(await metrics.text()).matchAll(/^# TYPE plimsoll_(\w+)/gm)].map(([, name]) => name ?? '')
  const listed = MONITOR_METRICS.map(({ name }) => name)
  assert.deepEqual(made.toSorted(), listed.toSorted())
})

test('a label keeps its first values', () => {
  const label = createBoundedLabel(2)
  assert.deepEqual(['a', 'b', 'c', 'a', 'd'].map(label), ['a', 'b', 'other', 'a', 'other'])
})
