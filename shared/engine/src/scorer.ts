/**
 * A scorer of a bundle, flattened: all trees one behind the other, features as indices into the vector that is scored. Made by
 * @plimsoll/policy.
 */
export interface CompiledScorer {
  readonly bias: number
  /** Index of each tree's first node. */
  readonly roots: Int32Array
  /** By node: index of the feature that it splits on, -1 for a leaf. */
  readonly feature: Int32Array
  /** By node: where it splits; of a leaf its value. */
  readonly threshold: Float64Array
  readonly left: Int32Array
  readonly right: Int32Array
  /** Ascending margins and the probability at each of them. */
  readonly x: Float64Array
  readonly y: Float64Array
}

/** The probability that `scorer` gives to `features`: bias and trees, then piecewise linear through the points of its calibration. */
export function scoreOf(scorer: CompiledScorer, features: Float64Array): number {
  return calibrated(marginOf(scorer, features), scorer.x, scorer.y)
}

/** Bias and trees alone: log-odds, before calibration. */
export function marginOf(
  { bias, roots, feature, threshold, left, right }: CompiledScorer,
  features: Float64Array,
): number {
  let margin = bias
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0
    for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1)
      node = ((features[split] ?? 0) < (threshold[node] ?? 0) ? left[node] : right[node]) ?? 0
    margin += threshold[node] ?? 0
  }
  return margin
}

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

/** How many of the ascending `edges` the probability has reached. */
export function bucketOf(probability: number, edges: Float64Array): number {
  let bucket = 0
  while (bucket < edges.length && probability >= (edges[bucket] ?? Infinity)) bucket++
  return bucket
}
