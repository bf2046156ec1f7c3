import { PlimsollError } from '@plimsoll/contracts'
import type { Batch, LogRecord } from './event-log.js'

export interface BatchSource {
  readonly topic: string
  readonly partition: number
  /** Never empty. */
  readonly records: readonly LogRecord[]
  readonly endOffset: bigint
  /** Whether the batch may still be committed: its assignment has not ended. */
  isHeld(): boolean
  /** Whether to continue with the batch. */
  isWanted(): boolean
  /** Commits everything up to and including `offset`. */
  commit(offset: bigint): Promise<void>
}

/** A batch with its commits. */
export interface BatchProgress {
  readonly batch: Batch
  readonly isDone: () => boolean
  readonly hasBegun: () => boolean
}

/**
 * The rules of `Batch.commit` for every adapter: commits are sequential and never go backwards; the first failure ends the batch, so that an
 * owner that has lost the partition cannot continue.
 */
export function trackBatch(source: BatchSource): BatchProgress {
  const { topic, partition, records, endOffset } = source
  const first = records[0]?.offset ?? endOffset
  const last = records.at(-1)?.offset ?? endOffset
  let committed: bigint | undefined
  let failure: unknown
  let queue: Promise<void> = Promise.resolve()

  const commitNow = async (offset: bigint): Promise<void> => {
    if (failure !== undefined) throw failure
    if (committed !== undefined && offset <= committed) return
    try {
      if (!source.isHeld()) throw noLongerOurs(topic, partition)
      await source.commit(offset)
      committed = offset
    } catch (error) {
      failure = error
      throw error
    }
  }
  const commit = (offset: bigint): Promise<void> => {
    if (offset < first || offset > last) {
      return Promise.reject(
        new RangeError(`offset ${offset} is not in the batch ${first}–${last} of ${topic}/${partition}`),
      )
    }
    const done = queue.then(() => commitNow(offset))
    queue = done.catch(() => {})
    return done
  }
  const isOwned = () => failure === undefined && source.isHeld() && source.isWanted()
  return {
    batch: { topic, partition, records, endOffset, commit, isOwned },
    isDone: () => committed === last,
    hasBegun: () => committed !== undefined,
  }
}

export function noLongerOurs(topic: string, partition: number): PlimsollError {
  return new PlimsollError(
    'contended',
    `partition ${partition} of topic \`${topic}\` belongs to another member`,
  )
}
