import { logistic, seededRandom } from '@plimsoll/chains'

/** A row of a fit: which features it has (each 1, or its `values`), what it is, and how much it counts. */
export interface Row {
  readonly features: ArrayLike<number>
  readonly values?: ArrayLike<number>
  readonly positive: boolean
  readonly weight: number
}

export interface LogisticOptions {
  readonly featureCount: number
  readonly passes: number
  /** Strength of the pull towards zero, by feature; in units of rows. */
  readonly ridge: (feature: number) => number
  readonly seed: number
  /** How far a pass goes, before AdaGrad divides it; half as far, a third … where it is left out. */
  readonly rate?: (pass: number) => number
}

export interface Logistic {
  readonly bias: number
  readonly weights: Float64Array
}

/**
 * Logistic regression with a ridge, by AdaGrad over the rows in a shuffled order. Deterministic: the same rows, options and seed give
 * the same weights.
 */
export function fitLogistic(rows: readonly Row[], options: LogisticOptions): Logistic {
  const { featureCount, passes, ridge, seed, rate: rateOf = slowing } = options
  const weights = new Float64Array(featureCount)
  const squares = new Float64Array(featureCount).fill(1)
  const pull = Float64Array.from(
    { length: featureCount },
    (_, feature) => ridge(feature) / Math.max(1, rows.length),
  )
  const order = Int32Array.from(rows.keys())
  const chance = seededRandom(seed)
  let bias = 0
  let biasSquares = 1
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, chance)
    const rate = rateOf(pass)
    for (const index of order) {
      const row = rows[index]
      if (row === undefined) continue
      const { features, values } = row
      let odds = bias
      for (let k = 0; k < features.length; k++) odds += (weights[features[k] ?? 0] ?? 0) * (values?.[k] ?? 1)
      const error = (logistic(odds) - (row.positive ? 1 : 0)) * row.weight
      biasSquares += error * error
      bias -= (rate * error) / Math.sqrt(biasSquares)
      for (let k = 0; k < features.length; k++) {
        const f = features[k] ?? 0
        const weight = weights[f] ?? 0
        const gradient = error * (values?.[k] ?? 1) + (pull[f] ?? 0) * weight
        const square = (squares[f] ?? 1) + gradient * gradient
        squares[f] = square
        weights[f] = weight - (rate * gradient) / Math.sqrt(square)
      }
    }
  }
  return { bias, weights }
}

const slowing = (pass: number): number => 0.5 / (1 + pass)

function shuffle(order: Int32Array, chance: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(chance() * (i + 1))
    const kept = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = kept
  }
}
