import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/api.js'
import { flowsOf, lanesOf } from './flows.js'

const step = (more: Partial<Step> = {}): Step => ({
  step: 1,
  callId: 'c',
  eventId: 'e',
  tool: 't',
  effects: [],
  labels: {},
  reasons: [],
  ...more,
})
const provenance = {
  values: 1,
  task: 0,
  trusted: 0,
  untrusted: 0,
  instructions: 0,
  sensitive: 0,
  nowhere: 0,
}

test('sensitive data flows from the step that first read it to each that has it in its arguments', () => {
  const steps = [
    step({ exposure: 'internal' }),
    step({ exposure: 'sensitive' }),
    step({ exposure: 'sensitive', evidence: 'present' }),
    step({ exposure: 'sensitive', evidence: 'absent', provenance: { ...provenance, sensitive: 2 } }),
    step({ exposure: 'sensitive', evidence: 'present', effects: [{ act: 'send', certainty: 'understood' }] }),
  ]
  assert.deepEqual(flowsOf(steps), [
    { kind: 'sensitive', from: 1, to: 2, leaves: false },
    { kind: 'sensitive', from: 1, to: 4, leaves: true },
  ])
  assert.deepEqual(
    lanesOf(flowsOf(steps), steps.length).map((lanes) => lanes.map(({ part }) => part)),
    [[], ['begins'], ['uses'], ['passes'], ['ends']],
  )
})

test('a value of untrusted text flows from where untrusted text was first read', () => {
  const steps = [
    step({ taint: 'data' }),
    step({ taint: 'data', provenance: { ...provenance, untrusted: 1 } }),
    step({ taint: 'instructions' }),
    step({
      taint: 'instructions',
      provenance: { ...provenance, untrusted: 1, instructions: 1 },
      labels: { capability: 'network' },
    }),
  ]
  assert.deepEqual(flowsOf(steps), [
    { kind: 'untrusted', from: 0, to: 1, leaves: false },
    { kind: 'instructions', from: 2, to: 3, leaves: true },
  ])
})

test('nothing flows from where nothing was read', () => {
  assert.deepEqual(flowsOf([step({ evidence: 'present', exposure: 'sensitive' })]), [])
  assert.deepEqual(lanesOf([], 2), [[], []])
})
