import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brierScore,
  brierSkill,
  calibrationError,
  reliabilityCurve,
  riskiestError,
  seededRandom,
} from '../index.js'

const near = (a: number, b: number, tolerance = 1e-12) =>
  assert.ok(Math.abs(a - b) < tolerance, `${a} is not near ${b}`)

test('Brier score and skill by hand', () => {
  near(brierScore([0.9, 0.2, 0.5], [1, 0, 0]), (0.01 + 0.04 + 0.25) / 3)
  near(brierSkill([0.9, 0.2, 0.5], [1, 0, 0]), 1 - 0.1 / (2 / 9))
  assert.equal(brierSkill([0.5, 0.5], [1, 0]), 0)
  assert.equal(brierSkill([1, 0], [1, 0], 0.5), 1)
  near(brierSkill([0.5, 0.5], [1, 0], [0.9, 0.1]), 1 - 0.25 / 0.01)
  near(brierScore([0.9, 0.2], [1, 0], [3, 1]), (3 * 0.01 + 0.04) / 4)
  assert.ok(Number.isNaN(brierSkill([0.1], [0])))
})

test('the curve bins by weight, keeps ties together and counts positives', () => {
  const predicted = [0.1, 0.1, 0.1, 0.2, 0.3, 0.8, 0.9, 0.9]
  const labels = [0, 0, 1, 0, 0, 1, 1, 1]
  const curve = reliabilityCurve(predicted, labels, 4)
  assert.deepEqual(
    curve.map(({ observed }) => [observed.n, observed.of]),
    [
      [1, 3],
      [0, 1],
      [1, 2],
      [2, 2],
    ],
  )
  near(curve[2]?.predicted ?? 0, 0.55)
  near(calibrationError(predicted, labels, 4), (3 * (1 / 3 - 0.1) + 0.2 + 2 * 0.05 + 2 * 0.1) / 8)
})

test('every sample is in one bin, whatever the weights', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const predicted = Array.from({ length: 97 }, () => Math.round(random() * 50) / 50)
    const labels = predicted.map((p) => (random() < p ? 1 : 0))
    const weights = predicted.map(() => random())
    const curve = reliabilityCurve(predicted, labels, 10, weights)
    assert.ok(curve.length <= 10)
    near(
      curve.reduce((sum, { observed }) => sum + observed.of, 0),
      weights.reduce((a, b) => a + b, 0),
      1e-9,
    )
    assert.ok(curve.every(({ predicted }, i) => i === 0 || predicted > (curve[i - 1]?.predicted ?? 1)))
  }
})

test('the riskiest tenth takes only part of a tie, in any order', () => {
  const predicted = [...Array.from({ length: 15 }, () => 0.1), 0.6, 0.6, 0.6, 0.6, 0.9]
  const labels = [...Array.from({ length: 15 }, () => 0), 1, 0, 0, 1, 1]
  // Two samples: the positive 0.9, and one of the four at 0.6, half of them positive.
  near(riskiestError(predicted, labels), Math.abs(0.9 + 0.6 - 1.5) / 2)
  near(riskiestError(predicted.toReversed(), labels.toReversed(), 0.15), Math.abs(0.9 + 1.2 - 2) / 3)
  near(riskiestError(predicted, labels, 1), Math.abs(predicted.reduce((a, b) => a + b) - 3) / 20)
})

test('true probabilities have little error, overstated ones much', () => {
  const random = seededRandom(3)
  const predicted = Array.from({ length: 50_000 }, () => random() ** 2)
  const labels = predicted.map((p) => (random() < p ? 1 : 0))
  assert.ok(calibrationError(predicted, labels) < 0.01)
  assert.ok(calibrationError(predicted.map(Math.sqrt), labels) > 0.1)
})
