import type { BinnedColumn } from './bins.js'
import { type Histogram, type HistogramBuilder, type Slopes, subtract } from './histogram.js'
import type { Tree } from './tree.js'

/** Sums over some rows. */
export interface Sums {
  readonly gradient: number
  readonly curvature: number
  readonly count: number
}

/** The range of leaf values below a node that keeps the monotone splits above it. */
export interface Bounds {
  readonly low: number
  readonly high: number
}

/** Rows with a code up to `code` go left. */
export interface Split {
  readonly feature: number
  readonly code: number
  readonly gain: number
  readonly left: Sums
  readonly right: Sums
}

export interface SplitRules {
  readonly lambda: number
  readonly minLeaf: number
  readonly monotone: ArrayLike<number>
  /** Non-zero for each feature that may be split on; all by default. */
  readonly offered?: ArrayLike<number> | undefined
}

/** A smaller gain is rounding error. */
const GAIN_MIN = 1e-9

/** The best value of a leaf, one Newton step, kept within its bounds. */
export function leafValue({ gradient, curvature }: Sums, lambda: number, { low, high }: Bounds): number {
  return Math.min(high, Math.max(low, -gradient / (Math.max(0, curvature) + lambda)))
}

/** How much the loss falls with a leaf of that value, to second order and times two. */
function fall({ gradient, curvature }: Sums, value: number, lambda: number): number {
  return -2 * gradient * value - (Math.max(0, curvature) + lambda) * value * value
}

/** The split with the highest gain; the first of equals, so that the same samples give the same trees. */
export function bestSplit(
  histogram: Histogram,
  columns: readonly BinnedColumn[],
  offsets: readonly number[],
  node: Sums,
  bounds: Bounds,
  rules: SplitRules,
): Split | undefined {
  const whole = fall(node, leafValue(node, rules.lambda, bounds), rules.lambda)
  let best: Split | undefined
  for (const [feature, { edges }] of columns.entries()) {
    if (rules.offered?.[feature] === 0) continue
    let left: Sums = { gradient: 0, curvature: 0, count: 0 }
    for (let code = 0; code < edges.length; code++) {
      left = plus(left, histogram, 3 * ((offsets[feature] ?? 0) + code))
      if (left.count < rules.minLeaf) continue
      const right = minus(node, left)
      if (right.count < rules.minLeaf) break
      const gain = fallOfBoth(left, right, bounds, rules, rules.monotone[feature] ?? 0) - whole
      if (gain > (best?.gain ?? GAIN_MIN)) best = { feature, code, gain, left, right }
    }
  }
  return best
}

function fallOfBoth(
  left: Sums,
  right: Sums,
  bounds: Bounds,
  { lambda }: SplitRules,
  direction: number,
): number {
  const a = leafValue(left, lambda, bounds)
  const b = leafValue(right, lambda, bounds)
  if (direction * (b - a) < 0) return -Infinity
  return fall(left, a, lambda) + fall(right, b, lambda)
}

/** Bounds of the two children: a monotone split separates them midway between their values. */
export function boundsBelow(
  split: Split,
  bounds: Bounds,
  { lambda, monotone }: SplitRules,
): [Bounds, Bounds] {
  const direction = monotone[split.feature] ?? 0
  if (direction === 0) return [bounds, bounds]
  const middle = (leafValue(split.left, lambda, bounds) + leafValue(split.right, lambda, bounds)) / 2
  const below = { low: bounds.low, high: middle }
  const above = { low: middle, high: bounds.high }
  return direction > 0 ? [below, above] : [above, below]
}

function plus({ gradient, curvature, count }: Sums, histogram: Histogram, at: number): Sums {
  return {
    gradient: gradient + (histogram[at] ?? 0),
    curvature: curvature + (histogram[at + 1] ?? 0),
    count: count + (histogram[at + 2] ?? 0),
  }
}

const minus = (a: Sums, b: Sums): Sums => ({
  gradient: a.gradient - b.gradient,
  curvature: a.curvature - b.curvature,
  count: a.count - b.count,
})

/** A tree with the bin codes of its splits, by which the fitted rows are routed. */
export interface GrownTree {
  readonly tree: Tree
  readonly codes: number[]
}

export interface GrowContext extends SplitRules {
  readonly columns: readonly BinnedColumn[]
  readonly builder: HistogramBuilder
  readonly depth: number
  readonly learningRate: number
}

