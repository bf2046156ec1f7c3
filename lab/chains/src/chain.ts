/**
 * An absorbing Markov chain over `states` transient states and one or two absorbing ones. Index `states` is `violated`, index
 * `states + 1`, if present, is `ended`. Source: SafetyDrift §5.1. `ended` is our addition: recorded sessions end after a median of three
 * steps, so a chain without it overestimates the risk.
 */
export interface Chain {
  /** S, the number of transient states. */
  readonly states: number
  /** 1: `violated` alone; 2: `violated` and `ended`. */
  readonly absorbing: 1 | 2
  /** rows[from][to]: probability of one step, S rows of S + absorbing values, each row summing to 1. */
  readonly rows: readonly Float64Array[]
}

/** Rounding error allowed in a sum of doubles. */
const SUM_TOLERANCE = 1e-9

/**
 * A chain from its transient rows (those of the absorbing states are left out).
 *
 * @throws RangeError if rows differ in length, hold anything but probabilities, or do not sum to 1
 */
export function createChain(rows: readonly ArrayLike<number>[]): Chain {
  const states = rows.length
  const absorbing = (rows[0]?.length ?? 0) - states
  if (absorbing !== 1 && absorbing !== 2)
    throw new RangeError(`expected ${states + 1} or ${states + 2} values in each row`)
  const copies = rows.map((row) => Float64Array.from(row))
  for (const [from, row] of copies.entries()) assertDistribution(row, states + absorbing, from)
  return { states, absorbing, rows: copies }
}

function assertDistribution(row: Float64Array, length: number, from: number): void {
  if (row.length !== length) throw new RangeError(`expected ${length} values in row ${from}`)
  let sum = 0
  for (const probability of row) {
    if (!(probability >= 0 && probability <= 1 + SUM_TOLERANCE))
      throw new RangeError(`expected probabilities in row ${from}`)
    sum += probability
  }
  if (Math.abs(sum - 1) > SUM_TOLERANCE) throw new RangeError(`expected row ${from} to sum to 1`)
}

/**
 * P(violated within h steps | in s) for h = 0…horizonMax: horizonMax + 1 rows of S values; row 0 is 0, and no value falls as h grows.
 * The `violated` column of Pʰ, by repeated multiplication: f(h) = r + Q f(h − 1). Source: SafetyDrift §5.4.
 *
 * @throws RangeError if horizonMax is not a whole number from 0
 */
export function horizonTable(chain: Chain, horizonMax: number): readonly Float64Array[] {
  if (!Number.isInteger(horizonMax) || horizonMax < 0)
    throw new RangeError('expected a whole horizonMax from 0')
  const table: Float64Array[] = [new Float64Array(chain.states)]
  for (let h = 1; h <= horizonMax; h++) table.push(nextRow(chain, table[h - 1] ?? new Float64Array()))
  return table
}

function nextRow({ states, rows }: Chain, previous: Float64Array): Float64Array {
  const next = new Float64Array(states)
  for (const [s, row] of rows.entries()) {
    let probability = row[states] ?? 0
    for (let to = 0; to < states; to++) probability += (row[to] ?? 0) * (previous[to] ?? 0)
    next[s] = Math.min(1, Math.max(previous[s] ?? 0, probability))
  }
  return next
}

/** A state from which a violation soon is more likely than a threshold. */
export interface PointOfNoReturn {
  readonly state: number
  /** The first h at which P(h) exceeds the threshold. */
  readonly horizon: number
  /** P(horizonMax). */
  readonly probability: number
}

/**
 * The states whose probability of `violated` within `horizonMax` steps exceeds the threshold, by state. Source: SafetyDrift §5.5.
 *
 * @throws RangeError if the threshold is no probability or horizonMax is not a whole number from 0
 */
export function pointsOfNoReturn(chain: Chain, threshold: number, horizonMax: number): PointOfNoReturn[] {
  if (!(threshold >= 0 && threshold <= 1)) throw new RangeError('expected a threshold from 0 to 1')
  const table = horizonTable(chain, horizonMax)
  const points: PointOfNoReturn[] = []
  for (let state = 0; state < chain.states; state++) {
    // P(h) never falls, so the first h above the threshold is enough.
    const horizon = table.findIndex((row) => (row[state] ?? 0) > threshold)
    if (horizon >= 0) points.push({ state, horizon, probability: table[horizonMax]?.[state] ?? 0 })
  }
  return points
}
