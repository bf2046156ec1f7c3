import { wilson } from '@plimsoll/chains'
import type { Bundle, ChainTables } from '@plimsoll/contracts'
import { spaceOf, stateName } from '../fit/chain/space.js'
import type { LiveTally } from './live-tally.js'

/** A way that live sessions take more or less often than those that the bundle was fitted to. */
export interface LiveChange {
  readonly from: string
  readonly to: string
  /** Among steps and ends from there: recorded share, live share, and where the true one lies with 95% confidence. */
  readonly recorded: number
  readonly live: number
  readonly low: number
  readonly high: number
  readonly n: number
  readonly of: number
}

/**
 * Where live sessions of a chain go otherwise than the recorded ones: the recorded share lies outside the Wilson interval of the live
 * one. The ones that most steps took first. Violations are left out: what tells of them differs.
 */
export function liveChanges(
  tables: ChainTables,
  live: LiveTally,
  bundle: Bundle,
  limit: number,
): LiveChange[] {
  const { size, name } = spaceOf(bundle.space)
  const recorded = sharesOf(tables, size)
  const nameOf = (s: number) => (s === size + 1 ? 'ended' : stateName(name, s))
  const changes: (LiveChange & { readonly weight: number })[] = []
  for (let from = 0; from < size; from++) {
    const row = live.transitions.subarray(from * (size + 2), (from + 1) * (size + 2))
    const of = row.reduce((sum, n, to) => (to === size ? sum : sum + n), 0)
    const before = recorded.get(from)
    if (of === 0 || !before) continue
    for (const [to, n] of row.entries()) {
      const share = before.get(to) ?? 0
      if (to === size || (n === 0 && share === 0)) continue
      const { rate, low, high } = wilson(n, of)
      if (share >= low && share <= high) continue
      const weight = Math.abs(rate - share) * of
      changes.push({
        from: nameOf(from),
        to: nameOf(to),
        recorded: share,
        live: rate,
        low,
        high,
        n,
        of,
        weight,
      })
    }
  }
  return changes
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ weight: _weight, ...change }) => change)
}

/** Shares of each row of a bundle's counts, violations left out. */
function sharesOf({ counts }: ChainTables, size: number): Map<number, Map<number, number>> {
  const totals = new Map<number, number>()
  const rows = new Map<number, Map<number, number>>()
  for (const [from, to, n] of counts)
    if (to !== size) {
      totals.set(from, (totals.get(from) ?? 0) + n)
      rows.set(from, (rows.get(from) ?? new Map<number, number>()).set(to, n))
    }
  for (const [from, row] of rows) for (const [to, n] of row) row.set(to, n / (totals.get(from) ?? 1))
  return rows
}
