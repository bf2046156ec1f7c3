import { wilson, type Proportion } from '../metrics/wilson.js'
import type { OrderModel } from './model.js'

/** How well a chain foretells sessions that it was not fitted on. */
export interface OrderFit {
  /** Steps whose most likely next state was the one that came. */
  readonly nextState: Proportion
  /** Sum of ln P(what came). */
  readonly logLikelihood: number
  /** e to the mean of −ln P: among how many equally likely states the chain seems to choose. NaN without a step. */
  readonly perplexity: number
}

/** Follows each session's states (see `OrderCounter.add`) and scores every one but the first. */
export function fitOfOrder(model: OrderModel, paths: Iterable<ArrayLike<number>>): OrderFit {
  const { contexts } = model
  let steps = 0
  let right = 0
  let logLikelihood = 0
  for (const path of paths) {
    let context = contexts.after(0, path[0] ?? 0)
    for (let i = 1; i < path.length; i++) {
      const to = path[i] ?? 0
      const row = model.rowOf(context)
      steps++
      if (mostLikely(row) === to) right++
      logLikelihood += Math.log(row[to] ?? 0)
      context = contexts.after(context, to)
    }
  }
  return { nextState: wilson(right, steps), logLikelihood, perplexity: Math.exp(-logLikelihood / steps) }
}

/** The first of equals. */
function mostLikely(row: Float64Array): number {
  let best = 0
  for (let to = 1; to < row.length; to++) if ((row[to] ?? 0) > (row[best] ?? 0)) best = to
  return best
}
