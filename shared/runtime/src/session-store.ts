/**
 * The port to the store of session records. Adapters: `redis/` (ioredis) and `embedded/`. Every adapter passes
 * test/contract/session-store.contract.ts. Bodies and outboxes are opaque text to it.
 *
 * A call that rejects with `store_unavailable` may have done its work in part, each write wholly or not at all: whoever needs to
 * know loads again. After `close`, calls reject with `closed`.
 */
export interface SessionStore {
  /** The records of `ids`, in their order; undefined where there is none, `UNREADABLE` for what is no record. One round trip. */
  load(ids: readonly string[]): Promise<readonly (StoredRecord | undefined)[]>

  /**
   * For each write, alone and atomically: if the stored revision is `expected` (0: there is no record), stores the record with
   * revision `expected + 1` and answers true; else leaves it and answers false. One round trip for all.
   */
  compareAndSet(writes: readonly RecordWrite[]): Promise<readonly boolean[]>

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
}

/** What `load` gives where something else than a record is stored: nobody can be judged by it, and nothing is written over it. */
export const UNREADABLE: StoredRecord = Object.freeze({ revision: -1, body: '', outbox: '' })
