import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type Clock } from '../clock.js'
import type { RecordWrite, SessionStore, StoredRecord } from '../session-store.js'

export interface EmbeddedStoreOptions {
  /** Tells when records expire. */
  readonly clock?: Clock
  /** Records held at a time; 1,000,000 by default. One more is refused with `store_unavailable`. */
  readonly recordsMax?: number
}

interface Held extends StoredRecord {
  readonly expiresAtMs: number
}

/** How many of the records longest unwritten are looked at with each write, to let go of those that have expired. */
const SWEPT_PER_WRITE = 2

/** A `SessionStore` in this process. What it holds is gone with it. */
export function createEmbeddedStore(options: EmbeddedStoreOptions = {}): SessionStore {
  const { clock = systemClock, recordsMax = 1_000_000 } = options
  // In the order of their last writes.
  const records = new Map<string, Held>()
  const meta = new Map<string, Readonly<Record<string, string>>>()
  let isClosed = false

  const assertOpen = () => {
    if (isClosed) throw new PlimsollError('closed', 'the store has been closed')
  }
  const find = (id: string): Held | undefined => {
    const held = records.get(id)
    if (!held || held.expiresAtMs > clock.now()) return held
    records.delete(id)
    return undefined
  }
  const sweep = () => {
    for (const id of firstKeys(records, SWEPT_PER_WRITE)) find(id)
  }
  const write = ({ id, expected, body, outbox, ttlMs }: RecordWrite): boolean => {
    sweep()
    if ((find(id)?.revision ?? 0) !== expected) return false
    if (expected === 0 && records.size >= recordsMax)
      throw new PlimsollError('store_unavailable', `the store holds ${recordsMax} records and takes no more`)
    records.delete(id)
    records.set(id, { revision: expected + 1, body, outbox, expiresAtMs: clock.now() + ttlMs })
    return true
  }

  return {
    load: async (ids) => {
      assertOpen()
      return ids.map((id) => {
        const held = find(id)
        return held && { revision: held.revision, body: held.body, outbox: held.outbox }
      })
    },
    compareAndSet: async (writes) => {
      assertOpen()
      return writes.map(write)
    },
    trim: async (trims) => {
      assertOpen()
      for (const { id, revision } of trims) {
        const held = find(id)
        if (held?.revision === revision) records.set(id, { ...held, outbox: '' })
      }
    },
    readMeta: async (name) => {
      assertOpen()
      return { ...meta.get(name) }
    },
    writeMeta: async (name, fields) => {
      assertOpen()
      meta.set(name, { ...meta.get(name), ...fields })
    },
    ping: async () => assertOpen(),
    close: async () => {
      isClosed = true
      records.clear()
    },
  }
}

function* firstKeys(map: ReadonlyMap<string, unknown>, count: number): Iterable<string> {
  let left = count
  for (const key of map.keys()) {
    if (left-- === 0) return
    yield key
  }
}
