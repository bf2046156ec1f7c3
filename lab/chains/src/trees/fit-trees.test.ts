import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TreeOptions, areaUnderCurve, fitTrees, marginsOf, seededRandom } from '../index.js'
import { logistic } from './tree.js'

const OPTIONS: TreeOptions = {
  trees: 60,
  depth: 3,
  learningRate: 0.2,
  minLeaf: 5,
  lambda: 1,
  bins: 64,
  seed: 1,
}

/** N rows of F values in [0, 1), with labels drawn from the probability of their row. */
function drawSamples(n: number, f: number, probability: (row: readonly number[]) => number, seed = 7) {
  const random = seededRandom(seed)
  const features = Array.from({ length: f }, () => Float64Array.from({ length: n }, random))
  const labels = Uint8Array.from({ length: n }, (_, i) =>
    random() < probability(features.map((column) => column[i] ?? 0)) ? 1 : 0,
  )
  return { features, labels }
}

const xor = ([a = 0, b = 0]: readonly number[]) => (a > 0.5 !== b > 0.3 ? 0.95 : 0.05)

test('learns two features that only matter together', () => {
  const samples = drawSamples(4_000, 4, xor)
  const model = fitTrees(samples, OPTIONS)
  const fresh = drawSamples(4_000, 4, xor, 8)
  const margins = marginsOf(model, fresh.features, 4_000)
  const right = margins.filter((margin, i) => margin > 0 === (fresh.labels[i] === 1)).length
  assert.ok(right > 0.93 * 4_000, `${right} of 4000`)
})

test('fits probabilities that rise smoothly', () => {
  const truth = ([a = 0]: readonly number[]) => 0.1 + 0.8 * a * a
  const model = fitTrees(drawSamples(40_000, 2, truth), { ...OPTIONS, depth: 2 })
  const grid = [0.05, 0.2, 0.4, 0.6, 0.8, 0.95]
  const features = [Float64Array.from(grid), Float64Array.from(grid, () => 0.5)]
  for (const [i, margin] of marginsOf(model, features, grid.length).entries())
    assert.ok(Math.abs(logistic(margin) - truth([grid[i] ?? 0])) < 0.05, `at ${grid[i]}: ${logistic(margin)}`)
})

test('one stump is the Newton step that the textbook gives', () => {
  const features = [Float64Array.of(0, 0, 0, 1, 1, 1, 1, 1)]
  const labels = [0, 0, 1, 1, 1, 0, 1, 1]
  const { bias, trees } = fitTrees(
    { features, labels },
    { ...OPTIONS, trees: 1, depth: 1, minLeaf: 1, learningRate: 1, lambda: 2 },
  )
  const p = logistic(bias)
  const step = (positive: number, n: number) => (positive - n * p) / (n * p * (1 - p) + 2)
  assert.ok(Math.abs(p - 5.5 / 9) < 1e-7)
  assert.deepEqual(trees[0]?.feature, [0, -1, -1])
  assert.deepEqual(trees[0]?.threshold, [0.5, 0, 0])
  assert.deepEqual(trees[0]?.left, [1, 0, 0])
  assert.deepEqual(trees[0]?.right, [2, 0, 0])
  const [, left = 0, right = 0] = trees[0]?.value ?? []
  assert.ok(Math.abs(left - step(1, 3)) < 1e-5 && Math.abs(right - step(4, 5)) < 1e-5)
})

test('a feature declared as raising the margin never lowers it', () => {
  // The truth dips in the middle, so that a free fit would fall there.
  const samples = drawSamples(6_000, 3, ([a = 0, b = 0]) => (a > 0.4 && a < 0.7 ? 0.1 : 0.2 + 0.6 * a * b))
  const grid = Float64Array.from({ length: 200 }, (_, i) => i / 200)
  const falls = (monotone: number[], direction: number) => {
    const model = fitTrees(samples, { ...OPTIONS, depth: 4, monotone })
    return [0.1, 0.5, 0.9].some((other) => {
      const rest = grid.map(() => other)
      const margins = marginsOf(model, [grid, rest, rest], grid.length)
      return margins.some((margin, i) => i > 0 && direction * (margin - (margins[i - 1] ?? margin)) < -1e-9)
    })
  }
  assert.equal(falls([0, 0, 0], 1), true, 'the free fit falls, else this test says nothing')
  assert.equal(falls([1, 0, 0], 1), false)
  assert.equal(falls([1, -1, 1], 1), false)
  assert.equal(falls([-1, 0, 0], -1), false)
})

test('a row of whole weight equals that many copies', () => {
  const { features, labels } = drawSamples(500, 3, xor)
  const weights = labels.map((_, i) => i % 3)
  const rows = Array.from(weights).flatMap((weight, i) => Array.from({ length: weight }, () => i))
  const repeated = features.map((column) => Float64Array.from(rows, (i) => column[i] ?? 0))
  const options = { ...OPTIONS, minLeaf: 1, trees: 10, bins: 8 }
  // Bins are cut by rows: with few values both have the same.
  const coarse = (columns: Float64Array[]) => columns.map((column) => column.map((v) => Math.floor(v * 8)))
  const a = fitTrees({ features: coarse(features), labels, weights }, options)
  const b = fitTrees({ features: coarse(repeated), labels: rows.map((i) => labels[i] ?? 0) }, options)
  const at = coarse(features)
  const [left, right] = [marginsOf(a, at, 500), marginsOf(b, at, 500)]
  assert.ok(left.every((margin, i) => Math.abs(margin - (right[i] ?? 0)) < 1e-4))
})

