import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaUnderCurve, createAreaUnderCurve, seededRandom } from '../index.js'

test('the area is the chance of the right order, ties counting half', () => {
  assert.equal(areaUnderCurve([1, 0], [1, 0]), 1)
  assert.equal(areaUnderCurve([0, 1], [1, 0]), 0)
  assert.equal(areaUnderCurve([1, 1, 1], [1, 0, 0]), 0.5)
  assert.equal(areaUnderCurve([3, 2, 2, 1], [1, 0, 1, 0]), 3.5 / 4)
})

test('samples of one label have no area', () => {
  assert.ok(Number.isNaN(areaUnderCurve([1], [1])))
  assert.ok(Number.isNaN(areaUnderCurve([], [])))
})

test('refuses NaN scores', () => {
  assert.throws(() => areaUnderCurve([Number.NaN, 1], [0, 1]), RangeError)
  assert.throws(() => areaUnderCurve([1, 2], [0]), RangeError)
})

test('equals counting pairs, with weights and infinite scores', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const scores = Array.from({ length: 150 }, () =>
      random() < 0.02 ? -Infinity : Math.floor(random() * 23),
    )
    const labels = scores.map(() => (random() < 0.3 ? 1 : 0))
    const weights = seed % 2 ? scores.map(() => random()) : scores.map(() => 1)
    let [right, all] = [0, 0]
    for (const [i, a] of scores.entries())
      for (const [j, b] of scores.entries()) {
        if (labels[i] !== 1 || labels[j] !== 0) continue
        const weight = (weights[i] ?? 0) * (weights[j] ?? 0)
        all += weight
        right += weight * (a > b ? 1 : a === b ? 0.5 : 0)
      }
    assert.ok(Math.abs(areaUnderCurve(scores, labels, weights) - right / all) < 1e-12)
    const areaBy = createAreaUnderCurve(scores, labels)
    assert.equal(areaBy(weights), areaUnderCurve(scores, labels, weights))
    assert.equal(areaBy(), areaUnderCurve(scores, labels))
  }
})
