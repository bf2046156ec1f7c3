import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketCentres, bucketEdges, seededRandom } from '../index.js'

/** ln of the likelihood of labels at the rate of their bucket. */
function likelihoodOf(probabilities: number[], labels: number[], edges: readonly number[]): number {
  const buckets = new Map<number, number[]>()
  for (const [i, p] of probabilities.entries()) {
    const bucket = edges.filter((edge) => p >= edge).length
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), labels[i] ?? 0])
  }
  let sum = 0
  for (const members of buckets.values()) {
    const rate = members.reduce((a, b) => a + b, 0) / members.length
    for (const label of members) sum += Math.log(label === 1 ? rate : 1 - rate)
  }
  return sum
}

test('no other split of the same size explains more', () => {
  for (let seed = 1; seed <= 15; seed++) {
    const random = seededRandom(seed)
    const probabilities = Array.from({ length: 60 }, () => Math.floor(random() * 9) / 9)
    const labels = probabilities.map((p) => (random() < 0.05 + 0.9 * p * p ? 1 : 0))
    const edges = bucketEdges(probabilities, labels, 3, undefined, { minShare: 0 })
    const found = likelihoodOf(probabilities, labels, edges)
    const cuts = Array.from({ length: 10 }, (_, i) => (i - 0.5) / 9)
    const best = Math.max(
      ...cuts.flatMap((a) => cuts.map((b) => likelihoodOf(probabilities, labels, [a, b]))),
    )
    assert.ok(Math.abs(found - best) < 1e-9, `seed ${seed}: ${found}, ${best}`)
  }
})

test('finds steps in the true rate among many samples, in the sparse tail too', () => {
  const random = seededRandom(1)
  const truth = (p: number) => (p < 0.9 ? 0.02 : p < 0.97 ? 0.3 : 0.8)
  const probabilities = Float64Array.from({ length: 50_000 }, random)
  const labels = Uint8Array.from(probabilities, (p) => (random() < truth(p) ? 1 : 0))
  const [a = 0, b = 0] = bucketEdges(probabilities, labels, 3)
  assert.ok(Math.abs(a - 0.9) < 0.006 && Math.abs(b - 0.97) < 0.006, `${a} ${b}`)
})

test('edges ascend, each bucket holds its share, and none is missing', () => {
  const random = seededRandom(3)
  const probabilities = Array.from({ length: 2_000 }, () => random() ** 3)
  const labels = probabilities.map((p) => (random() < p ? 1 : 0))
  const edges = bucketEdges(probabilities, labels, 8, undefined, { minShare: 0.05 })
  assert.equal(edges.length, 7)
  assert.ok(edges.every((edge, i) => i === 0 || edge >= (edges[i - 1] ?? 1)))
  const bounds = [0, ...edges.filter((edge) => edge < 1), 1]
  for (const [i, low] of bounds.slice(0, -1).entries())
    assert.ok(probabilities.filter((p) => p >= low && p < (bounds[i + 1] ?? 0)).length >= 100)
})

test('samples that cannot be split have edges at 1', () => {
  assert.deepEqual(bucketEdges([0.3, 0.3], [0, 1], 4), [1, 1, 1])
  assert.deepEqual(bucketEdges([0.2, 0.4], [0, 1], 3), [(0.2 + 0.4) / 2, 1])
  assert.deepEqual(bucketEdges([0.2], [1], 1), [])
})

test('refuses invalid samples and options', () => {
  assert.throws(() => bucketEdges([], [], 2), RangeError)
  assert.throws(() => bucketEdges([1], [1], 0), RangeError)
  assert.throws(() => bucketEdges([1], [1], 2, [1], { minShare: 2 }), RangeError)
})

test('a centre is the weighted mean of its bucket; empty buckets have none', () => {
  const probabilities = [0.1, 0.2, 0.3, 0.5, 0.9]
  const centres = bucketCentres(probabilities, [0.3, 0.6, 1], [3, 1, 1, 1, 2]).map((p) =>
    Number(p.toFixed(6)),
  )
  assert.deepEqual(centres, [0.125, 0.4, 0.9])
  assert.throws(() => bucketCentres([], [0.5]), RangeError)
})
