import { fitLogistic, logistic } from '../regression.js'

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

/** From score to probability: piecewise linear through the points (x[i], y[i]), x ascending, flat outside them. */
export interface Calibration {
  x: number[]
  y: number[]
}

/** The probability of a score. */
export function calibrated({ x, y }: Calibration, score: number): number {
  let low = 0
  let high = x.length - 1
  if (score <= (x[low] ?? 0)) return y[low] ?? 0
  if (score >= (x[high] ?? 0)) return y[high] ?? 0
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (score < (x[middle] ?? 0)) high = middle
    else low = middle
  }
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [x[low], x[high], y[low], y[high]]
  return y0 + ((y1 - y0) * (score - x0)) / (x1 - x0)
}

/**
 * A map from the scale of one model's scores to that of another's: what is as high among `from` as a value is among `to` becomes that value,
 * equal scores as one. Never decreasing; outside of `from` as at its ends. Both are scores of the same n rows, in any order.
 *
 * @throws RangeError where they are none, or not equally many
 */
export function matchQuantiles(from: Float64Array, to: Float64Array): (score: number) => number {
  const n = from.length
  if (n === 0 || to.length !== n) throw new RangeError(`expected as many scores, not ${n} and ${to.length}`)
  const [low, high] = [from.toSorted(), to.toSorted()]
  const x: number[] = []
  const y: number[] = []
  for (let first = 0, next = 0; first < n; first = next) {
    while (next < n && low[next] === low[first]) next++
    x.push(low[first] ?? 0)
    // The middle of the equal ones: where many rows share a score, they come upon what most of them score there.
    y.push(high[Math.floor((first + next - 1) / 2)] ?? 0)
  }
  return (score) => calibrated({ x, y }, score)
}
