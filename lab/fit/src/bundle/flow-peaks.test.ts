import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@plimsoll/chains'
import { thresholdRules } from '../fit/chain/thresholds.js'
import { createFlowPeaks, createPeakCounts } from './flow-peaks.js'

test('scores that a bundle writes alike are one peak, the highest first', () => {
  const counts = createPeakCounts()
  counts.add(0.12345649, false)
  counts.add(0.5, true)
  counts.add(0.1234561, true)
  assert.deepEqual(counts.peaks(), [
    { score: 0.5, safe: 0, unsafe: 1 },
    { score: 0.123456, safe: 1, unsafe: 1 },
  ])
  assert.equal(counts.safe(), 1)
})

test('more scores than there is room for lose digits, the same ones in whatever order they come', () => {
  const random = seededRandom(5)
  const scores = Array.from({ length: 30_000 }, () => random() ** 4)
  const counted = (values: readonly number[]) => {
    const counts = createPeakCounts(2_000)
    for (const [n, score] of values.entries()) counts.add(score, n < 0)
    return counts.peaks()
  }
  const peaks = counted(scores)
  assert.ok(peaks.length > 500 && peaks.length < 8_000, `${peaks.length} peaks`)
  assert.equal(
    peaks.reduce((sum, { safe }) => sum + safe, 0),
    scores.length,
  )
  assert.deepEqual(counted(scores.toReversed()), peaks)
})

test('the budgets are for sessions that were not attacked, where a source has some', () => {
  const truth = {
    excluded: undefined,
    unsafe: false,
    violatedAt: undefined,
    hasSteps: true,
    assumed: false,
    instructedAt: undefined,
    unexecuted: new Set<number>(),
  }
  const confirmAt = (isAlone: boolean): number => {
    const peaks = createFlowPeaks(thresholdRules())
    const add = (score: number, isAttacked: boolean) => {
      const one = Float64Array.of(score)
      const scores = { p1: one, p5: one, p5After: one }
      peaks.add({ category: 'aggregate', source: 'a', truth, isAttacked }, scores)
    }
    for (let n = 0; n < 500; n++) {
      add(n % 2 === 0 ? 0.6 : 0.7, true)
      if (!isAlone) add(n % 2 === 0 ? 0.1 : 0.3, false)
    }
    return peaks.choose().aggregate.hazard[1]?.threshold ?? 0
  }
  assert.ok(confirmAt(false) > 0.3 && confirmAt(false) <= 0.6, String(confirmAt(false)))
  assert.equal(confirmAt(true), 1, 'attacked ones alone')
})
