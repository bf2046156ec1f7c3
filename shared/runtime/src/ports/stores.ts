/**
 * The port to the store of session records. Adapters: `redis/` (ioredis) and `embedded/`. Every adapter passes
 * test/contract/stores/session-store.contract.ts. Bodies and outboxes are opaque text.
 *
 * A call that rejects with `store_unavailable` may have taken effect in part, each write wholly or not at all: load again to find out.
 * After `close`, calls reject with `closed`.
 */
export interface SessionStore {
  /** The records of `ids`, in order; undefined for a missing one, `UNREADABLE` for a value that is no record. One round trip. */
  load(ids: readonly string[]): Promise<readonly (StoredRecord | undefined)[]>

  /**
   * For each write, atomically: if the stored revision is `expected` (0: no record; -1: a value that is no record), stores the record with
   * its `revisionAfter` and answers true; otherwise answers false. `due`, `counts` and `fleet` are applied together with the record, or not
   * at all. Also answers false if an `unless` of `fleet` forbids the write. Writes are applied in the order given. One round trip for all.
   */
  compareAndSet(writes: readonly RecordWrite[]): Promise<readonly boolean[]>

  /**
   * At most `limit` sessions of `partition` that are due at `untilMs` or earlier, the earliest first. An entry stays until a write of its
   * session or `dropDue` removes it, also after the record has expired.
   */
  due(partition: number, kind: DueKind, untilMs: number, limit: number): Promise<readonly DueSession[]>

  /** Removes those of `entries` whose time is unchanged: for sessions whose record has expired. One round trip. */
  dropDue(partition: number, kind: DueKind, entries: readonly DueSession[]): Promise<void>

  /** The counts under `name`, by field; empty if nothing was added for `COUNTS_TTL_MS`. Not a snapshot during concurrent additions. */
  counted(name: string): Promise<ReadonlyMap<string, number>>

  /** How many other sessions each fleet counter has. One round trip. */
  fleet(queries: readonly FleetQuery[]): Promise<readonly FleetReading[]>

  /** How many sessions of `partition` have an entry of each kind, due or not. */
  dueCounts(partition: number): Promise<Readonly<Record<DueKind, number>>>

  /**
   * Ids of about `limit` sessions with a record, in any order, without internal records (`#…`). Continues after `cursor`; an answer without
   * one is the last. A page may be empty before the last. Sessions written meanwhile may be missing or come twice; all others come at least
   * once.
   */
  list(cursor: string | undefined, limit: number): Promise<SessionPage>

  /** Version, memory and other facts of the store. */
  describe(): Promise<StoreInfo>

  /** Empties the outbox of each record that still has the given revision; body and expiry stay. One round trip. */
  trim(records: readonly { readonly id: string; readonly revision: number }[]): Promise<void>

  /** Fields besides the sessions, such as those of the log. */
  readMeta(name: string): Promise<Readonly<Record<string, string>>>
  writeMeta(name: string, fields: Readonly<Record<string, string>>): Promise<void>

  /** Rejects with `store_unavailable` unless the store answers now. */
  ping(): Promise<void>

  /** Disconnects. Idempotent. */
  close(): Promise<void>
}

export interface StoredRecord {
  /** Counts writes from 1. */
  readonly revision: number
  readonly body: string
  readonly outbox: string
}

export interface RecordWrite {
  readonly id: string
  readonly expected: number
  readonly body: string
  readonly outbox: string
  /** The record expires after this time without a write. */
  readonly ttlMs: number
  /** When the session is due; without it the due sets are not changed. */
  readonly due?: DueTimes
  /** Added to counts that outlive the record. */
  readonly counts?: CountedFields
  /** Fleet counters that the session is added to. */
  readonly fleet?: readonly FleetCount[]
}

/** Adds a session to a fleet counter, which keeps each session once, with its latest time. Source: docs/decisions/20261122-fleet-limits.md. */
export interface FleetCount {
  readonly counter: string
  /** Milliseconds since 1970, whole. */
  readonly atMs: number
  /** Refuses the write if the counter now has this many other sessions, or more, since `sinceMs`. */
  readonly unless?: { readonly others: number; readonly sinceMs: number }
  /** Most sessions kept: those with the latest times. */
  readonly keptMax: number
  /** The counter expires after this time without an addition. */
  readonly ttlMs: number
}

export interface FleetQuery {
  readonly counter: string
  /** The session that is not counted as other. */
  readonly id: string
  /** Sessions with this time or later count. */
  readonly sinceMs: number
}

