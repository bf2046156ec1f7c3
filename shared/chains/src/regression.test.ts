import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitLogistic, fitPlatt, logistic, logisticMargins, seededRandom, tabulatePlatt } from './index.js'

function drawSamples(n: number, bias: number, weights: readonly number[]) {
  const random = seededRandom(4)
  const features = weights.map((_, f) => Float64Array.from({ length: n }, () => (random() - 0.3) * 10 ** f))
  const labels = Uint8Array.from({ length: n }, (_, i) => {
    const margin = weights.reduce((sum, weight, f) => sum + weight * (features[f]?.[i] ?? 0), bias)
    return random() < logistic(margin) ? 1 : 0
  })
  return { features, labels }
}

test('the weights that made the labels are found, in the units of the features', () => {
  const truth = [2, -0.15, 0.02]
  const { bias, weights } = fitLogistic(drawSamples(60_000, -1, truth), 0)
  assert.ok(Math.abs(bias + 1) < 0.06, `${bias}`)
  for (const [f, weight] of weights.entries())
    assert.ok(Math.abs(weight / (truth[f] ?? 0) - 1) < 0.06, `weight ${f}: ${weight}`)
})

test('at the optimum the gradient of the penalised loss is 0', () => {
  const lambda = 3
  const { features, labels } = drawSamples(800, 0.5, [1, 0.2])
  const sampleWeights = labels.map((_, i) => 1 + (i % 3))
  const model = fitLogistic({ features, labels, weights: sampleWeights }, lambda)
  const residuals = logisticMargins(model, features, 800).map(
    (margin, i) => (sampleWeights[i] ?? 0) * (logistic(margin) - (labels[i] ?? 0)),
  )
  const total = sampleWeights.reduce((a, b) => a + b, 0)
  assert.ok(Math.abs(residuals.reduce((a, b) => a + b, 0)) < 1e-3)
  for (const [f, column] of features.entries()) {
    const mean = column.reduce((sum, x, i) => sum + x * (sampleWeights[i] ?? 0), 0) / total
    const variance = column.reduce((sum, x, i) => sum + (x - mean) ** 2 * (sampleWeights[i] ?? 0), 0) / total
    const slope = column.reduce((sum, x, i) => sum + x * (residuals[i] ?? 0), 0)
    assert.ok(Math.abs(slope + lambda * (model.weights[f] ?? 0) * variance) < 1e-3 * Math.sqrt(variance))
  }
})

test('classes that part perfectly, copies and features that never vary are survived', () => {
  const x = Float64Array.of(0, 1, 2, 3)
  const constant = new Float64Array(4).fill(7)
  const { bias, weights } = fitLogistic({ features: [x, x, constant], labels: [0, 0, 1, 1] }, 0.01)
  assert.ok([bias, ...weights].every(Number.isFinite))
  assert.ok((weights[0] ?? 0) > 0 && Math.abs((weights[0] ?? 0) - (weights[1] ?? 1)) < 1e-6)
  assert.equal(weights[2], 0)
})

test('what cannot be fitted is refused', () => {
  const samples = drawSamples(10, 0, [1])
  assert.throws(() => fitLogistic(samples, -1), RangeError)
  assert.throws(() => fitLogistic({ features: [], labels: [] }, 1), RangeError)
  assert.throws(
    () => fitLogistic({ ...samples, features: [new Float64Array(10).fill(Infinity)] }, 1),
    RangeError,
  )
})

test('the curve of Platt is found again, and is never sure', () => {
  const { features, labels } = drawSamples(40_000, -0.7, [1.8])
  const { slope, intercept } = fitPlatt(features[0] ?? [], labels)
  assert.ok(Math.abs(slope - 1.8) < 0.1 && Math.abs(intercept + 0.7) < 0.06, `${slope} ${intercept}`)
  const sure = fitPlatt([0, 1, 2, 3], [0, 0, 1, 1])
  const { x, y } = tabulatePlatt(sure, 0, 3, 16)
  assert.deepEqual([x[0], x[15], x.length], [0, 3, 16])
  assert.ok(y.every((value, i) => value > 0.05 && value < 0.95 && (i === 0 || value > (y[i - 1] ?? 1))))
})

test('Platt with two scores meets the smoothed shares', () => {
  // Six of eight at 1, one of four at 0: N+ = 7, N- = 5.
  const scores = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
  const labels = [1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0]
  const { slope, intercept } = fitPlatt(scores, labels)
  const [high, low] = [8 / 9, 1 / 7]
  assert.ok(Math.abs(logistic(intercept) - (high + 3 * low) / 4) < 1e-5)
  assert.ok(Math.abs(logistic(intercept + slope) - (6 * high + 2 * low) / 8) < 1e-5)
})
