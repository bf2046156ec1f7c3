import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Statistic, bootstrapIntervals, seededRandom } from '../index.js'

/** Mean of values whose clusters are given. */
const meanOf =
  (values: readonly number[], clusterOf: (i: number) => number): Statistic =>
  (weights) => {
    const each = values.map((_, i) => weights[clusterOf(i)] ?? 0)
    return (
      values.reduce((sum, value, i) => sum + value * (each[i] ?? 0), 0) / each.reduce((sum, w) => sum + w, 0)
    )
  }

test('the interval of a mean is that of the normal approximation, and depends on the seed alone', () => {
  const random = seededRandom(3)
  const values = Array.from({ length: 400 }, random)
  const mean = meanOf(values, (i) => i)
  const [one] = bootstrapIntervals(400, [mean], { draws: 2000 })
  const half = (1.96 * Math.sqrt(1 / 12)) / 20
  assert.ok(one && Math.abs(one.high - one.low - 2 * half) < 0.15 * 2 * half)
  assert.ok(one.low < one.value && one.value < one.high)
  assert.deepEqual(
    bootstrapIntervals(400, [mean], { draws: 50 }),
    bootstrapIntervals(400, [mean], { draws: 50 }),
  )
})

test('samples of one cluster that are alike count once: the interval is that of the clusters', () => {
  const values = Array.from({ length: 400 }, (_, i) => (Math.floor(i / 20) % 2 === 0 ? 1 : 0))
  const [clustered] = bootstrapIntervals(20, [meanOf(values, (i) => Math.floor(i / 20))])
  const [single] = bootstrapIntervals(400, [meanOf(values, (i) => i)])
  assert.ok(clustered && single)
  assert.equal(clustered.value, single.value)
  assert.ok(clustered.high - clustered.low > 3 * (single.high - single.low))
})

test('figures see the same draws; what is mostly no figure has no interval', () => {
  const mean = meanOf([1, 2, 3, 4, 5], (i) => i)
  const [a, b, never, once] = bootstrapIntervals(5, [
    mean,
    (weights) => 10 * mean(weights),
    () => Number.NaN,
    (weights) => ((weights[0] ?? 0) > 1 ? Number.NaN : 1),
  ])
  assert.ok(a && b && Math.abs(10 * a.low - b.low) < 1e-9 && Math.abs(10 * a.high - b.high) < 1e-9)
  assert.ok(never && Number.isNaN(never.value) && Number.isNaN(never.low))
  assert.deepEqual([once?.low, once?.high], [1, 1])
  const [lonely] = bootstrapIntervals(1, [() => 1])
  assert.ok(lonely?.value === 1 && Number.isNaN(lonely.low))
})
