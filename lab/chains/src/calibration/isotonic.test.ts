import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  areaUnderCurve,
  calibrated,
  calibrationError,
  fitIsotonic,
  riskiestError,
  seededRandom,
} from '../index.js'
import { tiedAscending } from '../metrics/auc.js'
import { logistic } from '../trees/tree.js'
import { poolAdjacentViolators, reduceBlocks } from './isotonic.js'

/** The definition: the largest over starts up to i of the least over ends from i of the means between. */
function bruteForce(means: readonly number[], weights: readonly number[]): number[] {
  const mean = (from: number, to: number) => {
    let [sum, weight] = [0, 0]
    for (let k = from; k <= to; k++) {
      sum += (means[k] ?? 0) * (weights[k] ?? 0)
      weight += weights[k] ?? 0
    }
    return sum / weight
  }
  const ends = means.map((_, k) => k)
  return means.map((_, i) =>
    Math.max(
      ...ends
        .filter((j) => j <= i)
        .map((j) => Math.min(...ends.filter((k) => k >= i).map((k) => mean(j, k)))),
    ),
  )
}

test('pooling equals the definition', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed)
    const n = 1 + Math.floor(random() * 24)
    const scores = Array.from({ length: n }, () => Math.floor(random() * 12))
    const labels = scores.map((score) => (random() < score / 12 ? 1 : 0))
    const weights = scores.map(() => 0.1 + random())
    const groups = tiedAscending(scores, labels, weights)
    const expected = bruteForce(
      groups.map(({ positive, weight }) => positive / weight),
      groups.map(({ weight }) => weight),
    )
    const blocks = poolAdjacentViolators(groups)
    let at = 0
    for (const block of blocks)
      for (let rest = block.weight; rest > 1e-9; at++) {
        assert.ok(Math.abs(block.mean - (expected[at] ?? -1)) < 1e-9, `seed ${seed}, score ${at}`)
        rest -= groups[at]?.weight ?? Infinity
      }
    assert.equal(at, groups.length)
  }
})

test('blocks are reduced to the limit with their mean kept and their order too', () => {
  const groups = Array.from({ length: 9_000 }, (_, i) => ({ value: i, weight: 1, positive: i / 9_000 }))
  const reduced = reduceBlocks(poolAdjacentViolators(groups), 20)
  assert.equal(reduced.length, 20)
  assert.ok(reduced.every(({ mean }, i) => i === 0 || mean > (reduced[i - 1]?.mean ?? 1)))
  const total = reduced.reduce((sum, { weight, mean }) => sum + weight * mean, 0)
  assert.ok(Math.abs(total - groups.reduce((sum, { positive }) => sum + positive, 0)) < 1e-6)
  const spread = reduced.map(({ weight }) => weight)
  assert.ok(Math.max(...spread) < 4 * Math.min(...spread), 'an even slope is parted evenly')
})

function drawScores(n: number, seed: number, truth: (score: number) => number) {
  const random = seededRandom(seed)
  // Margins as scorers give them: most of them far down.
  const scores = Float64Array.from({ length: n }, () => -6 + 9 * random() ** 4)
  return { scores, labels: Uint8Array.from(scores, (score) => (random() < truth(score) ? 1 : 0)) }
}

const distorted = (score: number) => 0.02 + 0.9 * logistic(2.5 * score)

test('corrects overconfident scores on fresh samples', () => {
  const { scores, labels } = drawScores(20_000, 1, distorted)
  const calibration = fitIsotonic(scores, labels)
  const fresh = drawScores(20_000, 2, distorted)
  const before = Float64Array.from(fresh.scores, logistic)
  const after = fresh.scores.map((score) => calibrated(calibration, score))
  assert.ok(calibrationError(before, fresh.labels) > 0.02)
  assert.ok(calibrationError(after, fresh.labels) < 0.01)
  assert.ok(riskiestError(after, fresh.labels) < 0.02)
  const [auc, calibratedAuc] = [
    areaUnderCurve(fresh.scores, fresh.labels),
    areaUnderCurve(after, fresh.labels),
  ]
  assert.ok(Math.abs(auc - calibratedAuc) < 1e-3, 'order is kept')
})

test('points ascend, keep to the limit, and never reach 0 or 1', () => {
  for (const [scores, labels] of [
    [[1], [1]],
    [[1], [0]],
    [
      [2, 2, 2],
      [1, 0, 1],
    ],
    [
      [1, 2, 3, 4],
      [0, 0, 1, 1],
    ],
    [
      [1, 2, 3, 4],
      [1, 1, 0, 0],
    ],
    [
      [1, 1 + Number.EPSILON],
      [0, 1],
    ],
    Object.values(drawScores(5_000, 3, distorted)),
  ] as [ArrayLike<number>, ArrayLike<number>][]) {
    const { x, y } = fitIsotonic(scores, labels)
    assert.ok(x.length <= 64 && x.length === y.length)
    for (const [i, value] of y.entries()) {
      assert.ok(value > 0 && value < 1, `${value}`)
      if (i > 0) assert.ok((x[i] ?? 0) > (x[i - 1] ?? Infinity) && value > (y[i - 1] ?? Infinity))
    }
  }
})

test('few samples stay farther from 0 and 1 than many', () => {
  const top = (copies: number) => {
    const scores = Array.from({ length: 20 * copies }, (_, i) => i % 20)
    return (
      fitIsotonic(
        scores,
        scores.map((score) => (score >= 10 ? 1 : 0)),
      ).y.at(-1) ?? 0
    )
  }
  assert.ok(top(1) < top(10) && top(10) < top(100) && top(1) < 0.96 && top(100) > 0.99)
})

test('weights count as copies', () => {
  const { scores, labels } = drawScores(300, 5, distorted)
  const weights = labels.map((_, i) => 1 + (i % 2))
  const twice = Array.from(weights).flatMap((weight, i) => Array.from({ length: weight }, () => i))
  const a = fitIsotonic(scores, labels, weights)
  const b = fitIsotonic(
    twice.map((i) => scores[i] ?? 0),
    twice.map((i) => labels[i] ?? 0),
  )
  for (const [i, y] of a.y.entries()) assert.ok(Math.abs(y - (b.y[i] ?? 0)) < 1e-9)
})

test('the map is linear between its points and flat beyond', () => {
  const calibration = { x: [0, 2, 4], y: [0.1, 0.2, 0.6] }
  for (const [score, probability] of [
    [-1, 0.1],
    [0, 0.1],
    [1, 0.15],
    [2, 0.2],
    [3.5, 0.5],
    [9, 0.6],
  ] as const)
    assert.ok(Math.abs(calibrated(calibration, score) - probability) < 1e-12)
})

test('refuses invalid samples and options', () => {
  assert.throws(() => fitIsotonic([], []), RangeError)
  assert.throws(() => fitIsotonic([1, 2], [1]), RangeError)
  assert.throws(() => fitIsotonic([Number.NaN], [1]), RangeError)
  assert.throws(() => fitIsotonic([1], [1], [1], { points: 2 }), RangeError)
  assert.throws(() => fitIsotonic([1], [1], [1], { prior: 0 }), RangeError)
})
