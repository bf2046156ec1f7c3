import { randomUUID } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import type { EachBatchPayload } from 'kafkajs'
import type { LogRecord, ReadSpan } from '../ports/event-log.js'
import type { Logger } from '../telemetry/logger.js'
import { deferred, pause } from '../timing.js'
import type { Client } from './connection.js'
import { toRecord } from './consumption.js'
import type { Position } from './group-run.js'
import { type KafkaInstruments, startMember } from './member.js'

export interface KafkaReadOptions {
  readonly topic: string
  /** Not empty. */
  readonly spans: ReadonlyMap<number, ReadSpan>
  readonly onRecord: (record: LogRecord) => unknown
  readonly newClient: () => Client
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

export interface StartedRead {
  /** Settles once all records were passed, or cannot be. */
  readonly done: Promise<void>
  /** Rejects `done` with `closed` unless it has settled, and leaves the group. Idempotent. */
  close(): Promise<void>
}

const SESSION_TIMEOUT_MS = 10_000
/** Longer than it takes to replace a silent member. */
const STALL_MS_MAX = 60_000
const WATCH_EVERY_MS = 1_000

/**
 * Reads as the only member of a new group: kafkajs has no other way. The last offset of a span may hold no record, so a span ends when its
 * end has been passed.
 */
export function startRead({ topic, spans, onRecord, ...options }: KafkaReadOptions): StartedRead {
  const left = new Map(spans)
  const ending = new AbortController()
  let position: Position | undefined
  let progressAt = performance.now()
  let closed: Promise<void> | undefined
  let giving: Promise<void> = Promise.resolve()

  const done = deferred<void>()
  done.promise.catch(() => {})
  const succeed = () => {
    ending.abort()
    done.resolve()
  }
  const fail = (error: unknown) => {
    ending.abort()
    done.reject(error)
  }

  const pass = (partition: number, offset: bigint) => {
    const span = left.get(partition)
    if (!span || ending.signal.aborted || offset + 1n < span.from) return
    progressAt = performance.now()
    if (offset + 1n < span.to) {
      left.set(partition, { ...span, from: offset + 1n })
      return
    }
    left.delete(partition)
    position?.hold(partition)
    if (left.size === 0) succeed()
  }
  const give = async (payload: EachBatchPayload) => {
    const { partition, messages } = payload.batch
    for (const message of messages) {
      const span = left.get(partition)
      if (!span || ending.signal.aborted) return
      const offset = BigInt(message.offset)
      if (offset >= span.from && offset < span.to) {
        // Advance before the wait: a member that replaces this one meanwhile must not pass the record again.
        left.set(partition, { ...span, from: offset + 1n })
        const given = onRecord(toRecord(topic, partition, message))
        // Await only promises: a turn of the event loop for each record would cost more than the read.
        if (given instanceof Promise) await given
      }
      pass(partition, offset)
    }
    const last = messages.at(-1)
    if (last) payload.resolveOffset(last.offset)
  }
  const member = startMember({
    ...options,
    topic,
    group: () => `plimsoll-read-${randomUUID()}`,
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    hooks: {
      onLost: () => {},
      onJoined: (partitions, given) => {
        position = given
        for (const partition of partitions) {
          const span = left.get(partition)
          if (span) given.seek(partition, span.from)
          else given.hold(partition)
        }
      },
      onBatch: async (payload) => {
        // A replaced member may still wait for an earlier record.
        giving = giving.then(() => give(payload)).catch(fail)
        await giving
      },
      onPassed: pass,
    },
  })
  const watch = async () => {
    if (await untilStalled(() => progressAt, ending.signal)) fail(stalled(topic))
  }
  void watch()
  return {
    done: done.promise,
    close: () => {
      fail(new PlimsollError('closed', 'closed before all was read'))
      return (closed ??= member.close())
    },
  }
}

/** True once there was no progress for `STALL_MS_MAX`, false when `signal` is aborted. */
async function untilStalled(progressAt: () => number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (performance.now() - progressAt() > STALL_MS_MAX) return true
    await pause(WATCH_EVERY_MS, signal)
  }
  return false
}

const stalled = (topic: string) =>
  new PlimsollError('log_unavailable', `no further record of topic \`${topic}\` for ${STALL_MS_MAX} ms`)