test('the same seed gives the same bytes, another seed another model', () => {
  const samples = drawSamples(2_000, 5, xor)
  const text = (seed: number) => JSON.stringify(fitTrees(samples, { ...OPTIONS, subsample: 0.7, seed }))
  assert.equal(text(3), text(3))
  assert.notEqual(text(3), text(4))
})

test('with a share of the features each tree uses some of them, all trees together more', () => {
  const samples = drawSamples(2_000, 8, (row) => 0.2 + 0.3 * (row[0] ?? 0) + 0.3 * (row[1] ?? 0))
  const asked = (featureShare: number) =>
    fitTrees(samples, { ...OPTIONS, trees: 40, featureShare, seed: 5 }).trees.map(
      ({ feature }) => new Set(feature.filter((f) => f >= 0)),
    )
  const means = [1, 0.25].map((share) => {
    const sizes = asked(share).map(({ size }) => size)
    return sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  })
  assert.ok((means[1] ?? 0) < (means[0] ?? 0) - 1, String(means))
  assert.equal(new Set(asked(0.25).flatMap((own) => [...own])).size, 8)
  assert.deepEqual(asked(0.25), asked(0.25))
})

test('trees are flat arrays with children after their parents, and leaves hold the minimum of rows', () => {
  const samples = drawSamples(3_000, 3, xor)
  const { trees } = fitTrees(samples, { ...OPTIONS, depth: 7, minLeaf: 40, trees: 5 })
  for (const tree of trees) {
    assert.ok(tree.feature.length <= 255)
    const held = tree.feature.map(() => 0)
    for (let row = 0; row < 3_000; row++) {
      let at = 0
      while ((tree.feature[at] ?? -1) >= 0) {
        const value = samples.features[tree.feature[at] ?? 0]?.[row] ?? 0
        at = (value < (tree.threshold[at] ?? 0) ? tree.left[at] : tree.right[at]) ?? 0
      }
      held[at] = (held[at] ?? 0) + 1
    }
    for (const [at, feature] of tree.feature.entries()) {
      if (feature < 0) assert.ok((held[at] ?? 0) >= 40)
      else assert.ok((tree.left[at] ?? 0) > at && (tree.right[at] ?? 0) > at)
    }
  }
})

test('NaN goes right, in fitting and in use', () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? Number.NaN : i % 3))
  const labels = Uint8Array.from(values, (value) => (Number.isNaN(value) ? 1 : 0))
  const model = fitTrees({ features: [values], labels }, OPTIONS)
  // 2 shares the last bin with what is no number: nothing can part them.
  const [, known = 0, last = 0, none = 0] = marginsOf(model, [Float64Array.of(0, 1, 2, Number.NaN)], 4)
  assert.ok(known < -2, `${known}`)
  assert.equal(last, none)
  assert.ok(Math.abs(none) < 0.3, `${none}`)
})

test('equal labels, constant features and single rows give a finite model', () => {
  for (const labels of [[0, 0, 0], [1, 1, 1], [1]]) {
    const features = [new Float64Array(labels.length), new Float32Array(labels.length).fill(3)]
    const [margin = Number.NaN] = marginsOf(fitTrees({ features, labels }, OPTIONS), features, 1)
    assert.ok(Number.isFinite(margin) && margin < 0 === (labels[0] === 0))
  }
})

test('refuses invalid samples and options', () => {
  const samples = drawSamples(10, 2, xor)
  for (const wrong of [
    { trees: 0 },
    { trees: 513 },
    { depth: 8 },
    { learningRate: 0 },
    { minLeaf: 0 },
    { lambda: 0 },
    { bins: 65 },
    { subsample: 1.5 },
    { featureShare: 0 },
    { monotone: [1] },
    { monotone: [2, 0] },
  ])
    assert.throws(() => fitTrees(samples, { ...OPTIONS, ...wrong }), RangeError, JSON.stringify(wrong))
  for (const wrong of [
    { labels: [1] },
    { labels: [], features: [] },
    { labels: samples.labels.map(() => 2) },
    { weights: [1] },
    { weights: Array.from({ length: 10 }, () => -1) },
    { features: [new Float64Array(10).fill(Infinity)] },
  ])
    assert.throws(() => fitTrees({ ...samples, ...wrong }, OPTIONS), RangeError, JSON.stringify(wrong))
})

test('learns little from noise', () => {
  const flat = () => 0.3
  const model = fitTrees(drawSamples(20_000, 5, flat), { ...OPTIONS, trees: 20, minLeaf: 500 })
  const fresh = drawSamples(20_000, 5, flat, 9)
  const auc = areaUnderCurve(marginsOf(model, fresh.features, 20_000), fresh.labels)
  assert.ok(Math.abs(auc - 0.5) < 0.02, `${auc}`)
})
