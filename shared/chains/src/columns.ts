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
