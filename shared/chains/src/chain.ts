/**
 * An absorbing Markov chain over `states` transient states and one or two absorbing ones. Index `states` is `violated`, index
 * `states + 1`, where there is one, is `ended`. Source: SafetyDrift §5.1; `ended` is ours: recorded sessions end after a median of
 * three steps, so a chain that lets them go on for ever says too much.
 */
export interface Chain {
  /** S, the number of transient states. */
  readonly states: number
  /** 1: `violated` alone; 2: `violated` and `ended`. */
  readonly absorbing: 1 | 2
  /** rows[from][to]: probability of one step, S rows of S + absorbing values, each row summing to 1. */
  readonly rows: readonly Float64Array[]
}

/** What sums of rounded doubles may miss. */
const SUM_TOLERANCE = 1e-9

/**
 * A chain from its transient rows (those of the absorbing states are left out).
 *
 * @throws RangeError where rows differ in length, hold something else than probabilities, or do not sum to 1
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
