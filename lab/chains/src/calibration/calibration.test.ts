import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchQuantiles } from './calibration.js'

test('maps equal quantiles onto each other', () => {
  const match = matchQuantiles(Float64Array.of(3, 1, 2), Float64Array.of(10, 30, 20))
  assert.deepEqual([1, 2, 3, 1.5, -7, 9].map(match), [10, 20, 30, 15, 10, 30])
})

test('a tied score maps to the value that most of its rows have', () => {
  const match = matchQuantiles(Float64Array.of(0, 5, 5, 5, 9), Float64Array.of(1, 7, 7, 7, 8))
  assert.equal(match(5), 7)
})

test('the map never decreases', () => {
  const from = Float64Array.from({ length: 500 }, (_, i) => Math.round(7 * Math.sin(i)))
  const to = Float64Array.from({ length: 500 }, (_, i) => Math.sin(3 * i))
  const match = matchQuantiles(from, to)
  for (let score = -9; score < 9; score += 0.25) assert.ok(match(score) <= match(score + 0.25))
})

test('refuses two lists that cannot be scores of the same rows', () => {
  assert.throws(() => matchQuantiles(new Float64Array(), new Float64Array()), RangeError)
  assert.throws(() => matchQuantiles(Float64Array.of(1), Float64Array.of(1, 2)), RangeError)
})
