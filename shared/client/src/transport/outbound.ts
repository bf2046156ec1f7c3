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
import { BATCH_CHARS_MAX, BATCH_EVENTS_MAX, BATCH_SESSION_EVENTS_MAX, RETRY } from '../pending/journal.js'
import { type Timers, createWait } from '../wait.js'

/** An event on its way. */
export interface OutboundEvent<E extends Event = Event> {
  readonly event: E
  /** The event as it travels. */
  readonly value: string
  readonly attachments: Attachments
  /** Whether it has been handed to the channel. */
  taken: boolean
}

/** What travels beside an event. */
export interface Attachments {
  /** The texts that it speaks of, as JSON. */
  readonly texts?: string | undefined
  readonly trace?: TraceContext | undefined
}

export function parcelOf<E extends Event>(event: E, beside: Attachments = {}): OutboundEvent<E> {
  return { event, value: JSON.stringify(event), attachments: beside, taken: false }
}

/**
 * The one queue of a client. Events leave in its order, one produce at a time: what is queued while one is under way goes with
 * the next. A produce that fails is tried again for ever, the same records with the same ids and numbers; the monitor knows them
 * again, should the first have arrived after all.
 */
export interface Outbound {
  /** Events that wait or are under way. */
  size(): number
  push(parcel: OutboundEvent): void
  /** Puts `parcels` before everything that waits. */
  pushFirst(parcels: readonly OutboundEvent[]): void
  /** Resolves when nothing is left, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
  /** Sends nothing more, but for what is under way. */
  stop(): void
}

export interface OutboundOptions {
  readonly channel: Pick<Channel, 'send'>
  readonly timers: Timers
  /** Told of each produce that failed. Does not throw. */
  readonly onFailure: (error: unknown) => void
  /** Gives what proves that a record's value is of the session's, where anything does. */
  readonly prove?: ((sessionId: string, value: string) => string) | undefined
}

export function createOutbound({ channel, timers, onFailure, prove }: OutboundOptions): Outbound {
  let queue: OutboundEvent[] = []
  let underWay = 0
  let running = false
  const stopping = new AbortController()
  let endPause = () => {}
  const idle = new Set<() => void>()

  function recordOf(parcel: OutboundEvent): ChannelRecord {
    parcel.taken = true
    const { event, value, attachments: beside } = parcel
    const { texts, trace } = beside
    const { sessionId } = event
    const proof = prove?.(sessionId, value)
    const headers = {
      [TENANT_HEADER]: tenantOf(sessionId),
      ...(proof !== undefined && { [PROOF_HEADER]: proof }),
      ...(trace && traceHeadersOf(trace)),
    }
    return { key: sessionId, value, headers, ...(texts !== undefined && { texts }) }
  }

  async function drain(): Promise<void> {
    // What is queued in the same turn of the event loop goes together.
    await Promise.resolve()
    while (queue.length > 0 && !stopping.signal.aborted) {
      const batch = queue.splice(0, batchLength(queue))
      underWay = batch.length
      if (await deliver(batch.map(recordOf))) underWay = 0
    }
    running = false
    for (const report of idle) report()
  }

  /** False where `stop` came first. */
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
    size: () => queue.length + underWay,
    push: (parcel) => {
      queue.push(parcel)
      run()
    },
    pushFirst: (parcels) => {
      queue = [...parcels, ...queue]
      run()
    },
    flush: async (timeoutMs) => {
      if (!running) return
      const wait = createWait<void>({ timers, timeoutMs, onTimeout: () => {} })
      const report = () => wait.answer()
      idle.add(report)
      await wait.promise
      idle.delete(report)
    },
    stop: () => {
      stopping.abort()
      endPause()
    },
  }
}

/** How many of `queue` go with the next produce: at least one. */
function batchLength(queue: readonly OutboundEvent[]): number {
  const bySession = new Map<string, number>()
  let chars = 0
  for (const [i, { event, value, attachments: beside }] of queue.entries()) {
    const { texts = '' } = beside
    const ofSession = (bySession.get(event.sessionId) ?? 0) + 1
    bySession.set(event.sessionId, ofSession)
    chars += value.length + texts.length
    const isFull = i >= BATCH_EVENTS_MAX || ofSession > BATCH_SESSION_EVENTS_MAX || chars > BATCH_CHARS_MAX
    if (i > 0 && isFull) return i
  }
  return queue.length
}

/** How a client's events get to the monitors, and their decisions back to it. */
export interface Channel {
  /**
   * Whether events are to go with the texts that they speak of; where they are not, a start still goes with its user. Where it is left out
   * nothing goes beside an event.
   */
  readonly takesTexts?: boolean
  /** Sends events, those of a session in the order given. Resolves once none can be lost; where it rejects, the same are sent again. */
  send(records: readonly ChannelRecord[]): Promise<void>
  /**
   * Gives every decision that is published from now on and may be the client's. Resolves when none can be missed; where some may have
   * been all the same, for a connection was lost, `onMissed` is told once there is another one.
   */
  listen(onRecord: (record: DecisionRecord) => void, onMissed: () => void): Promise<Listening>
}

/** An event as it travels and, beside it, the JSON of its `EventTexts` where the channel takes them. */
export interface ChannelRecord extends OutgoingRecord {
  readonly texts?: string
}

/** A decision as it travels: its session's id, and its JSON. */
export type DecisionRecord = Pick<LogRecord, 'key' | 'value'>

export interface Listening {
  close(): Promise<void>
}

/** Straight to the log that the monitors read. */
export function createLogChannel(
  log: Pick<EventLog, 'produce' | 'tail'>,
  topics: Topics = topicsOf(),
): Channel {
  return {
    send: (records) => log.produce(topics.events, records),
    listen: (onRecord) => log.tail(topics.decisions, onRecord),
  }
}
