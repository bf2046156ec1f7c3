import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TreeOptions, fitTrees, marginsOf, seededRandom } from '../index.js'
import { logistic } from './tree.js'

interface Problem {
  readonly features: readonly Float64Array[]
  readonly labels: readonly number[]
  readonly weights: readonly number[]
}

/** Boosting by the definition: every cut of every feature at every node, its sums taken afresh. Shares no code with `fitTrees`. */
function naiveMargins({ features, labels, weights }: Problem, options: TreeOptions): number[] {
  const { lambda, learningRate, minLeaf } = options
  const total = weights.reduce((a, b) => a + b, 0)
  const positive = weights.reduce((sum, weight, i) => sum + weight * (labels[i] ?? 0), 0)
  const margins = labels.map(() => Math.log((positive + 0.5) / (total - positive + 0.5)))
  for (let t = 0; t < options.trees; t++) {
    const p = margins.map(logistic)
    const sums = (rows: readonly number[]) => ({
      g: rows.reduce((sum, i) => sum + (weights[i] ?? 0) * ((p[i] ?? 0) - (labels[i] ?? 0)), 0),
      h: rows.reduce((sum, i) => sum + (weights[i] ?? 0) * (p[i] ?? 0) * (1 - (p[i] ?? 0)), 0),
    })
    const quality = (rows: readonly number[]) => sums(rows).g ** 2 / (sums(rows).h + lambda)
    const grow = (rows: readonly number[], depth: number): void => {
      let best = { gain: 1e-9, parts: [] as number[][] }
      for (const column of depth > 0 ? features : [])
        for (const cut of new Set(rows.map((i) => column[i] ?? 0))) {
          const left = rows.filter((i) => (column[i] ?? 0) < cut)
          const right = rows.filter((i) => (column[i] ?? 0) >= cut)
          if (left.length < minLeaf || right.length < minLeaf) continue
          const gain = quality(left) + quality(right) - quality(rows)
          if (gain > best.gain + 1e-9) best = { gain, parts: [left, right] }
        }
      for (const part of best.parts) grow(part, depth - 1)
      if (best.parts.length > 0) return
      const { g, h } = sums(rows)
      for (const i of rows) margins[i] = (margins[i] ?? 0) - (learningRate * g) / (h + lambda)
    }
    grow(
      labels.map((_, i) => i),
      options.depth,
    )
  }
  return margins
}

function drawProblem(seed: number): Problem {
  const random = seededRandom(seed)
  const n = 150
  const features = Array.from({ length: 4 }, (_, f) =>
    Float64Array.from({ length: n }, () => Math.floor(random() * (f === 0 ? 2 : 60)) / 7),
  )
  const labels = Array.from({ length: n }, (_, i) =>
    random() < logistic((features[1]?.[i] ?? 0) - 4 + 3 * (features[0]?.[i] ?? 0)) ? 1 : 0,
  )
  // Weights that are all different: of two partings hardly ever one gains as much as the other.
  return { features, labels, weights: labels.map(() => 0.5 + random()) }
}

test('trees grown on histograms equal the definition if every value has its own bin', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const problem = drawProblem(seed)
    const options = {
      trees: 8,
      depth: 1 + (seed % 4),
      learningRate: 0.3,
      minLeaf: 1 + (seed % 9),
      lambda: 0.5,
      bins: 64,
      seed: 1,
    }
    const expected = naiveMargins(problem, options)
    const margins = marginsOf(fitTrees(problem, options), problem.features, 150)
    for (const [i, margin] of margins.entries())
      assert.ok(
        Math.abs(margin - (expected[i] ?? 0)) < 1e-4,
        `seed ${seed}, row ${i}: ${margin}, ${expected[i]}`,
      )
  }
})
