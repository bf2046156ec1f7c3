import type { ChainTables } from '@plimsoll/contracts'
import { groupedBy } from '../evaluation/grouped.js'

/**
 * The steps behind a chain's tables, of each row at most `kappa` in proportion: what live counts are shrunk towards. Whole numbers,
 * for a bundle holds its counts; remainders go to the largest, so that a row keeps its sum. transitions[from × (S + 2) + to].
 *
 * @param withViolated whether the column `violated` is kept
 */
export function priorCounts(
  { counts }: ChainTables,
  states: number,
  kappa: number,
  withViolated: boolean,
): Float64Array {
  const width = states + 2
  const prior = new Float64Array(states * width)
  const rows = groupedBy(
    counts.filter(([, to]) => withViolated || to !== states),
    ([from]) => from,
  )
  for (const [from, row] of rows) {
    const kept = scaled(
      row.map(([, , n]) => n),
      kappa,
    )
    for (const [i, [, to]] of row.entries()) prior[from * width + to] = kept[i] ?? 0
  }
  return prior
}

/** `values` in proportion, as whole numbers that sum to `total`; as they are where they do not sum to more. */
function scaled(values: readonly number[], total: number): number[] {
  const sum = values.reduce((a, b) => a + b, 0)
  if (sum <= total) return [...values]
  const exact = values.map((value) => (value * total) / sum)
  const whole = exact.map(Math.floor)
  const left = total - whole.reduce((a, b) => a + b, 0)
  const byRemainder = [...exact.keys()].sort(
    (a, b) => (exact[b] ?? 0) - (whole[b] ?? 0) - ((exact[a] ?? 0) - (whole[a] ?? 0)) || a - b,
  )
  for (const at of byRemainder.slice(0, left)) whole[at] = (whole[at] ?? 0) + 1
  return whole
}
