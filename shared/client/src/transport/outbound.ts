import {
  type Event,
  type Topics,
  type TraceContext,
  PROOF_HEADER,
  TENANT_HEADER,
  tenantOf,
  topicsOf,
  traceHeadersOf,
} from '@plimsoll/contracts'
import { type EventLog, type LogRecord, type OutgoingRecord, createBackoff } from '@plimsoll/runtime'
import { type Timers, createWait } from '../wait.js'

/** Bounds of one produce. In characters: UTF-8 takes at most 3 bytes each, and brokers accept 1 MB by default. */
const BATCH_EVENTS_MAX = 500
const BATCH_CHARS_MAX = 256 * 1024

/** Events of one session in a produce: no more than the monitor recognises when the produce is repeated. */
const BATCH_SESSION_EVENTS_MAX = 16

/** First and longest wait before a failed produce is retried. */
const RETRY = { firstMs: 50, maxMs: 5_000 } as const

export interface OutboundEvent {
  readonly event: Event
  /** The event as JSON. */
  readonly value: string
  readonly attachments: Attachments
  /** Whether it has been handed to the channel. */
  isSent: boolean
}

/** What is sent beside an event. */
export interface Attachments {
  /** `EventTexts` as JSON. */
  readonly texts?: string | undefined
  readonly trace?: TraceContext | undefined
}

export function outboundEvent(event: Event, attachments: Attachments = {}): OutboundEvent {
  return { event, value: JSON.stringify(event), attachments, isSent: false }
}

export interface OutboundOptions {
  readonly channel: Pick<Channel, 'send'>
  readonly timers: Timers
  /** Called for each failed produce. Does not throw. */
  readonly onFailure: (error: unknown) => void
  /** Returns the proof that a record's value is the session's, if the client has an identity key. */
  readonly prove?: ((sessionId: string, value: string) => string) | undefined
}

export type Outbound = ReturnType<typeof createOutbound>

/**
 * The queue of a client. Events leave in order, one produce at a time; events queued meanwhile go with the next. A failed produce is
 * retried forever with the same records, ids and numbers, so that the monitor recognises them if the first one arrived after all.
 */
export function createOutbound({ channel, timers, onFailure, prove }: OutboundOptions) {
  let queue: OutboundEvent[] = []
  let inFlight = 0
  let running = false
  const stopping = new AbortController()
  let endPause = () => {}
  const idle = new Set<() => void>()

  function recordOf(outgoing: OutboundEvent): ChannelRecord {
    outgoing.isSent = true
    const { event, value, attachments } = outgoing
    const { texts, trace } = attachments
    const { sessionId } = event
    const proof = prove?.(sessionId, value)
    const headers = {
      [TENANT_HEADER]: tenantOf(sessionId),
      ...(proof !== undefined && { [PROOF_HEADER]: proof }),
      ...(trace && traceHeadersOf(trace)),
    }
    return { key: sessionId, value, headers, event, ...(texts !== undefined && { texts }) }
  }

  async function drain(): Promise<void> {
    // Events queued in the same turn of the event loop go together.
    await Promise.resolve()
    while (queue.length > 0 && !stopping.signal.aborted) {
      const batch = queue.splice(0, batchLength(queue))
      inFlight = batch.length
      if (await deliver(batch.map(recordOf))) inFlight = 0
    }
    running = false
    for (const report of idle) report()
  }

  /** False if `stop` was called first. */
  async function deliver(records: readonly ChannelRecord[]): Promise<boolean> {
    const backoff = createBackoff(RETRY)
    while (!stopping.signal.aborted) {
      try {
        await channel.send(records)
        return true
      } catch (error) {
        onFailure(error)
      }
      if (!stopping.signal.aborted) await pause(backoff.next())
    }
    return false
  }

  async function pause(ms: number): Promise<void> {
    const wait = createWait<void>({ timers, timeoutMs: ms, onTimeout: () => {} })
    endPause = () => wait.answer()
    await wait.promise
  }

  function run(): void {
    if (running || stopping.signal.aborted) return
    running = true
    void drain()
  }

  return {
    /** Events that wait or are in flight. */
    size: () => queue.length + inFlight,
    push: (outgoing: OutboundEvent): void => {
      queue.push(outgoing)
      run()
    },
    /** Puts `events` before everything that waits. */
    pushFirst: (events: readonly OutboundEvent[]): void => {
      queue = [...events, ...queue]
      run()
    },
    /** Resolves when nothing is left, or after `timeoutMs`. */
    flush: async (timeoutMs: number): Promise<void> => {
      if (!running) return
      const wait = createWait<void>({ timers, timeoutMs, onTimeout: () => {} })
      const report = () => wait.answer()
      idle.add(report)
      await wait.promise
      idle.delete(report)
    },
    /** Sends nothing more, except what is in flight. */
    stop: (): void => {
      stopping.abort()
      endPause()
    },
  }
}

/** How many events of `queue` go with the next produce: at least one. */
function batchLength(queue: readonly OutboundEvent[]): number {
  const bySession = new Map<string, number>()
  let chars = 0
  for (const [i, { event, value, attachments }] of queue.entries()) {
    const ofSession = (bySession.get(event.sessionId) ?? 0) + 1
    bySession.set(event.sessionId, ofSession)
    chars += value.length + (attachments.texts?.length ?? 0)
    const isFull = i >= BATCH_EVENTS_MAX || ofSession > BATCH_SESSION_EVENTS_MAX || chars > BATCH_CHARS_MAX
    if (i > 0 && isFull) return i
  }
  return queue.length
}

/** Carries a client's events to the monitors, and their decisions back. */
export interface Channel {
  /**
   * Whether events are sent with their texts. If false, a start still carries its user; if undefined, nothing is sent beside an event.
   */
  readonly takesTexts?: boolean
  /** Sends events; those of one session in order. Resolves once none can be lost. If it rejects, the same events are sent again. */
  send(records: readonly ChannelRecord[]): Promise<void>
  /**
   * Passes on every decision published from now on that may be the client's. Resolves when none can be missed. If some may have been
   * missed because a connection was lost, calls `onMissed` after the reconnect.
   */
  listen(onRecord: (record: DecisionRecord) => void, onMissed: () => void): Promise<Listening>
}

export interface ChannelRecord extends OutgoingRecord {
  /** The event in `value`. */
  readonly event: Event
  /** JSON of its `EventTexts`, if the channel takes them. */
  readonly texts?: string
}

/** A session's id and the JSON of a decision on it. */
export type DecisionRecord = Pick<LogRecord, 'key' | 'value'>

export interface Listening {
  close(): Promise<void>
}

/** A channel straight to the log that the monitors read. */
export function createLogChannel(
  log: Pick<EventLog, 'produce' | 'tail'>,
  topics: Topics = topicsOf(),
): Channel {
  return {
    send: (records) => log.produce(topics.events, records),
    listen: (onRecord) => log.tail(topics.decisions, onRecord),
  }
}
