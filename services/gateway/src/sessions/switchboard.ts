import type { DecisionRecord } from '@plimsoll/client'
import type { Topics } from '@plimsoll/contracts'
import type { EventLog, OutgoingRecord } from '@plimsoll/runtime'

/** Sessions that are over and whose last decisions still find anyone who proposed. */
const ENDED_MAX = 10_000

/** Takes decisions on the sessions that it has claimed. Does not throw. */
export type OnDecision = (record: DecisionRecord) => void

/**
 * The one way from the gateway to the log and back, however many principals speak through it: one tail of the decisions, each of which
 * costs one look-up and goes to anyone who claimed its session last, and to nobody else.
 */
export interface Switchboard {
  /** Resolves once none of `records` can be lost; rejects as `produce` of the log does. */
  send(records: readonly OutgoingRecord[]): Promise<void>
  /** From now on decisions on the session go to `line`. Whether it may have them is for the caller to know. */
  claim(sessionId: string, line: OnDecision): void
  /** The session is over: what is still said of it goes to its line for a while. */
  end(sessionId: string): void
  /** Nobody wants the session's decisions any more, unless another line has claimed it since. */
  release(sessionId: string, line: OnDecision): void
  /** Sessions that are claimed. */
  size(): number
  isRunning(): boolean
  close(): Promise<void>
}

/** Resolves when no decision can be missed. */
export async function createSwitchboard(
  log: EventLog,
  topics: Topics,
  signal?: AbortSignal,
): Promise<Switchboard> {
  const lines = new Map<string, OnDecision>()
  const ended = new Map<string, OnDecision>()

  function deliver(record: DecisionRecord): void {
    if (record.key === null) return
    const line = lines.get(record.key) ?? ended.get(record.key)
    line?.(record)
  }

  const tail = await log.tail(topics.decisions, deliver, signal ? { signal } : {})
  return {
    send: (records) => log.produce(topics.events, records),
    claim: (sessionId, line) => {
      ended.delete(sessionId)
      lines.set(sessionId, line)
    },
    end: (sessionId) => {
      const line = lines.get(sessionId)
      if (!line) return
      lines.delete(sessionId)
      if (ended.size >= ENDED_MAX) for (const oldest of ended.keys()) if (ended.delete(oldest)) break
      ended.set(sessionId, line)
    },
    release: (sessionId, line) => {
      if (lines.get(sessionId) === line) lines.delete(sessionId)
      if (ended.get(sessionId) === line) ended.delete(sessionId)
    },
    size: () => lines.size,
    isRunning: () => tail.isRunning(),
    close: () => tail.close(),
  }
}
