/**
 * The port to the store of session records. Adapters: `redis/` (ioredis) and `embedded/`. Every adapter passes
 * test/contract/session-store.contract.ts. Bodies and outboxes are opaque text to it.
 *
 * A call that rejects with `store_unavailable` may have done its work in part, each write wholly or not at all: anyone who needs to
 * know loads again. After `close`, calls reject with `closed`.
 */
export interface SessionStore {
  /** The records of `ids`, in their order; undefined where there is none, `UNREADABLE` for what is no record. One round trip. */
  load(ids: readonly string[]): Promise<readonly (StoredRecord | undefined)[]>

  /**
   * For each write, alone and atomically: if the stored revision is `expected` (0: there is nothing; -1: there is something that is no
   * record), stores the record with the `revisionAfter` it and answers true; else leaves it and answers false. What `due` says is stored with the record, or not at all; so is what `counts` adds,
   * and that the session counts among those of `fleet`. Answers false as well where one of its marks finds as many others as it may not.
   * Writes are applied in the order given. One round trip for all.
   */
  compareAndSet(writes: readonly RecordWrite[]): Promise<readonly boolean[]>

  /**
   * At most `limit` sessions of `partition` that are due at `untilMs` or before, the earliest first. An entry stays until a write of
   * its session or `dropDue` says otherwise, also when the record has gone by its age.
   */
  due(partition: number, kind: DueKind, untilMs: number, limit: number): Promise<readonly DueSession[]>

  /** Takes away those of `entries` that still stand with their time: for sessions that have no record any more. One round trip. */
  dropDue(partition: number, kind: DueKind, entries: readonly DueSession[]): Promise<void>

  /** What was counted under `name`, by field; empty where nothing was, or nothing for `COUNTS_TTL_MS`. Not of one moment while it is added to. */
  counted(name: string): Promise<ReadonlyMap<string, number>>

  /** How many other sessions each counter of the fleet has. One round trip. */
  fleet(queries: readonly FleetQuery[]): Promise<readonly FleetReading[]>

  /** How many sessions of `partition` have an entry of each kind, due or not. */
  dueCounts(partition: number): Promise<Readonly<Record<DueKind, number>>>

  /**
   * Ids of sessions that have a record, about `limit` of them, in no order; those whose ids begin with `#` are no sessions and left out.
   * Goes on behind `cursor`; an answer without one is the last. A page may be empty before the last. What is written meanwhile may be
   * missing or come twice; all else comes at least once.
   */
  list(cursor: string | undefined, limit: number): Promise<SessionPage>

  /** What the store tells of itself. */
  describe(): Promise<StoreInfo>

  /** Empties the outbox of each record that still has the given revision. One round trip. Body and expiry stay. */
  trim(records: readonly { readonly id: string; readonly revision: number }[]): Promise<void>

  /** Fields kept beside the sessions, such as what is known of the log. */
  readMeta(name: string): Promise<Readonly<Record<string, string>>>
  writeMeta(name: string, fields: Readonly<Record<string, string>>): Promise<void>

  /** Rejects with `store_unavailable` unless the store answers now. */
  ping(): Promise<void>

  /** Disconnects. Harmless a second time. */
  close(): Promise<void>
}

export interface StoredRecord {
  /** Counts writes from 1. */
  readonly revision: number
  readonly body: string
  /** Empty where there is nothing in it. */
  readonly outbox: string
}

export interface RecordWrite {
  readonly id: string
  readonly expected: number
  readonly body: string
  readonly outbox: string
  /** The record goes when it has not been written for so long. */
  readonly ttlMs: number
  /** When the session is due, in the sets of its partition; the sets are left alone without it. */
  readonly due?: DueTimes
  /** What is added to counts that outlive the record. */
  readonly counts?: CountedFields
  /** Counters of the fleet that the session is to be found in. */
  readonly fleet?: readonly FleetCount[]
}

/** A session did what a counter counts. The counter keeps each session once, with the latest time. Source: docs/decisions/20261122-fleet-limits.md. */
export interface FleetCount {
  readonly counter: string
  /** Milliseconds since 1970, whole. */
  readonly atMs: number
  /** The write is refused where so many others or more are counted from `sinceMs` on by now. Left out: however many they are. */
  readonly unless?: { readonly others: number; readonly sinceMs: number }
  /** Sessions kept at most: of more, those of the latest times. */
  readonly keptMax: number
  /** The counter goes when nothing was added for so long. */
  readonly ttlMs: number
}

export interface FleetQuery {
  readonly counter: string
  /** The session that asks. */
  readonly id: string
  /** Counted are those of this time or later. */
  readonly sinceMs: number
}

export interface FleetReading {
  /** Sessions other than the one that asks; no more than are kept. */
  readonly others: number
  /** The time with which the one that asks is counted itself, be it in the window or before it; undefined where it is not. */
  readonly ownMs: number | undefined
}