interface Node {
  readonly at: number
  readonly depth: number
  readonly rows: Int32Array
  readonly histogram: Histogram | undefined
  readonly sums: Sums
  readonly bounds: Bounds
}

/** Significant digits of a leaf; more would be noise. */
const DIGITS = 6

/** Grows one tree on some rows, level by level, so that children come after their parents. */
export function growTree(context: GrowContext, rows: Int32Array, slopes: Slopes): GrownTree {
  const grown: GrownTree = { tree: { feature: [], threshold: [], left: [], right: [], value: [] }, codes: [] }
  const root: Node = {
    at: addNode(grown),
    depth: 0,
    rows,
    histogram: context.builder.build(rows, slopes),
    sums: sumsOf(rows, slopes),
    bounds: { low: -Infinity, high: Infinity },
  }
  const open = [root]
  for (let node = open.shift(); node; node = open.shift()) {
    const split =
      node.histogram &&
      bestSplit(node.histogram, context.columns, context.builder.offsets, node.sums, node.bounds, context)
    if (split) open.push(...divide(context, grown, node, split, slopes))
    else
      grown.tree.value[node.at] = round(
        context.learningRate * leafValue(node.sums, context.lambda, node.bounds),
      )
  }
  return grown
}

/** The leaf's value for a row of the samples. */
export function valueAt({ tree, codes }: GrownTree, columns: readonly BinnedColumn[], row: number): number {
  let at = 0
  for (let feature = tree.feature[0] ?? -1; feature >= 0; feature = tree.feature[at] ?? -1)
    at = ((columns[feature]?.codes[row] ?? 0) <= (codes[at] ?? 0) ? tree.left[at] : tree.right[at]) ?? 0
  return tree.value[at] ?? 0
}

function addNode({ tree, codes }: GrownTree): number {
  tree.feature.push(-1)
  for (const values of [tree.threshold, tree.left, tree.right, tree.value, codes]) values.push(0)
  return tree.feature.length - 1
}

function divide(
  context: GrowContext,
  grown: GrownTree,
  node: Node,
  split: Split,
  slopes: Slopes,
): [Node, Node] {
  const { tree, codes } = grown
  const column = context.columns[split.feature]
  const [left, right] = [addNode(grown), addNode(grown)]
  tree.feature[node.at] = split.feature
  tree.threshold[node.at] = column?.edges[split.code] ?? 0
  tree.left[node.at] = left
  tree.right[node.at] = right
  codes[node.at] = split.code
  const rows = partition(node.rows, column?.codes ?? new Uint8Array(), split)
  const histograms = histogramsBelow(context, node, rows, slopes)
  const bounds = boundsBelow(split, node.bounds, context)
  const depth = node.depth + 1
  return [
    { at: left, depth, rows: rows[0], histogram: histograms?.[0], sums: split.left, bounds: bounds[0] },
    { at: right, depth, rows: rows[1], histogram: histograms?.[1], sums: split.right, bounds: bounds[1] },
  ]
}

/** Counts only the smaller child; the other is the parent minus it. The last level needs neither. */
function histogramsBelow(
  { builder, depth }: GrowContext,
  { histogram, depth: at }: Node,
  [left, right]: [Int32Array, Int32Array],
  slopes: Slopes,
): [Histogram, Histogram] | undefined {
  if (!histogram || at + 1 >= depth) return undefined
  const isLeftSmaller = left.length <= right.length
  const smaller = builder.build(isLeftSmaller ? left : right, slopes)
  const larger = subtract(histogram, smaller)
  return isLeftSmaller ? [smaller, larger] : [larger, smaller]
}

function partition(rows: Int32Array, codes: Uint8Array, { code, left }: Split): [Int32Array, Int32Array] {
  const parts: [Int32Array, Int32Array] = [
    new Int32Array(left.count),
    new Int32Array(rows.length - left.count),
  ]
  let toLeft = 0
  let toRight = 0
  for (const row of rows) {
    if ((codes[row] ?? 0) <= code) parts[0][toLeft++] = row
    else parts[1][toRight++] = row
  }
  return parts
}

function sumsOf(rows: Int32Array, slopes: Slopes): Sums {
  let gradient = 0
  let curvature = 0
  for (const row of rows) {
    gradient += slopes.gradient[row] ?? 0
    curvature += slopes.curvature[row] ?? 0
  }
  return { gradient, curvature, count: rows.length }
}

const round = (value: number): number => Number(value.toPrecision(DIGITS))
