import { type Proportion, wilson } from './metrics/detection.js'

/** Counts over S transient states; `to` = S is `violated`, S + 1 is `ended`. Every array is owned by its counter. */
export interface Counts {
  readonly states: number
  /** transitions[from × (S + 2) + to]: how often. */
  readonly transitions: Float64Array
  /** arrivals[s]: steps that arrived in s, including the violating ones. */
  readonly arrivals: Float64Array
  /** violating[s]: steps that arrived in s and were themselves the violation. */
  readonly violating: Float64Array
}

/**
 * Counts steps in constant memory. `weight`, 1 where it is left out: the probability that it happened so; counts are then expected
 * counts. Zero counts nothing.
 */
export interface TransitionCounter {
  /** A step went from `from`, arrived in `to` and was no violation. */
  survive(from: number, to: number, weight?: number): void
  /** A step from `from` would have arrived in `to` and was itself the violation: the session is absorbed. */
  violate(from: number, to: number, weight?: number): void
  /** A session ended in `from` without a violation. */
  end(from: number, weight?: number): void
  /** A live view, not a copy. */
  readonly counts: Counts
}

/** @throws RangeError on a state outside 0…states − 1, or a weight below 0 */
export function createCounter(states: number): TransitionCounter {
  const counts: Counts = {
    states,
    transitions: new Float64Array(states * (states + 2)),
    arrivals: new Float64Array(states),
    violating: new Float64Array(states),
  }
  const check = (state: number): number => {
    if (!Number.isInteger(state) || state < 0 || state >= states)
      throw new RangeError(`no state ${state} among ${states}`)
    return state
  }
  const arrive = (from: number, to: number, target: number, weight: number): void => {
    increase(counts.transitions, check(from) * (states + 2) + target, weight)
    increase(counts.arrivals, check(to), weight)
  }
  return {
    counts,
    survive: (from, to, weight = 1) => arrive(from, to, to, weight),
    violate: (from, to, weight = 1) => {
      arrive(from, to, states, weight)
      increase(counts.violating, to, weight)
    },
    end: (from, weight = 1) => increase(counts.transitions, check(from) * (states + 2) + states + 1, weight),
  }
}

/** The S + 2 counts of steps that left `from`: a view. */
export function rowOf({ states, transitions }: Counts, from: number): Float64Array {
  return transitions.subarray(from * (states + 2), (from + 1) * (states + 2))
}

/** The counts that are not 0 as [from, to, n], by `from`, then `to`. */
export function sparseCounts(counts: Counts): [from: number, to: number, n: number][] {
  const width = counts.states + 2
  const entries: [number, number, number][] = []
  for (const [at, n] of counts.transitions.entries())
    if (n > 0) entries.push([Math.floor(at / width), at % width, n])
  return entries
}

export const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

function increase(values: Float64Array, at: number, weight: number): void {
  if (!(weight >= 0)) throw new RangeError(`expected a weight from 0, not ${weight}`)
  values[at] = (values[at] ?? 0) + weight
}

/** Maps each state to a state of a smaller space. */
export interface Collapse {
  /** How many states are left. */
  readonly states: number
  /** index[s]: from 0 to states − 1. */
  readonly index: Int32Array
}

/**
 * Leaves out one dimension of a product space, whose states are numbered with the last dimension the fastest (as the 60 safety states
 * are). An ablation counts over the result.
 *
 * @throws RangeError if a size is no whole number from 1 or there is no such dimension
 */
export function withoutDimension(sizes: readonly number[], dimension: number): Collapse {
  if (sizes.some((size) => !Number.isInteger(size) || size < 1))
    throw new RangeError('expected whole sizes from 1')
  const dropped = sizes[dimension]
  if (dropped === undefined) throw new RangeError(`no dimension ${dimension} among ${sizes.length}`)
  const inner = product(sizes.slice(dimension + 1))
  const states = product(sizes) / dropped
  const index = Int32Array.from(
    { length: states * dropped },
    (_, s) => Math.floor(s / (inner * dropped)) * inner + (s % inner),
  )
  return { states, index }
}

const product = (sizes: readonly number[]): number => sizes.reduce((total, size) => total * size, 1)

/** Share of an observed transition among the steps that left `from`, with its 95% interval. */
export interface TransitionInterval extends Proportion {
  readonly from: number
  /** A state; S is `violated`, S + 1 is `ended`. */
  readonly to: number
}

/** The observed transitions, by `from`, then `to`. */
export function transitionIntervals(counts: Counts): TransitionInterval[] {
  return Array.from({ length: counts.states }, (_, from) => {
    const row = rowOf(counts, from)
    const total = sum(row)
    return Array.from(row).flatMap((n, to) => (n > 0 ? [{ from, to, ...wilson(n, total) }] : []))
  }).flat()
}
