import { seededRandom } from '../random.js'
import { binColumns } from './bins.js'
import { growTree, valueAt } from './grow.js'
import { createHistogramBuilder } from './histogram.js'
import {
  type Samples,
  type TreeModel,
  type TreeOptions,
  assertOptions,
  checkedWeights,
  logistic,
  logit,
} from './tree.js'

/**
 * Boosted trees for the probability of a label: each tree is a Newton step of the logistic loss, grown on histograms of at most 64 bins a
 * feature. The same samples, options and seed give the same model. Source: Friedman, Greedy function approximation (2001), with the
 * second-order gain and the monotone bounds of XGBoost (Chen and Guestrin 2016).
 *
 * @throws RangeError on options outside their ranges, columns of different lengths and infinite features
 */
export function fitTrees(samples: Samples, options: TreeOptions): TreeModel {
  assertOptions(options, samples.features.length)
  const weights = checkedWeights(samples)
  const { labels } = samples
  const n = labels.length
  const columns = binColumns(samples.features, options.bins)
  const builder = createHistogramBuilder(columns, n)
  const context = { ...options, monotone: options.monotone ?? [], columns, builder }
  const bias = baseMargin(labels, weights)
  const margins = new Float64Array(n).fill(bias)
  const slopes = { gradient: new Float64Array(n), curvature: new Float64Array(n) }
  const draw = createDraw(n, options)
  const offer = createOffer(samples.features.length, options)
  const model: TreeModel = { bias, trees: [] }
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < n; i++) {
      const p = logistic(margins[i] ?? 0)
      slopes.gradient[i] = (weights[i] ?? 0) * (p - (labels[i] ?? 0))
      slopes.curvature[i] = (weights[i] ?? 0) * p * (1 - p)
    }
    const grown = growTree({ ...context, offered: offer() }, draw(), slopes)
    for (let i = 0; i < n; i++) margins[i] = (margins[i] ?? 0) + valueAt(grown, columns, i)
    model.trees.push(grown.tree)
  }
  return model
}

/** The log-odds of the base rate, with the prior of Jeffreys, finite even if all labels are equal. */
function baseMargin(labels: ArrayLike<number>, weights: Float64Array): number {
  let positive = 0
  let total = 0
  for (const [i, weight] of weights.entries()) {
    positive += weight * (labels[i] ?? 0)
    total += weight
  }
  return Number(logit((positive + 0.5) / (total + 1)).toPrecision(8))
}

/** The rows drawn for a tree, ascending; at least one. */
function createDraw(n: number, { subsample = 1, seed }: TreeOptions): () => Int32Array {
  const all = Int32Array.from({ length: n }, (_, i) => i)
  const random = seededRandom(seed)
  return () => {
    if (subsample === 1) return all
    const drawn = all.filter(() => random() < subsample)
    return drawn.length > 0 ? drawn : all
  }
}

/** Features are drawn from another random sequence than rows, so that neither option changes the other's draws. */
const OFFER_SEED = 1_000_003

/** By feature whether a tree may split on it, at least one; undefined if it may split on all. */
function createOffer(
  features: number,
  { featureShare = 1, seed }: TreeOptions,
): () => Uint8Array | undefined {
  const random = seededRandom(seed + OFFER_SEED)
  return () => {
    if (featureShare === 1) return undefined
    const offered = Uint8Array.from({ length: features }, () => (random() < featureShare ? 1 : 0))
    return offered.includes(1) ? offered : offered.fill(1)
  }
}
