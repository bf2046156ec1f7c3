import type { Chain } from './chain.js'

/**
 * P(violated within h steps | in s) for h = 0…horizonMax: horizonMax + 1 rows of S values; row 0 is 0, and no value falls as h grows.
 * The `violated` column of Pʰ, by repeated multiplication: f(h) = r + Q f(h − 1). Source: SafetyDrift §5.4.
 *
 * @throws RangeError where horizonMax is not a whole number from 0
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
