import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledScorer, LEAVES_MAX, acrossBuckets, crossed, marginOf, scoreOf } from './scorer.js'

const leaves = new Float64Array(2 * LEAVES_MAX)
leaves.set([-1, 2], 0)
leaves.set([0.25, 0.5, 1], LEAVES_MAX)

/** Two trees: on feature 1 at 0.5 (−1 or 2); on feature 0 at 3 (0.25, or on feature 1 at 2: 0.5 or 1). */
const scorer: CompiledScorer = {
  bias: -0.5,
  asked: Int32Array.of(0, 1),
  first: Int32Array.of(0, 1, 3),
  threshold: Float64Array.of(3, 0.5, 2),
  tree: Uint16Array.of(1, 0, 1),
  remaining: Int32Array.of(~1, ~1, ~2),
  leaves,
  scratch: new Int32Array(2),
  x: Float64Array.of(-1, 0, 2),
  y: Float64Array.of(0.1, 0.2, 0.8),
}

test('a margin is the bias and one leaf of each tree; a threshold goes to the right', () => {
  for (const [features, margin] of [
    [[0, 0], -1.25],
    [[3, 0], -1],
    [[2.9, 0.5], 1.75],
    [[3, 1], 2],
    [[3, 2], 2.5],
    [[0, 2], 1.75],
  ] as const)
    assert.equal(marginOf(scorer, Float64Array.from(features)), margin)
})

test('the calibration is linear between its points and flat outside them', () => {
  const of = (bias: number) =>
    scoreOf(
      { ...scorer, asked: new Int32Array(), scratch: new Int32Array(), bias },
      new Float64Array(2),
    ).toFixed(6)
  for (const [margin, probability] of [
    [-9, 0.1],
    [-1, 0.1],
    [-0.5, 0.15],
    [0, 0.2],
    [1, 0.5],
    [2, 0.8],
    [9, 0.8],
  ] as const)
    assert.equal(of(margin), probability.toFixed(6))
  const flat = { ...scorer, x: Float64Array.of(0), y: Float64Array.of(0.3) }
  for (const bias of [-1, 0, 1])
    assert.equal(
      scoreOf({ ...flat, asked: new Int32Array(), scratch: new Int32Array(), bias }, new Float64Array(2)),
      0.3,
    )
})

test('a bucket is how many edges were reached', () => {
  const edges = Float64Array.of(0.1, 0.2, 0.2, 0.9)
  assert.deepEqual(
    [0, 0.1, 0.15, 0.2, 0.9, 1].map((p) => crossed(p, edges)),
    [0, 1, 1, 3, 4, 4],
  )
})

test('interpolates a table between the centres of two buckets, and reads it as is beyond them', () => {
  const row = [9, 9, 0.1, 0.3, 0.7, 9]
  const at = (probability: number) => acrossBuckets(row, 2, probability, [0.1, 0.2, 0.6])
  const read = [0, 0.1, 0.15, 0.2, 0.4, 0.6, 1].map((p) => Number(at(p).toFixed(6)))
  assert.deepEqual(read, [0.1, 0.1, 0.2, 0.3, 0.5, 0.7, 0.7])
  assert.equal(acrossBuckets(row, 2, 0.4, [0.3]), 0.1)
})
