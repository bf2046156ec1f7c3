import { createContexts } from './context.js'

/** What followed each context that was seen. */
export interface OrderCounts {
  readonly states: number
  readonly order: Order
  /** followers.get(context)[to]: how often, S + 2 values; contexts of every length from 0 to the order. */
  readonly followers: ReadonlyMap<number, Float64Array>
  /** Transitions that a full table kept from being counted under some of their contexts: those back off. */
  readonly dropped: number
}

/** How many of the last states a chain looks at. */
export type Order = 1 | 2 | 3

export interface OrderCounter {
  /**
   * A session's states in their order from the start; the last may be `violated` (S) or `ended` (S + 1). Where it is neither the session
   * is censored there.
   *
   * @throws RangeError on what is no state, or goes on after the end
   */
  add(path: ArrayLike<number>): void
  /** A live view, not a copy. */
  readonly counts: OrderCounts
}

/** Contexts kept where nothing else is said: 64 MB over the 120 states of `flow`. */
const CONTEXTS_MAX = 65_536

/**
 * Counts of every context up to `order` long at once: those that back off need the shorter ones too. Memory is bounded by `contextsMax`
 * rows, however many sessions there are; once the table is full, contexts that are not in it stay out.
 */
export function createOrderCounter(states: number, order: Order, contextsMax = CONTEXTS_MAX): OrderCounter {
  const followers = new Map<number, Float64Array>()
  const counts = { states, order, followers, dropped: 0 }
  const contexts = createContexts(states, order)
  const see = (context: number, to: number): boolean => {
    let row = followers.get(context)
    if (!row) {
      if (followers.size >= contextsMax) return false
      followers.set(context, (row = new Float64Array(states + 2)))
    }
    row[to] = (row[to] ?? 0) + 1
    return true
  }
  /** The shorter first: a context is never kept without its suffixes, nor without what it continues. */
  const seeAll = (context: number, to: number): void => {
    const length = contexts.lengthOf(context)
    for (let n = 0; n <= length; n++)
      if (!see(contexts.suffix(context, n), to)) {
        counts.dropped++
        return
      }
  }
  return {
    counts,
    add: (path) => {
      assertPath(path, states)
      let context = contexts.after(0, path[0] ?? 0)
      for (let i = 1; i < path.length; i++) {
        const to = path[i] ?? 0
        seeAll(context, to)
        context = contexts.after(context, to)
      }
    },
  }
}

function assertPath(path: ArrayLike<number>, states: number): void {
  for (let i = 0; i < path.length; i++) {
    const state = path[i] ?? -1
    const limit = i > 0 && i === path.length - 1 ? states + 2 : states
    if (!Number.isInteger(state) || state < 0 || state >= limit)
      throw new RangeError(`no state ${state} at ${i} among ${states}`)
  }
}
