import { createBackoff, pause, type EventLog, type OutgoingRecord } from '@plimsoll/runtime'
import { BATCH_CHARS_MAX, BATCH_EVENTS_MAX, RETRY } from '../limits.js'

/** The one queue of what is told: it leaves in its order, one produce at a time, and is tried again without end. */
export interface Delivery {
  push(records: readonly OutgoingRecord[]): void
  /** Records that wait or are under way. */
  size(): number
  /** Resolves once nothing waits, or it is stopped. */
  flushed(): Promise<void>
}

export interface DeliveryOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly topic: string
  readonly onRetry: (error: unknown) => void
  /** Ends the trying again; what waits then is lost. */
  readonly signal: AbortSignal
}

export function createDelivery({ log, topic, onRetry, signal }: DeliveryOptions): Delivery {
  let queue: OutgoingRecord[] = []
  let underWay = 0
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (queue.length > 0 && !signal.aborted) {
      const batch = queue.slice(0, batchLength(queue))
      queue = queue.slice(batch.length)
      underWay = batch.length
      await deliver(batch)
      underWay = 0
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
    push: (records) => {
      queue = [...queue, ...records]
      if (queue.length > 0) draining ??= drain()
    },
    size: () => queue.length + underWay,
    flushed: async () => draining,
  }
}

/** How many of `queue` go with the next produce: at least one. */
function batchLength(queue: readonly OutgoingRecord[]): number {
  let chars = 0
  for (const [i, { value }] of queue.entries()) {
    chars += value?.length ?? 0
    if (i >= BATCH_EVENTS_MAX || (i > 0 && chars > BATCH_CHARS_MAX)) return i
  }
  return queue.length
}
