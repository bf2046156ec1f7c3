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

/** Numbers by name and member; a name expires. */
function createExpiring(clock: Clock) {
  const all = new Map<string, { readonly members: Map<string, number>; expiresAtMs: number }>()
  const find = (name: string): ReadonlyMap<string, number> | undefined => {
    const found = all.get(name)
    if (!found || found.expiresAtMs > clock.now()) return found?.members
    all.delete(name)
    return undefined
  }
  return {
    find,
    /** The members of `name`, which expires at `expiresAtMs` or later. */
    touch: (name: string, expiresAtMs: number): Map<string, number> => {
      find(name)
      const named = all.get(name) ?? { members: new Map<string, number>(), expiresAtMs: 0 }
      all.set(name, named)
      named.expiresAtMs = Math.max(named.expiresAtMs, expiresAtMs)
      return named.members
    },
  }
}

/** Counts by name and field. */
function createCounts(clock: Clock) {
  const counts = createExpiring(clock)
  return {
    add: ({ name, fields }: CountedFields): void => {
      if (fields.length === 0) return
      const members = counts.touch(name, clock.now() + COUNTS_TTL_MS)
      for (const field of fields) members.set(field, (members.get(field) ?? 0) + 1)
    },
    find: (name: string): ReadonlyMap<string, number> => new Map(counts.find(name)),
  }
}

/** When the sessions of each partition are due. */
function createDueSets() {
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
    set: (id: string, { partition, approvalMs, obligationMs, idleMs }: DueTimes): void => {
      put(setOf(partition, 'approval'), id, approvalMs)
      put(setOf(partition, 'obligation'), id, obligationMs)
      put(setOf(partition, 'idle'), id, idleMs)
    },
    find: (partition: number, kind: DueKind, untilMs: number, limit: number): DueSession[] =>
      [...setOf(partition, kind)]
        .filter(([, atMs]) => atMs <= untilMs)
        .map(([id, atMs]) => ({ id, atMs }))
        .sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    drop: (partition: number, kind: DueKind, { id, atMs }: DueSession): void => {
      const entries = setOf(partition, kind)
      if (entries.get(id) === atMs) entries.delete(id)
    },
    count: (partition: number, kind: DueKind): number => setOf(partition, kind).size,
  }
}

/** The sessions of each fleet counter, with their latest times. */
function createFleetCounters(clock: Clock) {
  const counters = createExpiring(clock)
  const read = ({ counter, id, sinceMs }: FleetQuery): FleetReading => {
    const times = counters.find(counter) ?? new Map<string, number>()
    let others = 0
    for (const [session, atMs] of times) if (session !== id && atMs >= sinceMs) others++
    return { others, ownMs: times.get(id) }
  }
  const add = (id: string, { counter, atMs, keptMax, ttlMs }: FleetCount) => {
    const times = counters.touch(counter, clock.now() + ttlMs)
    const isNew = !times.has(id)
    times.set(id, Math.max(times.get(id) ?? 0, atMs))
    if (isNew && times.size > keptMax) times.delete(earliestOf(times))
  }
  return {
    /** Whether no `unless` of `marks` forbids the write. */
    allow: (id: string, marks: readonly FleetCount[]): boolean =>
      marks.every(
        ({ counter, unless }) =>
          !unless || read({ counter, id, sinceMs: unless.sinceMs }).others < unless.others,
      ),
    add: (id: string, marks: readonly FleetCount[]): void => {
      for (const mark of marks) add(id, mark)
    },
    read,
  }
}

/** Of equally early ones the first by name, as in Redis. */
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

export type EmbeddedRecords = ReturnType<typeof createEmbeddedRecords>

export interface EmbeddedRecordsOptions {
  /** Decides when records expire. */
  readonly clock?: Clock
  /** Records held at a time; 1,000,000 by default. */
  readonly recordsMax?: number
}

interface Held extends StoredRecord {
  readonly expiresAtMs: number
  /** Position of the last write among those of all records. */
  readonly place: number
}

/** Oldest records checked for expiry at each write. */
const SWEPT_PER_WRITE = 2

/** Records in this process, none at first. Pass them to several `createEmbeddedStore` for several clients of one store. */
export function createEmbeddedRecords(options: EmbeddedRecordsOptions = {}) {
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
    meta: new Map<string, Readonly<Record<string, string>>>(),
    due,
    counts,
    fleet,
    clock,
    find: (id: string): StoredRecord | undefined => {
      const held = findHeld(id)
      return held && { revision: held.revision, body: held.body, outbox: held.outbox }
    },
    /** Throws `store_unavailable` if the store is full. */
    write: ({
      id,
      expected,
      body,
      outbox,
      ttlMs,
      due: times,
      counts: counted,
      fleet: marks,
    }: RecordWrite): boolean => {
      sweep()
      if ((findHeld(id)?.revision ?? 0) !== expected) return false
      if (marks && !fleet.allow(id, marks)) return false
      if (expected === 0 && records.size >= recordsMax)
        throw new PlimsollError('store_unavailable', `the store is full: it has ${recordsMax} records`)
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
    trim: (id: string, revision: number): void => {
      const held = findHeld(id)
      if (held?.revision === revision) records.set(id, { ...held, outbox: '' })
    },
    // A record that is written meanwhile moves after the cursor, so no page misses it.
    list: (cursor: string | undefined, limit: number): SessionPage => {
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
