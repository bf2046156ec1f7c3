import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Consumption, LogRecord } from '../event-log.js'
import type { Logger } from '../logger.js'
import type { Topic } from './topic.js'

/** Reads on from where `topic` ends now, or from its beginning. */
export function startTail(
  topic: Topic,
  onRecord: (record: LogRecord) => void,
  from: 'end' | 'beginning',
  readRecordsMax: number,
  logger: Logger,
): Consumption {
  const positions = topic.partitions.map((log) => (from === 'end' ? log.nextOffset() : log.firstOffset()))
  const release = topic.keep((partition) => positions[partition])
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  const hand = (record: LogRecord) => {
    try {
      onRecord(record)
    } catch (error) {
      logger.error('a record could not be handed on', { topic: topic.name, offset: record.offset, error })
    }
  }
  const lanes = topic.partitions.map(async (log, partition) => {
    while (!closing.signal.aborted) {
      await log.whenBeyond(positions[partition] ?? 0, closing.signal)
      await nextTurn()
      for (const record of log.read(positions[partition] ?? 0, readRecordsMax)) {
        if (closing.signal.aborted) return
        hand(record)
        positions[partition] = Number(record.offset) + 1
      }
    }
  })
  const close = async () => {
    closing.abort()
    await Promise.all(lanes)
    release()
  }
  return {
    isRunning: () => !closing.signal.aborted,
    close: () => (closed ??= close()),
  }
}
