import { setImmediate as nextTurn } from 'node:timers/promises'
import { PlimsollError } from '@plimsoll/contracts'
import type { LogRecord } from '../event-log.js'
import type { ReadSpan } from '../read-span.js'
import type { Topic } from './topic.js'

/** Gives the records of `spans`, one partition after the other, in turns of their own. Nothing of them is forgotten meanwhile. */
export async function readSpans(
  topic: Topic,
  spans: ReadonlyMap<number, ReadSpan>,
  onRecord: (record: LogRecord) => unknown,
  readRecordsMax: number,
  over: AbortSignal,
): Promise<void> {
  const positions = new Map([...spans].map(([partition, { from }]) => [partition, Number(from)]))
  const release = topic.keep((partition) => positions.get(partition))
  try {
    for (const [partition, { from, to }] of spans) {
      for (let at = Number(from); at < Number(to); at += readRecordsMax) {
        positions.set(partition, at)
        await nextTurn()
        const count = Math.min(readRecordsMax, Number(to) - at)
        for (const record of topic.partitions[partition]?.read(at, count) ?? []) {
          if (over.aborted) throw new PlimsollError('closed', 'closed before all was read')
          const given = onRecord(record)
          if (given instanceof Promise) await given
        }
      }
      positions.delete(partition)
    }
  } finally {
    release()
  }
}
