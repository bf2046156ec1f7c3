import { createChain, type Chain } from './chain.js'
import { rowOf, sum, type Counts } from './counting.js'

/** A chain and its hazards as estimated from counts. */
export interface Estimate {
  readonly chain: Chain
  /** hazard[s], S values: P(a step that arrives in s is itself the violation). */
  readonly hazard: Float64Array
}

/** How sparse counts are shrunk towards coarser ones. */
export interface Shrinkage {
  /** κ > 0: a prior weighs as much as this many observed steps. */
  readonly kappa: number
  /** group[s], S values: which states share a prior (for safety states, the risk level). */
  readonly group: ArrayLike<number>
  /** Target of a step from `from` that pooled counts record as `to`: running maxima never fall. May be S (`violated`). */
  readonly join: (from: number, to: number) => number
}

/**
 * Estimates a chain from all categories' counts: each row is shrunk towards that of its group, and that towards the row over all
 * states (Dirichlet priors of weight κ, means in place of draws); destinations pass through `join`. A state that was never left
 * thus has its group's row. Without any counts every session is as likely to end as to be violated.
 *
 * @throws RangeError if κ is not above 0
 */
export function estimateAggregate(counts: Counts, { kappa, group, join }: Shrinkage): Estimate {
  assertPositive(kappa)
  const { states } = counts
  const pools = poolCounts(counts, group)
  const rows: Float64Array[] = []
  const hazard = new Float64Array(states)
  const groupRows = pools.groups.map(({ row }) => shrinkRow(row, share(pools.all.row, states), kappa))
  const groupRates = pools.groups.map((pool) =>
    shrinkRate(pool.violating, pool.arrivals, globalRate(pools.all), kappa),
  )
  for (let s = 0; s < states; s++) {
    const prior = projectRow(groupRows[group[s] ?? 0] ?? share(pools.all.row, states), s, states, join)
    rows.push(shrinkRow(rowOf(counts, s), prior, kappa))
    const rate = groupRates[group[s] ?? 0] ?? globalRate(pools.all)
    hazard[s] = shrinkRate(counts.violating[s] ?? 0, counts.arrivals[s] ?? 0, rate, kappa)
  }
  return { chain: createChain(rows), hazard }
}

/**
 * Estimates one category's chain: each row and hazard is shrunk towards the aggregate's (Dirichlet, weight κ).
 *
 * @throws RangeError if κ is not above 0 or the two differ in states
 */
export function estimateCategory(counts: Counts, aggregate: Estimate, kappa: number): Estimate {
  assertPositive(kappa)
  if (aggregate.chain.states !== counts.states)
    throw new RangeError('expected an aggregate over the same states')
  const rows = aggregate.chain.rows.map((prior, s) => shrinkRow(rowOf(counts, s), prior, kappa))
  const hazard = aggregate.hazard.map((prior, s) =>
    shrinkRate(counts.violating[s] ?? 0, counts.arrivals[s] ?? 0, prior, kappa),
  )
  return { chain: createChain(rows), hazard }
}

interface Pool {
  readonly row: Float64Array
  arrivals: number
  violating: number
}

function poolCounts(counts: Counts, group: ArrayLike<number>): { all: Pool; groups: Pool[] } {
  const all = emptyPool(counts.states)
  const groups = Array.from({ length: Math.max(0, ...Array.from(group)) + 1 }, () => emptyPool(counts.states))
  for (let s = 0; s < counts.states; s++)
    for (const pool of [all, groups[group[s] ?? 0] ?? all]) {
      for (const [to, n] of rowOf(counts, s).entries()) pool.row[to] = (pool.row[to] ?? 0) + n
      pool.arrivals += counts.arrivals[s] ?? 0
      pool.violating += counts.violating[s] ?? 0
    }
  return { all, groups }
}

const emptyPool = (states: number): Pool => ({ row: new Float64Array(states + 2), arrivals: 0, violating: 0 })

/** Counts as shares; without counts, half `violated`, half `ended`. */
function share(row: Float64Array, states: number): Float64Array {
  const total = sum(row)
  return row.map((n, to) => (total > 0 ? n / total : to < states ? 0 : 0.5))
}

/** The rate over all states with Jeffreys' prior, so that it is never 0 or 1. */
const globalRate = ({ violating, arrivals }: Pool): number => (violating + 0.5) / (arrivals + 1)

const shrinkRate = (n: number, of: number, prior: number, kappa: number): number =>
  (n + kappa * prior) / (of + kappa)

function shrinkRow(row: Float64Array, prior: Float64Array, kappa: number): Float64Array {
  const total = sum(row) + kappa
  return row.map((n, to) => (n + kappa * (prior[to] ?? 0)) / total)
}

function projectRow(row: Float64Array, from: number, states: number, join: Shrinkage['join']): Float64Array {
  const projected = new Float64Array(states + 2)
  for (const [to, probability] of row.entries()) {
    const target = to < states ? join(from, to) : to
    projected[target] = (projected[target] ?? 0) + probability
  }
  return projected
}

function assertPositive(kappa: number): void {
  if (!(kappa > 0 && Number.isFinite(kappa))) throw new RangeError('expected kappa above 0')
}
