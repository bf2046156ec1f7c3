import type { BinnedColumn } from './bins.js'
import type { Histogram } from './histogram.js'

/** Sums over some rows. */
export interface Sums {
  readonly gradient: number
  readonly curvature: number
  readonly count: number
}

/** Between which values a leaf below a node may lie, so that what a monotone split above it promised holds. */
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
  /** Features that may be asked for, not 0; all where missing. */
  readonly offered?: ArrayLike<number> | undefined
}

/** What is left of rounding is no gain. */
const GAIN_MIN = 1e-9

/** The best value of a leaf, one Newton step, kept within its bounds. */
export function leafValue({ gradient, curvature }: Sums, lambda: number, { low, high }: Bounds): number {
  return Math.min(high, Math.max(low, -gradient / (Math.max(0, curvature) + lambda)))
}

/** How much the loss falls with a leaf of that value, to second order and times two. */
function fall({ gradient, curvature }: Sums, value: number, lambda: number): number {
  return -2 * gradient * value - (Math.max(0, curvature) + lambda) * value * value
}

/** The split that gains most; the first of equals, so that the same samples give the same trees. */
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

/** Bounds of the two children: a monotone split parts them in the middle of their values. */
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
