import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/api.js'
import { curveOf, topOf } from './curve.js'

const step = (number: number, more: Partial<Step> = {}): Step => ({
  step: number,
  callId: `c${number}`,
  eventId: `e${number}`,
  tool: 't',
  effects: [],
  labels: {},
  reasons: [],
  ...more,
})

test('the curve has each step that has a number and a risk, with its first verdict', () => {
  const points = curveOf([
    step(1, { probability: 0.1, verdict: 'block' }),
    step(1, { probability: 0.2, verdict: 'allow' }),
    step(0, { probability: 0.9 }),
    step(2),
    step(3, { probability: 0.3, verdict: 'allow', firstVerdict: 'confirm', pointOfNoReturn: 3 }),
  ])
  assert.deepEqual(points, [
    { place: 0, step: 1, probability: 0.1, verdict: 'block', isNoReturn: false },
    { place: 1, step: 1, probability: 0.2, verdict: 'allow', isNoReturn: false },
    { place: 4, step: 3, probability: 0.3, verdict: 'confirm', isNoReturn: true },
  ])
})

test('the axis shows the curve and the next threshold', () => {
  const at = (probability: number) => curveOf([step(1, { probability })])
  assert.equal(topOf([], []), 0.05)
  assert.ok(topOf(at(0.1), [0.3, 0.6]) > 0.3)
  assert.ok(topOf(at(0.1), [0.3, 0.6]) < 0.6)
  assert.equal(topOf(at(0.95), [0.3]), 1)
})
