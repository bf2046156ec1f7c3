/** N × F numbers by column: columns[feature][row]. */
export type Columns = readonly (Float32Array | Float64Array)[]

/** What a model is fitted on. N = number of rows, F = number of features. */
export interface Samples {
  /** F columns of N values. */
  readonly features: Columns
  /** N values from 0 to 1. */
  readonly labels: ArrayLike<number>
  /** N values from 0; 1 each by default. */
  readonly weights?: ArrayLike<number>
}

/**
 * The checked weights, 1 each by default.
 *
 * @throws RangeError if columns, labels and weights differ in length, there is no row, a label is not from 0 to 1, or a weight is not a
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

/**
 * One regression tree as flat arrays of nodes; node 0 is the root. A node whose `feature` is -1 is a leaf that gives `value`; any other
 * goes `left` if the feature is below `threshold`, else `right` (NaN too). Children come after their parents.
 */
export interface Tree {
  feature: number[]
  threshold: number[]
  left: number[]
  right: number[]
  value: number[]
}

/** bias + the value of each tree is a margin: the log-odds of the label. */
export interface TreeModel {
  bias: number
  trees: Tree[]
}

/** How trees are grown. */
export interface TreeOptions {
  /** How many, 1…512. */
  readonly trees: number
  /** Splits from the root to a leaf at most, 1…7. */
  readonly depth: number
  /** Shrinkage of each tree, above 0 to 1. */
  readonly learningRate: number
  /** Rows (of those drawn for the tree) that a leaf holds at least, from 1. */
  readonly minLeaf: number
  /** λ > 0: weight of the penalty on the square of a leaf's value. */
  readonly lambda: number
  /** Bins of each feature, 2…64. */
  readonly bins: number
  /** Share of the rows that each tree sees, above 0 to 1; 1 by default. */
  readonly subsample?: number
  /** Share of the features that each tree may split on, above 0 to 1; 1 by default. A smaller share spreads the trees over more features. */
  readonly featureShare?: number
  readonly seed: number
  /** F values: +1 if the margin may only rise with the feature, −1 if it may only fall, 0 if it is free. */
  readonly monotone?: ArrayLike<number>
}

const isWhole = (value: number, low: number, high: number) =>
  Number.isInteger(value) && value >= low && value <= high
const isShare = (value: number) => value > 0 && value <= 1

/** @throws RangeError on an option outside its range */
export function assertOptions(options: TreeOptions, features: number): void {
  const { monotone } = options
  const problems = {
    'trees from 1 to 512': isWhole(options.trees, 1, 512),
    'depth from 1 to 7': isWhole(options.depth, 1, 7),
    'learningRate above 0, to 1': isShare(options.learningRate),
    'minLeaf from 1': isWhole(options.minLeaf, 1, Infinity),
    'lambda above 0': options.lambda > 0 && options.lambda < Infinity,
    'bins from 2 to 64': isWhole(options.bins, 2, 64),
    'subsample above 0, to 1': isShare(options.subsample ?? 1),
    'featureShare above 0, to 1': isShare(options.featureShare ?? 1),
    'a direction of -1, 0 or 1 for each feature':
      !monotone || (monotone.length === features && Array.from(monotone).every((d) => isWhole(d, -1, 1))),
  }
  for (const [expected, holds] of Object.entries(problems))
    if (!holds) throw new RangeError(`expected ${expected}`)
}

/** The margin (log-odds) of each row, N values. A missing feature counts as NaN. */
export function marginsOf({ bias, trees }: TreeModel, features: Columns, n: number): Float64Array {
  const margins = new Float64Array(n).fill(bias)
  for (const tree of trees)
    for (let row = 0; row < n; row++) margins[row] = (margins[row] ?? 0) + valueOf(tree, features, row)
  return margins
}

function valueOf({ feature, threshold, left, right, value }: Tree, features: Columns, row: number): number {
  let at = 0
  for (let f = feature[0] ?? -1; f >= 0; f = feature[at] ?? -1)
    at = ((features[f]?.[row] ?? Number.NaN) < (threshold[at] ?? 0) ? left[at] : right[at]) ?? 0
  return value[at] ?? 0
}
