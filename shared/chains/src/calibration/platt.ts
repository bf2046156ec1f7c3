import { logistic } from '../logistic.js'
import { fitLogistic } from '../regression.js'
import type { Calibration } from './calibration.js'

/** probability = logistic(intercept + slope × score). */
export interface Platt {
  readonly slope: number
  readonly intercept: number
}

/**
 * A logistic curve through the scores, towards targets that are a little off 0 and 1 so that neither is ever said. Source: Platt,
 * Probabilistic outputs for support vector machines (1999).
 *
 * @throws RangeError where there are no samples or lengths differ
 */
export function fitPlatt(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Platt {
  let positive = 0
  let negative = 0
  for (let i = 0; i < labels.length; i++) {
    positive += (weights?.[i] ?? 1) * (labels[i] ?? 0)
    negative += (weights?.[i] ?? 1) * (1 - (labels[i] ?? 0))
  }
  const high = (positive + 1) / (positive + 2)
  const low = 1 / (negative + 2)
  const targets = Float64Array.from(labels, (label) => low + label * (high - low))
  const features = [Float64Array.from(scores)]
  const model = fitLogistic({ features, labels: targets, ...(weights && { weights }) }, 0)
  return { slope: model.weights[0] ?? 0, intercept: model.bias }
}

/** The curve as points from score `low` to score `high`: what a scorer's calibration holds. */
export function tabulatePlatt(
  { slope, intercept }: Platt,
  low: number,
  high: number,
  points = 64,
): Calibration {
  const x = Array.from({ length: points }, (_, i) => low + ((high - low) * i) / (points - 1))
  return { x, y: x.map((score) => logistic(intercept + slope * score)) }
}
