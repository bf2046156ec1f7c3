import { PlimsollError } from '@plimsoll/contracts'
import {
  type CountedFields,
  type DueKind,
  type DueSession,
  type DueTimes,
  type FleetCount,
  type FleetQuery,
  type FleetReading,
  type RecordWrite,
  type SessionPage,
  type StoredRecord,
  COUNTS_TTL_MS,
  isSessionId,
  revisionAfter,
} from '../ports/stores.js'
import { type Clock, systemClock } from '../timing.js'

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

/** Which sessions did lately what a counter counts. */
export interface FleetCounters {
  /** Whether every mark finds as few others as it must. */
  allow(id: string, marks: readonly FleetCount[]): boolean
  add(id: string, marks: readonly FleetCount[]): void
  read(query: FleetQuery): FleetReading
}

interface Counter {
  readonly times: Map<string, number>
  expiresAtMs: number
}

export function createFleetCounters(clock: Clock): FleetCounters {
  const counters = new Map<string, Counter>()
  const find = (name: string): Counter | undefined => {
    const found = counters.get(name)
    if (!found || found.expiresAtMs > clock.now()) return found
    counters.delete(name)
    return undefined
  }
  const read = ({ counter, id, sinceMs }: FleetQuery): FleetReading => {
    const times = find(counter)?.times ?? new Map<string, number>()
    let others = 0
    for (const [session, atMs] of times) if (session !== id && atMs >= sinceMs) others++
    return { others, ownMs: times.get(id) }
  }
  const add = (id: string, { counter, atMs, keptMax, ttlMs }: FleetCount) => {
    const found = find(counter) ?? { times: new Map<string, number>(), expiresAtMs: 0 }
    counters.set(counter, found)
    const { times } = found
    const isNew = !times.has(id)
    times.set(id, Math.max(times.get(id) ?? 0, atMs))
    if (isNew && times.size > keptMax) times.delete(earliestOf(times))
    found.expiresAtMs = Math.max(found.expiresAtMs, clock.now() + ttlMs)
  }
  return {
    allow: (id, marks) =>
      marks.every(
        ({ counter, unless }) =>
          !unless || read({ counter, id, sinceMs: unless.sinceMs }).others < unless.others,
      ),
    add: (id, marks) => {
      for (const mark of marks) add(id, mark)
    },
    read,
  }
}

/** Of several the first by its name, as Redis has it. */
function earliestOf(times: ReadonlyMap<string, number>): string {
  let earliest = ''
  let atMs = Infinity
  for (const [id, time] of times)
    if (time < atMs || (time === atMs && id < earliest)) {
      earliest = id
      atMs = time
    }
  return earliest
}

/** What a store holds: what outlives the `SessionStore`s over it. */
export interface EmbeddedRecords {
  find(id: string): StoredRecord | undefined
  /** Throws `store_unavailable` where there is no room for one more. */
  write(write: RecordWrite): boolean
  trim(id: string, revision: number): void
  list(cursor: string | undefined, limit: number): SessionPage
  readonly due: DueSets
  readonly counts: Counts
  readonly fleet: FleetCounters
  readonly meta: Map<string, Readonly<Record<string, string>>>
  readonly clock: Clock
}

export interface EmbeddedRecordsOptions {
  /** Tells when records expire. */
  readonly clock?: Clock
  /** Records held at a time; 1,000,000 by default. */
  readonly recordsMax?: number
}

interface Held extends StoredRecord {
  readonly expiresAtMs: number
  /** Counts the writes of all records: their order in the map. */
  readonly place: number
}

/** How many of the records longest unwritten are looked at with each write, to let go of those that have expired. */
const SWEPT_PER_WRITE = 2

/** Records in this process, none at first. Give them to several `createEmbeddedStore` to have several clients of one store. */
export function createEmbeddedRecords(options: EmbeddedRecordsOptions = {}): EmbeddedRecords {
  const { clock = systemClock, recordsMax = 1_000_000 } = options
  // In the order of their last writes.
  const records = new Map<string, Held>()
  const due = createDueSets()
  const counts = createCounts(clock)
  const fleet = createFleetCounters(clock)
  let places = 0

  const findHeld = (id: string): Held | undefined => {
    const held = records.get(id)
    if (!held || held.expiresAtMs > clock.now()) return held
    records.delete(id)
    return undefined
  }
  const sweep = () => {
    let left = SWEPT_PER_WRITE
    for (const id of records.keys()) {
      if (left-- === 0) return
      findHeld(id)
    }
  }
  return {
    meta: new Map(),
    due,
    counts,
    fleet,
    clock,
    find: (id) => {
      const held = findHeld(id)
      return held && { revision: held.revision, body: held.body, outbox: held.outbox }
    },
    write: ({ id, expected, body, outbox, ttlMs, due: times, counts: counted, fleet: marks }) => {
      sweep()
      if ((findHeld(id)?.revision ?? 0) !== expected) return false
      if (marks && !fleet.allow(id, marks)) return false
      if (expected === 0 && records.size >= recordsMax)
        throw new PlimsollError(
          'store_unavailable',
          `the store holds ${recordsMax} records and takes no more`,
        )
      records.delete(id)
      const place = ++places
      records.set(id, {
        revision: revisionAfter(expected),
        body,
        outbox,
        expiresAtMs: clock.now() + ttlMs,
        place,
      })
      if (times) due.set(id, times)
      if (counted) counts.add(counted)
      if (marks) fleet.add(id, marks)
      return true
    },
    trim: (id, revision) => {
      const held = findHeld(id)
      if (held?.revision === revision) records.set(id, { ...held, outbox: '' })
    },
    // What is written again moves behind the cursor, and so is missed by nobody.
    list: (cursor, limit) => {
      const ids: string[] = []
      for (const [id, { place }] of records) {
        if (place <= Number(cursor ?? 0) || !findHeld(id)) continue
        if (isSessionId(id)) ids.push(id)
        if (ids.length >= limit) return { ids, cursor: String(place) }
      }
      return { ids }
    },
  }
}
