import type { Batch } from '@plimsoll/runtime'
import { processChunk } from './chunk.js'
import type { ChunkContext } from './context.js'
import { processControl } from './controls/chunk.js'
import { cut, type Cut } from './cut.js'
import type { QuotaGate } from './quota.js'
import type { ReadBack } from './rebuild/read-back.js'

/** What is done with each batch: its chunks one after the other, until the partition is taken away. */
export function createPipeline(
  context: ChunkContext,
  readBack: ReadBack,
  gate: Pick<QuotaGate, 'settle'>,
): (batch: Batch) => Promise<void> {
  const { chunkEventsMax, admitNext, metrics, logger } = context

  /** After the commit; that it fails costs bytes in the store. */
  async function tidy(trim: () => Promise<void>): Promise<void> {
    try {
      await metrics.timed('trim', trim)
    } catch (error) {
      logger.warn('tidying up after a commit failed', { error })
    }
  }
  const process = (batch: Batch, each: Cut) =>
    each.kind === 'control'
      ? processControl(context, readBack, batch, each.admitted)
      : processChunk(context, readBack, batch, each)

  return async (batch) => {
    let tidied: Promise<void> = Promise.resolve()
    for (const each of cut(batch.records, chunkEventsMax, admitNext)) {
      if (!batch.isOwned()) break
      const trim = await process(batch, each)
      gate.settle(batch.partition)
      // At most one is under way: the next chunk runs beside it, the one after waits.
      await tidied
      tidied = tidy(trim)
    }
    await tidied
  }
}
