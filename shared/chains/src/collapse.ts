import { emptyCounts, type Counts } from './counting.js'

/** Which state of a smaller space each state falls into. */
export interface Collapse {
  /** How many states are left. */
  readonly states: number
  /** index[s]: from 0 to states − 1. */
  readonly index: Int32Array
}

/**
 * Leaves out one dimension of a product space, whose states are numbered with the last dimension the fastest (as the 60 safety states
 * are): what an ablation counts over.
 *
 * @throws RangeError where a size is no whole number from 1 or there is no such dimension
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

/**
 * The counts as if sessions had been followed over the smaller space all along; `violated` and `ended` stay what they are.
 *
 * @throws RangeError where the index does not map every state to one below `states`
 */
export function collapseCounts(counts: Counts, { states, index }: Collapse): Counts {
  if (index.length !== counts.states || index.some((to) => !(to >= 0 && to < states)))
    throw new RangeError(`expected a state below ${states} for each of ${counts.states}`)
  const collapsed = emptyCounts(states)
  const width = counts.states + 2
  const target = (to: number) => (to < counts.states ? (index[to] ?? 0) : states + to - counts.states)
  for (const [at, n] of counts.transitions.entries())
    if (n > 0)
      add(collapsed.transitions, (index[Math.floor(at / width)] ?? 0) * (states + 2) + target(at % width), n)
  for (const [s, to] of index.entries()) {
    add(collapsed.arrivals, to, counts.arrivals[s] ?? 0)
    add(collapsed.violating, to, counts.violating[s] ?? 0)
  }
  return collapsed
}

const product = (sizes: readonly number[]): number => sizes.reduce((total, size) => total * size, 1)

function add(values: Float64Array, at: number, n: number): void {
  values[at] = (values[at] ?? 0) + n
}
