/** What is counted over many rows, each page asks for every few seconds: so old it may be, milliseconds. */
const AGE_MS_MAX = 2_000
/** Queries whose counts are kept. */
const KEPT_MAX = 100

/**
 * What `count` gives for a query, counted at most once in two seconds.
 * @param query of texts and lists of them, its members always in one order
 */
export function createCountsCache<Query extends object, Counts>(
  count: (query: Query) => Promise<Counts>,
  now: () => number,
) {
  const kept = new Map<string, { readonly atMs: number; readonly counts: Promise<Counts> }>()
  return (query: Query): Promise<Counts> => {
    const key = JSON.stringify(query)
    const known = kept.get(key)
    if (known && now() - known.atMs < AGE_MS_MAX) return known.counts
    if (kept.size >= KEPT_MAX) kept.clear()
    const counts = count(query)
    kept.set(key, { atMs: now(), counts })
    // A failure is not kept.
    counts.catch(() => kept.delete(key))
    return counts
  }
}
