import { type BundleModel, type ChainTables, type StateSpace, SPACE_SIZES } from '@plimsoll/contracts'
import {
  type Chain,
  FLOW_BUCKETS,
  FLOW_STATES,
  advanceSafetyState,
  escalationOf,
  exposureOf,
  flowBucketOf,
  joinFlowStates,
  reversibilityOf,
} from '@plimsoll/engine'

/**
 * The surprise of each step under a fitted chain, S × S values, and the mean surprise per state, S values: both in nats. They cover
 * survived steps, from the state before to the state once the result is in; ends and violations do not count as drift. Steps that were
 * never counted borrow from coarser counts: a category's row from the aggregate's, that from the row over all states, that from all
 * reachable states. In the space `flow` also the shares of buckets in which steps begin.
 */
export type DriftTables = Pick<Chain, 'surprise' | 'entropy' | 'buckets'>

/** Weight of a prior, in observed steps; as in `lab/fit`. */
const KAPPA = 20

/** Lower bound of a step's probability. */
const PROBABILITY_MIN = 1e-6

/** Computes the tables of the aggregate or of a category of a bundle. */
export function createDriftTables({
  space,
  aggregate,
}: Pick<BundleModel, 'space' | 'aggregate'>): (tables: ChainTables) => DriftTables {
  const size = SPACE_SIZES[space]
  const total = survivals(aggregate, size)
  const prior = shrink(total, pooled(total, space), KAPPA, size)
  return (tables) => {
    const survived = tables === aggregate ? total : survivals(tables, size)
    const rows = tables === aggregate ? prior : shrink(survived, prior, KAPPA, size)
    return { ...tablesOf(rows, size), buckets: space === 'flow' ? bucketShares(survived, total) : NONE }
  }
}

const NONE = new Float64Array()

/** Share of the steps that began in each bucket; a thin category borrows from all. */
function bucketShares(survived: Float64Array, total: Float64Array): Float64Array {
  const all = byBucket(total)
  const sum = sumOf(all)
  const own = byBucket(survived)
  const steps = sumOf(own)
  if (sum === 0) return NONE
  return own.map((n, bucket) => (n + (KAPPA * (all[bucket] ?? 0)) / sum) / (steps + KAPPA))
}

function byBucket(counts: Float64Array): Float64Array {
  const buckets = new Float64Array(FLOW_BUCKETS)
  for (const [at, n] of counts.entries()) add(buckets, flowBucketOf(Math.floor(at / FLOW_STATES)), n)
  return buckets
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** counts[from × S + to] of survived steps. */
function survivals({ counts }: ChainTables, size: number): Float64Array {
  const survived = new Float64Array(size * size)
  for (const [from, to, n] of counts) if (to < size) survived[from * size + to] = n
  return survived
}

/** Per state, the distribution of the steps of all states: probabilities, S × S. */
function pooled(counts: Float64Array, space: StateSpace): Float64Array {
  const size = SPACE_SIZES[space]
  const rows = new Float64Array(size * size)
  const arrivals = new Float64Array(size)
  for (const [at, n] of counts.entries()) add(arrivals, at % size, n)
  for (let from = 0; from < size; from++)
    for (const [to, n] of arrivals.entries()) add(rows, from * size + JOINS[space](from, to), n)
  return shrink(rows, reachable(space), 1, size)
}

/** Per state, equal probabilities of all states that a step can lead to. */
function reachable(space: StateSpace): Float64Array {
  const size = SPACE_SIZES[space]
  const rows = new Float64Array(size * size)
  for (let from = 0; from < size; from++) {
    const ends = new Set(Array.from({ length: size }, (_, to) => JOINS[space](from, to)))
    for (const to of ends) rows[from * size + to] = 1 / ends.size
  }
  return rows
}

/** The state after a step from `from` that leads to `to` elsewhere: running maxima never fall. */
const JOINS: Readonly<Record<StateSpace, (from: number, to: number) => number>> = {
  paper5: Math.max,
  flow: joinFlowStates,
  paper60: (from, to) =>
    advanceSafetyState(from, {
      exposure: exposureOf(to),
      escalation: escalationOf(to),
      reversibility: reversibilityOf(to),
      untrusted: false,
    }),
}

/** Each row of `counts` as probabilities, shrunk towards the row of `prior` with the weight of `kappa` steps. */
function shrink(counts: Float64Array, prior: Float64Array, kappa: number, size: number): Float64Array {
  const totals = new Float64Array(size)
  for (const [at, n] of counts.entries()) add(totals, Math.floor(at / size), n)
  return counts.map(
    (n, at) => (n + kappa * (prior[at] ?? 0)) / ((totals[Math.floor(at / size)] ?? 0) + kappa),
  )
}

function tablesOf(rows: Float64Array, size: number): Omit<DriftTables, 'buckets'> {
  const surprise = rows.map((probability) => -Math.log(Math.max(probability, PROBABILITY_MIN)))
  const entropy = new Float64Array(size)
  for (const [at, probability] of rows.entries())
    add(entropy, Math.floor(at / size), probability * (surprise[at] ?? 0))
  return { surprise, entropy }
}

function add(values: Float64Array, at: number, n: number): void {
  values[at] = (values[at] ?? 0) + n
}
