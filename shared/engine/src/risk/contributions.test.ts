import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contributionsOf } from './contributions.js'
import { type CompiledScorer, LEAVES_MAX } from './scorer.js'

const leaves = new Float64Array(2 * LEAVES_MAX)
leaves.set([-1, 2], 0)
leaves.set([0.25, 0.5], LEAVES_MAX)

/** Two trees: on feature 1 at 0.5 (−1 or 2), on feature 0 at 3 (0.25 or 0.5). Feature 2 is in none. */
const scorer: CompiledScorer = {
  bias: -0.5,
  asked: Int32Array.of(0, 1),
  first: Int32Array.of(0, 1, 2),
  threshold: Float64Array.of(3, 0.5),
  tree: Uint16Array.of(1, 0),
  remaining: Int32Array.of(~1, ~1),
  leaves,
  scratch: new Int32Array(2),
  x: Float64Array.of(-1, 2),
  y: Float64Array.of(0.1, 0.8),
}

const NAMES = ['a', 'b', 'c']

test('a weight is what the log-odds lose without the feature; the heaviest comes first', () => {
  const features = Float64Array.of(3, 1, 9)
  assert.deepEqual(contributionsOf(scorer, features, NAMES), [
    { name: 'b', value: 1, weight: 3 },
    { name: 'a', value: 3, weight: 0.25 },
  ])
  assert.deepEqual(Array.from(features), [3, 1, 9])
})

test('a feature that is 0, or changes nothing, is left out', () => {
  assert.deepEqual(contributionsOf(scorer, Float64Array.of(2, 0, 9), NAMES), [])
})
