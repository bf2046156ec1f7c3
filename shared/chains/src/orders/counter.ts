import { createContexts } from './context.js'

/** What followed each context that was seen. Memory grows with the contexts, not with the sessions. */
export interface OrderCounts {
  readonly states: number
  readonly order: Order
  /** followers.get(context)[to]: how often; contexts of every length from 0 to the order. */
  readonly followers: ReadonlyMap<number, Float64Array>
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

/** Counts of every context up to `order` long at once: those that back off need the shorter ones too. */
export function createOrderCounter(states: number, order: Order): OrderCounter {
  const followers = new Map<number, Float64Array>()
  const contexts = createContexts(states, order)
  const see = (context: number, to: number): void => {
    let row = followers.get(context)
    if (!row) followers.set(context, (row = new Float64Array(states + 2)))
    row[to] = (row[to] ?? 0) + 1
  }
  return {
    counts: { states, order, followers },
    add: (path) => {
      assertPath(path, states)
      let context = contexts.after(0, path[0] ?? 0)
      for (let i = 1; i < path.length; i++) {
        const to = path[i] ?? 0
        for (let length = contexts.lengthOf(context); length >= 0; length--)
          see(contexts.suffix(context, length), to)
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
