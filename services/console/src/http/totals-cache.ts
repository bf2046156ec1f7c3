import type { FleetTotals } from '../api.js'
import type { ReadStore, SessionQuery } from '../store/read-store.js'

/** Totals are counted over many rows, and each page asks for them every few seconds: so old they may be, milliseconds. */
const AGE_MS_MAX = 2_000
/** Filters whose totals are kept. */
const KEPT_MAX = 100

/** The totals of a filter, counted at most once in two seconds. */
export function createTotalsCache(store: Pick<ReadStore, 'totals'>, now: () => number) {
  const kept = new Map<string, { readonly atMs: number; readonly totals: Promise<FleetTotals> }>()
  return (query: SessionQuery): Promise<FleetTotals> => {
    const key = JSON.stringify([query.tenants, query.category, query.agent, query.level])
    const known = kept.get(key)
    if (known && now() - known.atMs < AGE_MS_MAX) return known.totals
    if (kept.size >= KEPT_MAX) kept.clear()
    const totals = store.totals(query, now())
    kept.set(key, { atMs: now(), totals })
    // A failure is not kept.
    totals.catch(() => kept.delete(key))
    return totals
  }
}