export interface CountedFields {
  /** Of the counts that are added to. */
  readonly name: string
  /** Each has one added as often as it stands here; no line breaks. */
  readonly fields: readonly string[]
}

/** Counts to which nothing was added for so long are gone. */
export const COUNTS_TTL_MS = 100 * 24 * 3_600_000

/** Why a session needs to be looked at though nobody has sent an event. */
export type DueKind = 'approval' | 'obligation' | 'idle'

export interface DueTimes {
  readonly partition: number
  /** Milliseconds since 1970, whole. A time that is left out takes the session's entry away. */
  readonly approvalMs?: number
  readonly obligationMs?: number
  readonly idleMs?: number
}

export interface DueSession {
  readonly id: string
  readonly atMs: number
}

export interface SessionPage {
  readonly ids: readonly string[]
  /** Absent on the last page. */
  readonly cursor?: string
}

/** Fields that a store does not tell (managed ones keep some to themselves) are undefined. */
export interface StoreInfo {
  /** Name and version, such as `redis 7.2.4`. */
  readonly version: string
  /** What goes when memory is full; `noeviction` is what the sessions need. */
  readonly evictionPolicy: string | undefined
  /** Whether records are also written to disk: each write (`aof`), and snapshots (`rdb`). */
  readonly persistence: { readonly aof: boolean | undefined; readonly rdb: boolean | undefined }
  readonly memoryBytes: number | undefined
  /** 0: no bound of its own. */
  readonly memoryBytesMax: number | undefined
  /** The store's own clock, milliseconds since 1970. */
  readonly timeMs: number
  readonly role: 'primary' | 'replica' | undefined
}

/** Whether a record's id is a session's: internal records begin with what no session's id holds. */
export const isSessionId = (id: string): boolean => !id.startsWith('#')

/** Throws a `RangeError` for what is no time: it must be found before anything is written. */
function assertDue({ approvalMs = 0, obligationMs = 0, idleMs = 0 }: DueTimes): void {
  for (const atMs of [approvalMs, obligationMs, idleMs])
    if (!Number.isSafeInteger(atMs)) throw new RangeError(`\`${atMs}\` is no time in whole milliseconds`)
}

/** Throws a `RangeError` for a field that is none: it must be found before anything is written. */
function assertCounts({ fields }: CountedFields): void {
  for (const field of fields)
    if (field === '' || field.includes('\n'))
      throw new RangeError(`\`${field}\` is no field that can be counted`)
}

/** Throws a `RangeError` for marks that are none: it must be found before anything is written. */
function assertFleet(marks: readonly FleetCount[]): void {
  for (const { atMs, unless, keptMax, ttlMs } of marks)
    for (const n of [atMs, unless?.others ?? 0, unless?.sinceMs ?? 0, keptMax, ttlMs])
      if (!Number.isSafeInteger(n)) throw new RangeError(`\`${n}\` is no whole number`)
}

/** Throws a `RangeError` for what of a write could not be stored. */
export function assertWrite({ due, counts, fleet }: RecordWrite): void {
  if (due) assertDue(due)
  if (counts) assertCounts(counts)
  if (fleet) assertFleet(fleet)
}

/** The revision of a record that was written where `expected` stood. */
export const revisionAfter = (expected: number): number => Math.max(0, expected) + 1

/** What `load` gives where something else than a record is stored: nobody can be judged by it. Only who expects it writes over it. */
export const UNREADABLE: StoredRecord = Object.freeze({ revision: -1, body: '', outbox: '' })

/**
 * The port to the store of lineages: what the sessions of one agent and user have learned, for those that begin later. Adapters: `redis/`
 * (ioredis) and `embedded/`. Every adapter passes test/contract/lineage-store.contract.ts. Bodies are opaque text to it.
 *
 * Calls reject with `store_unavailable` where the store does not answer, and with `closed` after `close`.
 */
export interface LineageStore {
  /** What is kept of `lineage`, in no order; empty where nothing is, or nothing was told of it for its time. One round trip. */
  read(lineage: string): Promise<readonly LineageEntry[]>

  /**
   * Keeps `entry` in place of what it said before, and takes away those of `instead` that still stand as they are given; atomically. Answers false, and keeps what
   * there is, where `keptMax` others are kept. One round trip.
   */
  report(lineage: string, entry: LineageEntry, bounds: LineageBounds): Promise<boolean>

  /** Rejects with `store_unavailable` unless the store answers now. */
  ping(): Promise<void>

  /** Disconnects. Harmless a second time. */
  close(): Promise<void>
}

/** What one session knows. */
export interface LineageEntry {
  readonly id: string
  readonly body: string
}

export interface LineageBounds {
  /** Everything of the lineage goes when nothing was told for so long, milliseconds. */
  readonly ttlMs: number
  readonly keptMax: number
  /** What the entry knows as well. */
  readonly instead?: readonly LineageEntry[]
}
