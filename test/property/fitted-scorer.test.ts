import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitIsotonic, fitTrees, marginsOf, seededRandom } from '@plimsoll/chains'
import { scorerSchema } from '@plimsoll/contracts'

/** chains and contracts do not import each other: what chains fits must pass the schema of contracts, at the extremes of both too. */
test('fitted trees and calibrations pass the schema of a scorer in a bundle', () => {
  for (const [rows, depth, points] of [
    [1, 1, 3],
    [40, 7, 64],
    [3_000, 7, 256],
  ] as const) {
    const random = seededRandom(rows)
    const features = Array.from({ length: 5 }, () => Float64Array.from({ length: rows }, random))
    const labels = Float64Array.from({ length: rows }, (_, i) => (random() < (features[0]?.[i] ?? 0) ? 1 : 0))
    const model = fitTrees(
      { features, labels },
      { trees: 20, depth, learningRate: 0.3, minLeaf: 1, lambda: 1e-6, bins: 64, seed: 1 },
    )
    const margins = marginsOf(model, features, rows)
    const names = features.map((_, f) => `feature ${f}`)
    const calibration = fitIsotonic(margins, labels, undefined, { points })
    const scorer = { features: names, ...model, calibration }
    assert.deepEqual(scorerSchema.parse(JSON.parse(JSON.stringify(scorer))), scorer)
  }
})
