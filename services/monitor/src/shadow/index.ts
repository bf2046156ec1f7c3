import { type ShadowRecord, TENANT_HEADER } from '@plimsoll/contracts'
import type { RulesCache } from '@plimsoll/policy'
import type { Clock, EventLog, Logger, OutgoingRecord } from '@plimsoll/runtime'
import type { Folded } from '../fold/fold.js'
import {
  type CandidateMemoryLimits,
  type CandidateView,
  type ShadowSink,
  compareFolded,
  createCandidateMemories,
  isDifferent,
  recordOf,
} from './compare.js'

export { type Comparison, nameOf, type ShadowFailure } from './compare.js'

/** Counts comparisons, and records of the shadow topic that were not written. */
export interface ShadowCounts extends ShadowSink {
  dropped(count: number): void
}

/** The candidate beside the active rules. */
export interface ShadowComparison {
  /** Judges `folded` by the candidate of `view` too, if there is one; counts, and writes differences. Never throws. */
  compare(view: CandidateView, folded: Iterable<Folded>): void
  /** Resolves once nothing is being written. */
  settled(): Promise<void>
}

export interface ShadowComparisonOptions
  extends Omit<ShadowWriterOptions, 'onDropped'>, CandidateMemoryLimits {
  /** A separate cache. */
  readonly rulesCache: Pick<RulesCache, 'rules'>
  readonly counts: ShadowCounts
}

export function createShadowComparison(options: ShadowComparisonOptions): ShadowComparison {
  const { rulesCache, counts } = options
  const writer = createShadowWriter({ ...options, onDropped: counts.dropped })
  const sink: ShadowSink = {
    ...counts,
    compared: (comparison) => {
      counts.compared(comparison)
      if (isDifferent(comparison.shadow)) writer.offer(recordOf(comparison))
    },
  }
  const context = { rulesCache, memories: createCandidateMemories(options), sink }
  return {
    compare: (view, folded) => compareFolded(view, folded, context),
    settled: writer.settled,
  }
}

export interface ShadowWriterOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly topic: string
  /** Most records accepted within a second, and most that wait. */
  readonly recordsPerSecondMax: number
  readonly clock: Clock
  readonly logger: Logger
  readonly onDropped: (count: number) => void
}

/** Writes records of the shadow topic in the background, one batch at a time. A failed write drops its batch. */
export function createShadowWriter(options: ShadowWriterOptions) {
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
        logger.warn('differences of a candidate were not written', { error, topic, records: records.length })
      }
    }
    writing = undefined
  }

  return {
    /** Accepts `record`, or drops it if there are too many or the log is behind. */
    offer: (record: ShadowRecord): void => {
      if (!hasRoom()) return onDropped(1)
      taken++
      const { sessionId, tenant } = record
      waiting.push({ key: sessionId, value: JSON.stringify(record), headers: { [TENANT_HEADER]: tenant } })
      // After the current chunk, so that its records go together.
      writing ??= Promise.resolve().then(writeAll)
    },
    settled: async (): Promise<void> => writing,
  }
}
