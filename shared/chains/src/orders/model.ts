import { createContexts, type Contexts } from './context.js'
import type { Order, OrderCounts } from './counter.js'

/** A chain that looks at up to three of the last states. */
export interface OrderModel {
  readonly states: number
  readonly order: Order
  readonly contexts: Contexts
  /**
   * P(next | context), S + 2 values. A context that was never seen has the row of its longest suffix that was: it backs off. Do not
   * change the row.
   */
  rowOf(context: number): Float64Array
  /** The longest suffix of the context that was seen; all that the future depends on. */
  known(context: number): number
  /** Contexts that were seen, the empty one among them, the shorter first. */
  readonly seen: readonly number[]
}

/**
 * Rows with a Dirichlet prior each: that of a context is the row of its suffix one shorter, with weight κ; that of the empty context is
 * uniform over the S + 2 targets. So rare contexts say little of their own. Source: MacKay and Peto, A hierarchical Dirichlet language
 * model (1995).
 *
 * @throws RangeError where κ is not above 0
 */
export function createOrderModel({ states, order, followers }: OrderCounts, kappa: number): OrderModel {
  if (!(kappa > 0 && kappa < Infinity)) throw new RangeError('expected kappa above 0')
  const contexts = createContexts(states, order)
  const seen = [...followers.keys()].sort((a, b) => a - b)
  if (seen[0] !== 0) seen.unshift(0)
  const rows = new Map<number, Float64Array>()
  const known = (context: number): number => {
    for (let length = contexts.lengthOf(context); length > 0; length--) {
      const suffix = contexts.suffix(context, length)
      if (followers.has(suffix)) return suffix
    }
    return 0
  }
  const uniform = new Float64Array(states + 2).fill(1 / (states + 2))
  const rowOf = (context: number): Float64Array => rows.get(known(context)) ?? uniform
  // Ascending numbers are ascending lengths: each prior is there before it is asked for.
  for (const context of seen) {
    const prior = context === 0 ? uniform : rowOf(contexts.suffix(context, contexts.lengthOf(context) - 1))
    rows.set(context, shrink(followers.get(context) ?? new Float64Array(states + 2), prior, kappa))
  }
  return { states, order, contexts, rowOf, known, seen }
}

function shrink(row: Float64Array, prior: Float64Array, kappa: number): Float64Array {
  const total = row.reduce((sum, n) => sum + n, 0) + kappa
  return row.map((n, to) => (n + kappa * (prior[to] ?? 0)) / total)
}
