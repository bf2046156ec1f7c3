import { PlimsollError } from '@plimsoll/contracts'
import { type SessionStore, assertWrite } from '../ports/stores.js'
import { type EmbeddedRecords, type EmbeddedRecordsOptions, createEmbeddedRecords } from './records.js'

export interface EmbeddedStoreOptions extends EmbeddedRecordsOptions {
  /** Shared records; by default the store has its own. */
  readonly records?: EmbeddedRecords
}

/** A `SessionStore` in this process. */
export function createEmbeddedStore(options: EmbeddedStoreOptions = {}): SessionStore {
  const { records = createEmbeddedRecords(options) } = options
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new PlimsollError('closed', 'the store has been closed')
  }
  return {
    load: async (ids) => {
      assertOpen()
      return ids.map((id) => records.find(id))
    },
    compareAndSet: async (writes) => {
      assertOpen()
      for (const write of writes) assertWrite(write)
      return writes.map((write) => records.write(write))
    },
    trim: async (trims) => {
      assertOpen()
      for (const { id, revision } of trims) records.trim(id, revision)
    },
    due: async (partition, kind, untilMs, limit) => {
      assertOpen()
      return records.due.find(partition, kind, untilMs, limit)
    },
    dropDue: async (partition, kind, entries) => {
      assertOpen()
      for (const entry of entries) records.due.drop(partition, kind, entry)
    },
    dueCounts: async (partition) => {
      assertOpen()
      return {
        approval: records.due.count(partition, 'approval'),
        obligation: records.due.count(partition, 'obligation'),
        idle: records.due.count(partition, 'idle'),
      }
    },
    counted: async (name) => {
      assertOpen()
      return records.counts.find(name)
    },
    fleet: async (queries) => {
      assertOpen()
      return queries.map((query) => records.fleet.read(query))
    },
    list: async (cursor, limit) => {
      assertOpen()
      return records.list(cursor, limit)
    },
    describe: async () => {
      assertOpen()
      return {
        version: 'embedded',
        // When full it refuses new records.
        evictionPolicy: 'noeviction',
        persistence: { aof: false, rdb: false },
        memoryBytes: undefined,
        memoryBytesMax: 0,
        timeMs: records.clock.now(),
        role: 'primary',
      }
    },
    readMeta: async (name) => {
      assertOpen()
      return { ...records.meta.get(name) }
    },
    writeMeta: async (name, fields) => {
      assertOpen()
      records.meta.set(name, { ...records.meta.get(name), ...fields })
    },
    ping: async () => assertOpen(),
    close: async () => {
      isClosed = true
    },
  }
}
