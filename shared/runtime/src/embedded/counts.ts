import type { Clock } from '../clock.js'
import { COUNTS_TTL_MS, type CountedFields } from '../session-store.js'

/** Counts by name and field. */
export interface Counts {
  add(counted: CountedFields): void
  find(name: string): ReadonlyMap<string, number>
}

interface Named {
  readonly fields: Map<string, number>
  expiresAtMs: number
}

export function createCounts(clock: Clock): Counts {
  const all = new Map<string, Named>()
  const find = (name: string): Named | undefined => {
    const found = all.get(name)
    if (!found || found.expiresAtMs > clock.now()) return found
    all.delete(name)
    return undefined
  }
  return {
    add: ({ name, fields }) => {
      if (fields.length === 0) return
      const named = find(name) ?? { fields: new Map<string, number>(), expiresAtMs: 0 }
      all.set(name, named)
      named.expiresAtMs = clock.now() + COUNTS_TTL_MS
      for (const field of fields) named.fields.set(field, (named.fields.get(field) ?? 0) + 1)
    },
    find: (name) => new Map(find(name)?.fields),
  }
}