export interface FleetReading {
  /** Sessions other than `id`; at most the number kept. */
  readonly others: number
  /** The time of `id` itself, in the window or before it; undefined if it is not counted. */
  readonly ownMs: number | undefined
}

export interface CountedFields {
  readonly name: string
  /** Each occurrence adds one; no line breaks. */
  readonly fields: readonly string[]
}

/** Counts expire after this time without an addition. */
export const COUNTS_TTL_MS = 100 * 24 * 3_600_000

/** Why a session is due without an event of its agent. */
export type DueKind = 'approval' | 'obligation' | 'idle'

export interface DueTimes {
  readonly partition: number
  /** Milliseconds since 1970, whole. A missing time removes the session's entry. */
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

/** Fields that a store does not show (as managed ones may) are undefined. */
export interface StoreInfo {
  /** Name and version, for example `redis 7.2.4`. */
  readonly version: string
  /** Sessions need `noeviction`. */
  readonly evictionPolicy: string | undefined
  /** Writes to disk: append-only file, snapshots. */
  readonly persistence: { readonly aof: boolean | undefined; readonly rdb: boolean | undefined }
  readonly memoryBytes: number | undefined
  /** 0: unlimited. */
  readonly memoryBytesMax: number | undefined
  /** The store's own clock, milliseconds since 1970. */
  readonly timeMs: number
  readonly role: 'primary' | 'replica' | undefined
}

/** Whether a record is a session's. Ids of internal records start with `#`, which no session id contains. */
export const isSessionId = (id: string): boolean => !id.startsWith('#')

function assertDue({ approvalMs = 0, obligationMs = 0, idleMs = 0 }: DueTimes): void {
  for (const atMs of [approvalMs, obligationMs, idleMs])
    if (!Number.isSafeInteger(atMs)) throw new RangeError(`\`${atMs}\` is no time in whole milliseconds`)
}

function assertCounts({ fields }: CountedFields): void {
  for (const field of fields)
    if (field === '' || field.includes('\n'))
      throw new RangeError(`\`${field}\` is no valid field of a count`)
}

function assertFleet(marks: readonly FleetCount[]): void {
  for (const { atMs, unless, keptMax, ttlMs } of marks)
    for (const n of [atMs, unless?.others ?? 0, unless?.sinceMs ?? 0, keptMax, ttlMs])
      if (!Number.isSafeInteger(n)) throw new RangeError(`\`${n}\` is no whole number`)
}

/** Throws a `RangeError` for an invalid write, before anything is stored. */
export function assertWrite({ due, counts, fleet }: RecordWrite): void {
  if (due) assertDue(due)
  if (counts) assertCounts(counts)
  if (fleet) assertFleet(fleet)
}

/** The revision of a record after a write that expected `expected`. */
export const revisionAfter = (expected: number): number => Math.max(0, expected) + 1

/** Loaded for a stored value that is no record. Only a write that expects it replaces it. */
export const UNREADABLE: StoredRecord = Object.freeze({ revision: -1, body: '', outbox: '' })

/**
 * The port to the store of lineages: the inherited state of the sessions of one agent and user, for sessions that start later. Adapters:
 * `redis/` (ioredis) and `embedded/` (in one process, or a folder for those of one user). Every adapter passes test/contract/stores/lineage-store.contract.ts. Bodies are opaque text.
 *
 * Calls reject with `store_unavailable` if the store does not answer, and with `closed` after `close`.
 */
export interface LineageStore {
  /** The entries of `lineage`, in any order; none after its TTL without a report. One round trip. */
  read(lineage: string): Promise<readonly LineageEntry[]>

  /**
   * Atomically removes the entries of `instead` that are unchanged, and stores `entry` in place of an earlier one with its id. Answers false,
   * and stores nothing, if there are `keptMax` others. One round trip.
   */
  report(lineage: string, entry: LineageEntry, bounds: LineageBounds): Promise<boolean>

  /** Rejects with `store_unavailable` unless the store answers now. */
  ping(): Promise<void>

  /** Disconnects. Idempotent. */
  close(): Promise<void>
}

/** The state of one session. */
export interface LineageEntry {
  readonly id: string
  readonly body: string
}

export interface LineageBounds {
  /** The lineage expires after this time without a report, milliseconds. */
  readonly ttlMs: number
  readonly keptMax: number
  /** Entries whose state the new one includes. */
  readonly instead?: readonly LineageEntry[]
}
