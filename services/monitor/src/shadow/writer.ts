import { TENANT_HEADER, type ShadowRecord } from '@plimsoll/contracts'
import type { Clock, EventLog, Logger, OutgoingRecord } from '@plimsoll/runtime'

/** Writes records of the shadow topic beside everything else: nobody waits for them. */
export interface ShadowWriter {
  /** Takes `record`, or drops it where there are too many or the log is behind. */
  offer(record: ShadowRecord): void
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

export interface ShadowWriterOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly topic: string
  /** So many are taken within a second, and so many wait at most. */
  readonly recordsPerSecondMax: number
  readonly clock: Clock
  readonly logger: Logger
  /** Told of records that are not written. */
  readonly onDropped: (count: number) => void
}

/** Idle until something is offered; then one write at a time takes all that waits. A write that fails drops what it had. */
export function createShadowWriter(options: ShadowWriterOptions): ShadowWriter {
  const { log, topic, recordsPerSecondMax, clock, logger, onDropped } = options
  let waiting: OutgoingRecord[] = []
  let writing: Promise<void> | undefined
  let second = 0
  let taken = 0

  const hasRoom = (): boolean => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) [second, taken] = [now, 0]
    return taken < recordsPerSecondMax && waiting.length < recordsPerSecondMax
  }
  const writeAll = async () => {
    while (waiting.length > 0) {
      const records = waiting
      waiting = []
      try {
        await log.produce(topic, records)
      } catch (error) {
        onDropped(records.length)
        logger.warn('what a candidate differs in is not written', { error, topic, records: records.length })
      }
    }
    writing = undefined
  }

  return {
    offer: (record) => {
      if (!hasRoom()) return onDropped(1)
      taken++
      const { sessionId, tenant } = record
      waiting.push({ key: sessionId, value: JSON.stringify(record), headers: { [TENANT_HEADER]: tenant } })
      // Not before the chunk at hand is through: its records go together.
      writing ??= Promise.resolve().then(writeAll)
    },
    settled: async () => writing,
  }
}
