import type { DueKind, DueSession, DueTimes } from '../session-store.js'

/** When the sessions of each partition are due. */
export interface DueSets {
  set(id: string, due: DueTimes): void
  find(partition: number, kind: DueKind, untilMs: number, limit: number): DueSession[]
  drop(partition: number, kind: DueKind, entry: DueSession): void
  count(partition: number, kind: DueKind): number
}

export function createDueSets(): DueSets {
  const sets = new Map<string, Map<string, number>>()
  const setOf = (partition: number, kind: DueKind): Map<string, number> => {
    const name = `${partition}:${kind}`
    const entries = sets.get(name) ?? new Map<string, number>()
    sets.set(name, entries)
    return entries
  }
  const put = (entries: Map<string, number>, id: string, atMs: number | undefined) => {
    if (atMs === undefined) entries.delete(id)
    else entries.set(id, atMs)
  }
  return {
    set: (id, { partition, approvalMs, obligationMs, idleMs }) => {
      put(setOf(partition, 'approval'), id, approvalMs)
      put(setOf(partition, 'obligation'), id, obligationMs)
      put(setOf(partition, 'idle'), id, idleMs)
    },
    find: (partition, kind, untilMs, limit) =>
      [...setOf(partition, kind)]
        .filter(([, atMs]) => atMs <= untilMs)
        .map(([id, atMs]) => ({ id, atMs }))
        .sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    drop: (partition, kind, { id, atMs }) => {
      const entries = setOf(partition, kind)
      if (entries.get(id) === atMs) entries.delete(id)
    },
    count: (partition, kind) => setOf(partition, kind).size,
  }
}
