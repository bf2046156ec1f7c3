import { CholeskyDecomposition, Matrix } from 'ml-matrix'

/** N × F numbers by column: columns[feature][row]. */
export type Columns = readonly (Float32Array | Float64Array)[]

/** What a model is fitted on. N = number of rows, F = number of features. */
export interface Samples {
  /** F columns of N values. */
  readonly features: Columns
  /** N values from 0 to 1: whether it came true. */
  readonly labels: ArrayLike<number>
  /** N values from 0; 1 each where they are missing. */
  readonly weights?: ArrayLike<number>
}

/**
 * The weights, given or 1 each.
 *
 * @throws RangeError where columns, labels and weights differ in length, there is no row, a label is not from 0 to 1, or a weight is no
 *   finite number from 0
 */
export function checkedWeights({ features, labels, weights }: Samples): Float64Array {
  const n = labels.length
  if (n === 0) throw new RangeError('expected samples')
  if (features.some(({ length }) => length !== n) || (weights && weights.length !== n))
    throw new RangeError(`expected ${n} values in each column`)
  const checked = new Float64Array(n).fill(1)
  for (let i = 0; i < n; i++) {
    const label = labels[i] ?? -1
    if (!(label >= 0 && label <= 1)) throw new RangeError('expected labels from 0 to 1')
    if (!weights) continue
    const weight = weights[i] ?? -1
    if (!(weight >= 0 && weight < Infinity)) throw new RangeError('expected weights from 0')
    checked[i] = weight
  }
  return checked
}

/** The probability that a margin (log-odds) stands for. */
export const logistic = (margin: number): number => 1 / (1 + Math.exp(-margin))

/** The log-odds of a probability above 0 and below 1. */
export const logit = (probability: number): number => Math.log(probability / (1 - probability))

/** bias + Σ weight × feature is a margin: the log-odds of the label. */
export interface LogisticModel {
  readonly bias: number
  /** F values, in the features' own units. */
  readonly weights: number[]
}

const ROUNDS_MAX = 100
const TOLERANCE = 1e-10

/**
 * Logistic regression, penalised by λ/2 × Σ (weight × the feature's deviation)²: Newton steps over standardised features, halved where the
 * loss would rise. The bias is not penalised. A feature that never varies weighs 0.
 *
 * @throws RangeError where λ is below 0, lengths differ, a feature is no finite number or there are no samples
 */
export function fitLogistic(samples: Samples, lambda: number): LogisticModel {
  if (!(lambda >= 0 && lambda < Infinity)) throw new RangeError('expected lambda from 0')
  const weights = checkedWeights(samples)
  const columns = samples.features.map((column) => standardise(column, weights))
  const problem: Problem = {
    columns: columns.map(({ values }) => values),
    labels: samples.labels,
    weights,
    lambda,
  }
  const scaled = descend(problem)
  const own = columns.map(({ deviation }, f) => (scaled[f + 1] ?? 0) / deviation)
  const bias = columns.reduce((rest, { mean }, f) => rest - mean * (own[f] ?? 0), scaled[0] ?? 0)
  return { bias, weights: own }
}

/** The margin (log-odds) of each row, N values. */
export function logisticMargins(
  { bias, weights }: LogisticModel,
  features: Columns,
  n: number,
): Float64Array {
  const margins = new Float64Array(n).fill(bias)
  for (const [f, weight] of weights.entries())
    for (let i = 0; i < n; i++) margins[i] = (margins[i] ?? 0) + weight * (features[f]?.[i] ?? 0)
  return margins
}

interface Problem {
  readonly columns: readonly Float64Array[]
  readonly labels: ArrayLike<number>
  readonly weights: Float64Array
  readonly lambda: number
}

interface Standardised {
  readonly values: Float64Array
  readonly mean: number
  readonly deviation: number
}

