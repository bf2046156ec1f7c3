import { createBackoff, pause, type Logger, type SessionStore } from '@plimsoll/runtime'
import type { MonitorMetrics } from '../metrics/index.js'
import type { Lookout } from './lookout.js'

export interface WatchOptions {
  /** Undefined where nothing can be signed: then the partitions are only counted. */
  readonly lookout: Lookout | undefined
  readonly store: SessionStore
  /** The partitions that are ours at the moment. */
  readonly owned: () => readonly number[]
  readonly metrics: MonitorMetrics
  readonly logger: Logger
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** So many looks go by between two counts of what waits. */
const LOOKS_PER_COUNT = 5

/** Looks after the partitions that are ours, again and again until `signal` is aborted; trouble with log or store ends nothing. */
export async function watchDeadlines(options: WatchOptions): Promise<void> {
  const { lookout, store, owned, metrics, logger, everyMs, signal } = options
  const backoff = createBackoff()
  for (let looks = 0; !signal.aborted; looks++) {
    await pause(everyMs, signal)
    let hasFailed = false
    for (const partition of owned()) {
      if (signal.aborted) return
      try {
        await lookout?.look(partition)
        if (looks % LOOKS_PER_COUNT === 0) metrics.dueCounted(partition, await store.dueCounts(partition))
      } catch (error) {
        if (signal.aborted) return
        // Trouble may be that partition's alone: the others are looked at all the same.
        hasFailed = true
        logger.warn('deadlines wait', { partition, error })
      }
    }
    if (hasFailed) await pause(backoff.next(), signal)
    else backoff.reset()
  }
}
