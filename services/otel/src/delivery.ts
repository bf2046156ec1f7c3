import { type EventLog, type OutgoingRecord, createBackoff, pause } from '@plimsoll/runtime'

/** Bounds of one produce. In characters: UTF-8 takes at most 3 bytes each, and brokers accept 1 MB by default. */
const BATCH_EVENTS_MAX = 500
const BATCH_CHARS_MAX = 256 * 1024

/** First and longest wait before a failed produce is retried. */
const RETRY = { firstMs: 50, maxMs: 5_000 } as const

export interface DeliveryOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly topic: string
  readonly onRetry: (error: unknown) => void
  /** Ends the retries; records that still wait are lost. */
  readonly signal: AbortSignal
}

export type Delivery = ReturnType<typeof createDelivery>

/** A queue of outgoing records: first in first out, one produce at a time, retried until it succeeds. */
export function createDelivery({ log, topic, onRetry, signal }: DeliveryOptions) {
  const queue: OutgoingRecord[] = []
  let inFlight = 0
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (queue.length > 0 && !signal.aborted) {
      const batch = queue.splice(0, batchLength(queue))
      inFlight = batch.length
      await deliver(batch)
      inFlight = 0
    }
    draining = undefined
  }

  async function deliver(batch: readonly OutgoingRecord[]): Promise<void> {
    const backoff = createBackoff(RETRY)
    while (!signal.aborted) {
      try {
        return await log.produce(topic, batch)
      } catch (error) {
        onRetry(error)
        await pause(backoff.next(), signal)
      }
    }
  }

  return {
    push: (records: readonly OutgoingRecord[]): void => {
      queue.push(...records)
      if (queue.length > 0) draining ??= drain()
    },
    /** Records that wait or are in flight. */
    size: () => queue.length + inFlight,
    /** Resolves once nothing waits, or the signal aborts. */
    flushed: async () => draining,
  }
}

/** How many records of `queue` go into the next produce: at least one. */
function batchLength(queue: readonly OutgoingRecord[]): number {
  let chars = 0
  for (const [i, { value }] of queue.entries()) {
    chars += value?.length ?? 0
    if (i >= BATCH_EVENTS_MAX || (i > 0 && chars > BATCH_CHARS_MAX)) return i
  }
  return queue.length
}
