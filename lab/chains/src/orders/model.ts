/**
 * The last states of a session as one number in base S + 1: the latest state is the lowest digit, and no digit is 0. Each suffix of a
 * context is therefore a remainder of it, and the empty context is 0.
 */
export interface Contexts {
  /** The context after one more state, cut to the order. */
  after(context: number, state: number): number
  /** The last `length` states of a context. */
  suffix(context: number, length: number): number
  lengthOf(context: number): number
}

export function createContexts(states: number, order: number): Contexts {
  const base = states + 1
  const powers = Array.from({ length: order + 1 }, (_, length) => base ** length)
  const suffix = (context: number, length: number): number => context % (powers[length] ?? 1)
  return {
    suffix,
    after: (context, state) => suffix(context, order - 1) * base + state + 1,
    lengthOf: (context) => powers.findIndex((power) => context < power),
  }
}

/** A chain that looks at up to three of the last states. */
export interface OrderModel {
  readonly states: number
  readonly order: Order
  readonly contexts: Contexts
  /**
   * P(next | context), S + 2 values. An unseen context backs off to the row of its longest seen suffix. Do not
   * change the row.
   */
  rowOf(context: number): Float64Array
  /** The longest seen suffix of the context; the future depends on nothing else. */
  known(context: number): number
  /** Seen contexts including the empty one, the shorter first. */
  readonly seen: readonly number[]
}

/**
 * Rows with a Dirichlet prior each: that of a context is the row of its suffix one shorter, with weight κ; that of the empty context is
 * uniform over the S + 2 targets. Rare contexts therefore stay close to their suffixes. Source: MacKay and Peto, A hierarchical Dirichlet language
 * model (1995).
 *
 * @throws RangeError if κ is not above 0
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
  // Ascending numbers have ascending lengths, so each prior exists before it is needed.
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

/** The states that followed each seen context. */
export interface OrderCounts {
  readonly states: number
  readonly order: Order
  /** followers.get(context)[to]: how often, S + 2 values; contexts of every length from 0 to the order. */
  readonly followers: ReadonlyMap<number, Float64Array>
  /** Transitions that a full table did not count under some of their contexts; those back off. */
  readonly dropped: number
}

/** How many of the last states a chain looks at. */
export type Order = 1 | 2 | 3

export interface OrderCounter {
  /**
   * A session's states in order from the start; the last may be `violated` (S) or `ended` (S + 1). Otherwise the session is censored
   * there. `posterior`, a value a transition, is for a session whose violating step is not known: posterior[k] is the probability that
   * transition k led to `violated` instead.
   *
   * @throws RangeError on an invalid state, or on states after the end
   */
  add(path: ArrayLike<number>, posterior?: ArrayLike<number>): void
  /** A live view, not a copy. */
  readonly counts: OrderCounts
}

/** What is left of 1 after as many subtractions as there are steps may be rounding error. */
const ROUNDING = 1e-9

/** Default limit of contexts: 64 MB over the 120 states of `flow`. */
const CONTEXTS_MAX = 65_536

/**
 * Counts every context of up to `order` states, because backing off needs the shorter ones. Memory is bounded by `contextsMax` rows; once
 * the table is full, no further context enters it.
 */
export function createOrderCounter(states: number, order: Order, contextsMax = CONTEXTS_MAX): OrderCounter {
  const followers = new Map<number, Float64Array>()
  const counts = { states, order, followers, dropped: 0 }
  const contexts = createContexts(states, order)
  const see = (context: number, to: number, weight: number): boolean => {
    let row = followers.get(context)
    if (!row) {
      if (followers.size >= contextsMax) return false
      followers.set(context, (row = new Float64Array(states + 2)))
    }
    row[to] = (row[to] ?? 0) + weight
    return true
  }
  /** The shorter first: a context is never kept without its suffixes and prefixes. */
  const seeAll = (context: number, to: number, weight: number): void => {
    if (weight <= 0) return
    const length = contexts.lengthOf(context)
    for (let n = 0; n <= length; n++)
      if (!see(contexts.suffix(context, n), to, weight)) {
        counts.dropped++
        return
      }
  }
  return {
    counts,
    add: (path, posterior = []) => {
      assertPath(path, states)
      let context = contexts.after(0, path[0] ?? 0)
      let alive = 1
      for (let i = 1; i < path.length; i++) {
        const to = path[i] ?? 0
        const violating = Math.min(alive, posterior[i - 1] ?? 0)
        alive = alive - violating < ROUNDING ? 0 : alive - violating
        seeAll(context, states, violating)
        seeAll(context, to, alive)
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

/**
 * P(violated within h steps | context) for h = 0…horizonMax, as a look-up by context (see `contexts.after`) and h. The table
 * covers the seen contexts; others use the context they back off to.
 *
 * @throws RangeError if horizonMax is not a whole number from 0
 */
export function orderHorizon(model: OrderModel, horizonMax: number): (context: number, h: number) => number {
  if (!Number.isInteger(horizonMax) || horizonMax < 0)
    throw new RangeError('expected a whole horizonMax from 0')
  const { states, contexts, seen, known, rowOf } = model
  const position = new Map(seen.map((context, at) => [context, at]))
  const next = seen.map((context) =>
    Int32Array.from({ length: states }, (_, to) => position.get(known(contexts.after(context, to))) ?? 0),
  )
  const table = [new Float64Array(seen.length)]
  for (let h = 1; h <= horizonMax; h++) {
    const before = table[h - 1] ?? new Float64Array()
    table.push(
      Float64Array.from(seen, (context, at) => {
        const row = rowOf(context)
        let probability = row[states] ?? 0
        for (const [to, after] of (next[at] ?? new Int32Array()).entries())
          probability += (row[to] ?? 0) * (before[after] ?? 0)
        return Math.min(1, Math.max(before[at] ?? 0, probability))
      }),
    )
  }
  return (context, h) => table[h]?.[position.get(known(context)) ?? 0] ?? Number.NaN
}
