import type { DecisionRecord } from '@plimsoll/client/services'
import type { Topics } from '@plimsoll/contracts'
import type { EventLog, OutgoingRecord } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'

/** Ended sessions whose last decisions are still routed. */
const ENDED_MAX = 10_000

/** Takes decisions on claimed sessions. Does not throw. */
export type OnDecision = (record: DecisionRecord) => void

export type DecisionRouter = Awaited<ReturnType<typeof createDecisionRouter>>

/**
 * The gateway's one connection to the log: sends the events of all doors, and tails the decisions once. Each decision costs one look-up
 * and goes to the last receiver that claimed its session. Resolves when no decision can be missed.
 */
export async function createDecisionRouter(
  log: EventLog,
  topics: Topics,
  signal?: AbortSignal,
  /** Gets every decision too. */
  onEach?: OnDecision,
) {
  const receivers = new Map<string, OnDecision>()
  const ended = new LRUCache<string, OnDecision>({ max: ENDED_MAX })

  function deliver(record: DecisionRecord): void {
    onEach?.(record)
    if (record.key !== null) (receivers.get(record.key) ?? ended.peek(record.key))?.(record)
  }

  const tail = await log.tail(topics.decisions, deliver, signal ? { signal } : {})
  return {
    /** Resolves once none of `records` can be lost; rejects as the log's `produce` does. */
    send: (records: readonly OutgoingRecord[]): Promise<void> => log.produce(topics.events, records),
    /** Routes the session's decisions to `receiver` from now on. The caller checks that it may have them. */
    claim: (sessionId: string, receiver: OnDecision): void => {
      ended.delete(sessionId)
      receivers.set(sessionId, receiver)
    },
    /** Keeps routing an ended session's decisions for a while. */
    end: (sessionId: string): void => {
      const receiver = receivers.get(sessionId)
      if (!receiver) return
      receivers.delete(sessionId)
      ended.set(sessionId, receiver)
    },
    /** Stops routing, unless another receiver has claimed the session since. */
    release: (sessionId: string, receiver: OnDecision): void => {
      if (receivers.get(sessionId) === receiver) receivers.delete(sessionId)
      if (ended.peek(sessionId) === receiver) ended.delete(sessionId)
    },
    isRunning: () => tail.isRunning(),
    close: () => tail.close(),
  }
}
