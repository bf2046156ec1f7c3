/** How many of the ascending `thresholds` the value has reached: a band of thresholds, a bucket of edges. */
export function crossed(value: number, thresholds: ArrayLike<number>): number {
  let count = 0
  while (count < thresholds.length && value >= (thresholds[count] ?? Infinity)) count++
  return count
}

/**
 * A bundle's scorer in the QuickScorer layout, by feature. Each split (is the feature at or above a threshold?) occurs once, with the
 * set of leaves that remain if it is true, as bits of one word. The first remaining leaf is the leaf that a walk from the root would
 * reach; nothing is walked, and splits on a feature that is 0 cost nothing. Source: Lucchese et al., QuickScorer (2015). Made by
 * @plimsoll/policy.
 */
export interface CompiledScorer {
  readonly bias: number
  /** Indices of the used features in the scored vector. */
  readonly asked: Int32Array
  /** The splits on asked[k] have the numbers first[k] … first[k + 1] − 1, by ascending threshold. */
  readonly first: Int32Array
  /** By split. */
  readonly threshold: Float64Array
  readonly tree: Uint16Array
  /** By split: the tree's leaves that remain if the feature reaches the threshold, a bit each from the left. */
  readonly remaining: Int32Array
  /** LEAVES_MAX values a tree, from the left. */
  readonly leaves: Float64Array
  /** By tree: the remaining leaves during one call; scratch space without meaning between two. */
  readonly scratch: Int32Array
  /** Ascending margins and the probability at each of them. */
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Maximum leaves of a compiled tree: the bits of a word. */
export const LEAVES_MAX = 32

/** The probability of `features`: bias and trees, then the piecewise linear calibration. */
export function scoreOf(scorer: CompiledScorer, features: Float64Array): number {
  return calibrated(marginOf(scorer, features), scorer.x, scorer.y)
}

/** Bias plus trees, summed in the trees' order: log-odds before calibration. Every feature is finite. */
export function marginOf(scorer: CompiledScorer, features: Float64Array): number {
  const { asked, first, threshold, tree, remaining, leaves, scratch } = scorer
  scratch.fill(-1)
  for (let k = 0; k < asked.length; k++) {
    const value = features[asked[k] ?? 0] ?? 0
    const end = first[k + 1] ?? 0
    for (let q = first[k] ?? 0; q < end && value >= (threshold[q] ?? 0); q++) {
      const t = tree[q] ?? 0
      scratch[t] = (scratch[t] ?? 0) & (remaining[q] ?? 0)
    }
  }
  let margin = scorer.bias
  for (let t = 0; t < scratch.length; t++) margin += leaves[t * LEAVES_MAX + lowestBit(scratch[t] ?? 0)] ?? 0
  return margin
}

/** Index of the lowest set bit. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

function calibrated(margin: number, x: Float64Array, y: Float64Array): number {
  let low = 0
  let high = x.length
  // The first point above the margin.
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((x[middle] ?? 0) > margin) high = middle
    else low = middle + 1
  }
  if (low === 0) return y[0] ?? 0
  if (low === x.length) return y[low - 1] ?? 0
  const x0 = x[low - 1] ?? 0
  const y0 = y[low - 1] ?? 0
  return y0 + ((margin - x0) / ((x[low] ?? 0) - x0)) * ((y[low] ?? 0) - y0)
}

/**
 * The value of a row of a chain's table, over the buckets from `first` on, for a session of this probability: a bucket's value at its
 * centre, interpolated between two centres. So two sessions of one bucket differ, and crossing an edge causes no jump.
 *
 * @param centres ascending, at least one
 */
export function acrossBuckets(
  row: ArrayLike<number>,
  first: number,
  probability: number,
  centres: ArrayLike<number>,
): number {
  const bucket = crossed(probability, centres)
  const above = row[first + Math.min(bucket, centres.length - 1)] ?? 0
  const from = centres[bucket - 1]
  const to = centres[bucket]
  if (from === undefined || to === undefined) return above
  const below = row[first + bucket - 1] ?? 0
  return below + ((above - below) * (probability - from)) / (to - from)
}
