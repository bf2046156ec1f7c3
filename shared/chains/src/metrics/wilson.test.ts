import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilson } from '../index.js'

/** Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3. */
const PUBLISHED = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const

for (const [n, of, low, high] of PUBLISHED)
  test(`the interval of ${n} of ${of} is the published one`, () => {
    const interval = wilson(n, of)
    assert.equal(interval.low.toFixed(4), low.toFixed(4))
    assert.equal(interval.high.toFixed(4), high.toFixed(4))
    assert.equal(interval.rate, n / of)
  })

test('the ends are exact, and nothing counted is no number', () => {
  assert.equal(wilson(0, 7).low, 0)
  assert.equal(wilson(7, 7).high, 1)
  assert.ok(Number.isNaN(wilson(0, 0).rate))
})

test('the interval inverts the score test', () => {
  for (const [n, of] of [
    [3, 10],
    [50, 70],
    [1, 1_000],
  ] as const)
    for (const bound of [wilson(n, of).low, wilson(n, of).high]) {
      const z = Math.abs(n / of - bound) / Math.sqrt((bound * (1 - bound)) / of)
      assert.ok(Math.abs(z - 1.959964) < 1e-5)
    }
})
