import type { Batch, Logger } from '@plimsoll/runtime'
import { processChunk, type ChunkContext } from './chunk.js'
import type { LogGuard } from './log-guard.js'

export interface PipelineOptions {
  readonly guard: LogGuard
  readonly logger: Logger
  readonly chunkEventsMax: number
}

/** What is done with each batch: its chunks one after the other, until the partition is taken away. */
export function createPipeline(
  context: ChunkContext,
  options: PipelineOptions,
): (batch: Batch) => Promise<void> {
  const { guard, logger, chunkEventsMax } = options

  /** After the commit; that it fails costs bytes in the store, or a weaker check at the next start. */
  async function tidy(
    batch: Batch,
    trim: () => Promise<void>,
    offset: bigint,
    timeMs: number,
  ): Promise<void> {
    try {
      await Promise.all([
        context.metrics.timed('trim', trim),
        guard.remember(batch.partition, offset, timeMs),
      ])
    } catch (error) {
      logger.warn('tidying up after a commit failed', { error })
    }
  }

  return async (batch) => {
    let tidied: Promise<void> = Promise.resolve()
    for (let start = 0; start < batch.records.length && batch.isOwned(); start += chunkEventsMax) {
      const records = batch.records.slice(start, start + chunkEventsMax)
      const trim = await processChunk(context, batch, records)
      // At most one is under way: the next chunk runs beside it, the one after waits.
      await tidied
      const last = records.at(-1)
      if (last) tidied = tidy(batch, trim, last.offset, latestTime(records))
    }
    await tidied
  }
}

const latestTime = (records: Batch['records']): number =>
  records.reduce((latest, { timeMs }) => Math.max(latest, timeMs), 0)
