import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTally } from './tally.js'
import { chooseFromPeaks, chooseThresholds, thresholdRules } from './thresholds.js'

const SCORE = [0.01, 0.2, 0.4, 0.6, 0.8]
const rule = { budgets: [0.5, 0.1, 0.01], floors: [0.05, 0.1, 0.3] } as const

/** 100 safe sessions: 60 reach state 1 at most, 30 state 2, 10 state 3; and 4 violated ones: 3 of them reach state 3. */
function tallied() {
  const { add, tally } = createTally(5, 0)
  const many = (n: number, arrivals: number[], violated: boolean) => {
    for (let i = 0; i < n; i++) add({ arrivals, violated, unlabelled: 0, unexecuted: 0 })
  }
  many(60, [0, 1, 0], false)
  many(30, [2, 1], false)
  many(10, [3, 0], false)
  many(3, [0, 3], true)
  many(1, [0], true)
  return tally
}

test('thresholds are the lowest scores within the budgets', () => {
  const [warn, confirm, block] = chooseThresholds(tallied(), SCORE, rule)
  assert.deepEqual(warn, { threshold: 0.4, falsePositives: 0.4, detection: 0.75 })
  assert.deepEqual(confirm, { threshold: 0.6, falsePositives: 0.1, detection: 0.75 })
  assert.deepEqual(block, { threshold: 0.8, falsePositives: 0, detection: 0 })
})

test('a threshold that every score breaks is never reached', () => {
  const thresholds = chooseThresholds(tallied(), [0.01, 0.2, 0.4, 0.6, 0.6], rule)
  assert.equal(thresholds[2]?.threshold, 1)
})

test('a share within so many standard errors of its budget keeps it', () => {
  // 6 of 100 safe sessions reach 0.8: a budget of 0.05 has a standard error of 0.022.
  const peaks = [
    { score: 0.8, safe: 6, unsafe: 3 },
    { score: 0.4, safe: 4, unsafe: 0 },
    { score: 0.01, safe: 90, unsafe: 1 },
  ]
  const of = { budgets: [0.05, 0.05, 0.05], floors: [0, 0, 0] } as const
  const first = (errors?: number) => chooseFromPeaks(peaks, SCORE, of, errors)[0]?.threshold
  assert.equal(first(), 1)
  assert.equal(first(1), 0.6)
  assert.equal(first(0.4), 1)
})

test('floors hold where nothing ever happened, and states not yet seen can still reach them', () => {
  const { add, tally } = createTally(5, 0)
  add({ arrivals: [0], violated: false, unlabelled: 0, unexecuted: 0 })
  const thresholds = chooseThresholds(tally, [1e-7, 2e-7, 3e-7, 4e-7, 0.9], rule)
  assert.deepEqual(
    thresholds.map(({ threshold }) => threshold),
    [...rule.floors],
  )
})

test('no sessions at all give the floors', () => {
  const thresholds = chooseThresholds(createTally(5, 0).tally, SCORE, rule)
  assert.deepEqual(
    thresholds.map(({ threshold }) => threshold),
    [...rule.floors],
  )
})

test('a budget is that of the confirmation; the others stand in proportion, none above 1', () => {
  const of = (budget?: number) => {
    const { hazard, forward } = thresholdRules(budget)
    return [hazard.budgets, forward.budgets]
  }
  assert.deepEqual(of(), [
    [0.2, 0.05, 0.005],
    [0.25, 0.1, 0.04],
  ])
  assert.deepEqual(of(0.01), [
    [0.04, 0.01, 0.001],
    [0.05, 0.02, 0.008],
  ])
  assert.deepEqual(of(0.6), [
    [1, 0.6, 0.06],
    [1, 1, 0.48],
  ])
  assert.deepEqual(thresholdRules(0.01).hazard.floors, thresholdRules().hazard.floors)
})
