import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type Clock } from '../clock.js'
import {
  isSessionId,
  revisionAfter,
  type RecordWrite,
  type SessionPage,
  type StoredRecord,
} from '../session-store.js'
import { createCounts, type Counts } from './counts.js'
import { createDueSets, type DueSets } from './due-sets.js'
import { createFleetCounters, type FleetCounters } from './fleet-counters.js'

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
