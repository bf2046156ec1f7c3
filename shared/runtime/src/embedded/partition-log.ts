import type { LogRecord } from '../event-log.js'

/** The records of one partition, in memory, with those who wait for the next. */
export interface PartitionLog {
  readonly firstOffset: () => number
  readonly nextOffset: () => number
  append(record: Omit<LogRecord, 'offset' | 'timeMs'>, timeMs: number): void
  /** At most `max` records from `offset` on; from the first there is where `offset` lies before it. */
  read(offset: number, max: number): readonly LogRecord[]
  /** The first offset appended at `timeMs` or later. */
  offsetAt(timeMs: number): number | undefined
  /** Forgets what lies before `offset`. */
  trimTo(offset: number): void
  /** Resolves once there is a record at `offset` or beyond, or when `signal` is aborted. */
  whenBeyond(offset: number, signal: AbortSignal): Promise<void>
}

export function createPartitionLog(): PartitionLog {
  const records: LogRecord[] = []
  const waiting = new Set<() => void>()
  let first = 0
  const next = () => first + records.length
  return {
    firstOffset: () => first,
    nextOffset: next,
    append: (record, timeMs) => {
      // Append times never run backwards, as little as offsets do.
      const time = Math.max(timeMs, records.at(-1)?.timeMs ?? timeMs)
      records.push({ ...record, offset: BigInt(next()), timeMs: time })
      for (const wake of waiting) wake()
    },
    read: (offset, max) => {
      const from = Math.max(offset - first, 0)
      return records.slice(from, from + max)
    },
    offsetAt: (timeMs) => {
      const index = records.findIndex((record) => record.timeMs >= timeMs)
      return index < 0 ? undefined : first + index
    },
    trimTo: (offset) => {
      const count = Math.min(Math.max(offset - first, 0), records.length)
      records.splice(0, count)
      first += count
    },
    whenBeyond: (offset, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          if (next() <= offset && !signal.aborted) return
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
        wake()
      }),
  }
}
