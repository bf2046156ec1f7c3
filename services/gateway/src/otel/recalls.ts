import { createBackoff, pause, type Logger } from '@plimsoll/runtime'
import { recall, type Recall, type RecallOptions } from './recall.js'

/** Sees that partitions that were not read here are looked back at before they are read on. */
export interface Recalls {
  /** Told of the partitions that are read here from now on. */
  readonly assigned: (partitions: readonly number[]) => void
  /** Resolves when `partition` has been looked back at. Never rejects. */
  done(partition: number): Promise<void>
}

export interface RecallsOptions extends RecallOptions {
  readonly logger: Logger
  readonly onRecall: (recall: Recall) => void
}

export function createRecalls(options: RecallsOptions): Recalls {
  const { logger, signal, onRecall } = options
  const byPartition = new Map<number, Promise<void>>()

  async function lookBack(partitions: readonly number[]): Promise<void> {
    const backoff = createBackoff()
    while (!signal.aborted) {
      try {
        return onRecall(await recall(partitions, options))
      } catch (error) {
        if (signal.aborted) return
        logger.warn('spans that may have been held are looked for again', { error })
        await pause(backoff.next(), signal)
      }
    }
  }

  return {
    assigned: (partitions) => {
      for (const lost of [...byPartition.keys()].filter((each) => !partitions.includes(each)))
        byPartition.delete(lost)
      const gained = partitions.filter((each) => !byPartition.has(each))
      if (gained.length === 0) return
      const looking = lookBack(gained)
      for (const partition of gained) byPartition.set(partition, looking)
    },
    done: async (partition) => byPartition.get(partition),
  }
}