function standardise(column: Float32Array | Float64Array, weights: Float64Array): Standardised {
  let total = 0
  let mean = 0
  let squares = 0
  for (const [i, weight] of weights.entries()) {
    if (weight === 0) continue
    total += weight
    const off = (column[i] ?? 0) - mean
    mean += (weight / total) * off
    squares += weight * off * ((column[i] ?? 0) - mean)
  }
  if (!Number.isFinite(squares)) throw new RangeError('expected finite features')
  const deviation = Math.sqrt(squares / total) || 1
  return { values: Float64Array.from(column, (value) => (value - mean) / deviation), mean, deviation }
}

/** Coefficients, the bias first. Starts at the base rate, with the prior of Jeffreys. */
function descend(problem: Problem): number[] {
  const { labels, weights, columns } = problem
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const positive = weights.reduce((sum, weight, i) => sum + weight * (labels[i] ?? 0), 0)
  let at = [logit((positive + 0.5) / (total + 1)), ...columns.map(() => 0)]
  let loss = lossOf(problem, at)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const step = newtonStep(problem, at)
    let next = at.map((value, k) => value - (step[k] ?? 0))
    let nextLoss = lossOf(problem, next)
    for (let share = 0.5; nextLoss > loss && share > TOLERANCE; share /= 2) {
      next = at.map((value, k) => value - share * (step[k] ?? 0))
      nextLoss = lossOf(problem, next)
    }
    if (!(loss - nextLoss > TOLERANCE * (1 + Math.abs(loss)))) break
    ;[at, loss] = [next, nextLoss]
  }
  return at
}

function margin({ columns }: Problem, at: readonly number[], i: number): number {
  let sum = at[0] ?? 0
  for (let f = 0; f < columns.length; f++) sum += (at[f + 1] ?? 0) * (columns[f]?.[i] ?? 0)
  return sum
}

function lossOf(problem: Problem, at: readonly number[]): number {
  const { labels, weights, lambda } = problem
  let loss = 0
  for (const [k, value] of at.entries()) if (k > 0) loss += (lambda / 2) * value * value
  for (const [i, weight] of weights.entries()) {
    const m = margin(problem, at, i)
    // log(1 + eᵐ) − y m, without overflow.
    loss += weight * (Math.max(m, 0) + Math.log1p(Math.exp(-Math.abs(m))) - (labels[i] ?? 0) * m)
  }
  return loss
}

/** A little ridge on all coefficients keeps the system solvable where classes part perfectly or columns repeat. */
const RIDGE = 1e-9

function newtonStep(problem: Problem, at: readonly number[]): number[] {
  const { columns, labels, weights, lambda } = problem
  const size = at.length
  const hessian = Matrix.zeros(size, size)
  const gradient = at.map((value, k) => (k > 0 ? lambda * value : 0))
  const x = new Float64Array(size).fill(1)
  for (const [i, weight] of weights.entries()) {
    for (let f = 0; f < columns.length; f++) x[f + 1] = columns[f]?.[i] ?? 0
    const p = logistic(margin(problem, at, i))
    addOuter(hessian, gradient, x, weight * (p - (labels[i] ?? 0)), weight * p * (1 - p))
  }
  for (let k = 0; k < size; k++) {
    const penalty = (k > 0 ? lambda : 0) + RIDGE * (1 + hessian.get(k, k))
    hessian.set(k, k, hessian.get(k, k) + penalty)
    for (let l = 0; l < k; l++) hessian.set(l, k, hessian.get(k, l))
  }
  return new CholeskyDecomposition(hessian).solve(Matrix.columnVector(gradient)).to1DArray()
}

/** Adds slope × x to the gradient and curvature × x xᵀ to the lower half of the Hessian. */
function addOuter(
  hessian: Matrix,
  gradient: number[],
  x: Float64Array,
  slope: number,
  curvature: number,
): void {
  for (let k = 0; k < x.length; k++) {
    const value = x[k] ?? 0
    gradient[k] = (gradient[k] ?? 0) + slope * value
    for (let l = 0; l <= k; l++) hessian.set(k, l, hessian.get(k, l) + curvature * value * (x[l] ?? 0))
  }
}
