import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type Clock } from '../clock.js'
import type { RecordWrite, StoredRecord } from '../session-store.js'

/** What a store holds: what outlives the `SessionStore`s over it. */
export interface EmbeddedRecords {
  find(id: string): StoredRecord | undefined
  /** Throws `store_unavailable` where there is no room for one more. */
  write(write: RecordWrite): boolean
  trim(id: string, revision: number): void
  readonly meta: Map<string, Readonly<Record<string, string>>>
}

export interface EmbeddedRecordsOptions {
  /** Tells when records expire. */
  readonly clock?: Clock
  /** Records held at a time; 1,000,000 by default. */
  readonly recordsMax?: number
}

interface Held extends StoredRecord {
  readonly expiresAtMs: number
}

/** How many of the records longest unwritten are looked at with each write, to let go of those that have expired. */
const SWEPT_PER_WRITE = 2

/** Records in this process, none at first. Give them to several `createEmbeddedStore` to have several clients of one store. */
export function createEmbeddedRecords(options: EmbeddedRecordsOptions = {}): EmbeddedRecords {
  const { clock = systemClock, recordsMax = 1_000_000 } = options
  // In the order of their last writes.
  const records = new Map<string, Held>()

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
    find: (id) => {
      const held = findHeld(id)
      return held && { revision: held.revision, body: held.body, outbox: held.outbox }
    },
    write: ({ id, expected, body, outbox, ttlMs }) => {
      sweep()
      if ((findHeld(id)?.revision ?? 0) !== expected) return false
      if (expected === 0 && records.size >= recordsMax)
        throw new PlimsollError(
          'store_unavailable',
          `the store holds ${recordsMax} records and takes no more`,
        )
      records.delete(id)
      records.set(id, { revision: expected + 1, body, outbox, expiresAtMs: clock.now() + ttlMs })
      return true
    },
    trim: (id, revision) => {
      const held = findHeld(id)
      if (held?.revision === revision) records.set(id, { ...held, outbox: '' })
    },
  }
}
