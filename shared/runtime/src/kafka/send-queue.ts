import { PlimsollError } from '@plimsoll/contracts'
import type { ICustomPartitioner, Message } from 'kafkajs'
import type { OutgoingRecord } from '../ports/event-log.js'
import { partitionOf } from '../ports/partitioner.js'
import { sizeOf, toMessage } from './consumption.js'

/** One call of `produce`; settles when all its messages have. */
interface Call {
  left: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface Pending {
  readonly message: Message
  readonly bytes: number
  readonly call: Call
}

export interface SendLimits {
  /** Most bytes that wait; a call that exceeds it is refused with `queue_full`, unless the queue is empty. */
  readonly queueBytesMax: number
  /** Bytes of one request. */
  readonly requestBytesMax: number
  /** Bytes of one partition in a request. Kafka's default limit is 1,048,588. */
  readonly batchBytesMax: number
  /** Records of one partition in a request; the time of kafkajs is quadratic in it. */
  readonly batchRecordsMax: number
}

/** Messages waiting for one topic, in order, with their calls. */
export interface SendQueue {
  add(records: readonly OutgoingRecord[]): Promise<void>
  /** The next messages for one request; empty if none wait. They count until they settle. */
  take(): readonly Pending[]
  succeed(load: readonly Pending[]): void
  /** Fails the calls of `load`, including their messages that still wait. */
  fail(load: readonly Pending[], error: unknown): void
  failAll(error: unknown): void
}

export function createSendQueue(
  topic: string,
  placement: Placement,
  limits: SendLimits,
  onBytes: (bytes: number) => void,
): SendQueue {
  let waiting: Pending[] = []
  let bytes = 0

  const count = (change: number) => {
    bytes += change
    onBytes(bytes)
  }
  const release = (pending: readonly Pending[]) => count(-pending.reduce((sum, each) => sum + each.bytes, 0))
  const fail = (load: readonly Pending[], error: unknown) => {
    const calls = new Set(load.map(({ call }) => call))
    release([...load, ...waiting.filter(({ call }) => calls.has(call))])
    waiting = waiting.filter(({ call }) => !calls.has(call))
    for (const call of calls) call.reject(error)
  }

  return {
    add: (records) => {
      if (records.length === 0) return Promise.resolve()
      const sizes = records.map(sizeOf)
      const added = sizes.reduce((sum, size) => sum + size, 0)
      if (bytes > 0 && bytes + added > limits.queueBytesMax)
        return Promise.reject(
          new PlimsollError('queue_full', `too many bytes wait to be written to topic \`${topic}\``),
        )
      count(added)
      return new Promise((resolve, reject) => {
        const call: Call = { left: records.length, resolve, reject }
        for (const [i, record] of records.entries())
          waiting.push({ message: toMessage(record), bytes: sizes[i] ?? 0, call })
      })
    },
    take: () => {
      const request = createRequest(limits)
      let taken = 0
      for (const { message, bytes } of waiting) {
        if (!request.add(placement.of(message) ?? -1, bytes)) break
        taken++
      }
      return waiting.splice(0, taken)
    },
    succeed: (load) => {
      release(load)
      for (const { call } of load) if (--call.left === 0) call.resolve()
    },
    fail,
    failAll: (error) => fail(waiting, error),
  }
}

/** Fills one request up to `limits`; one record always fits. */
function createRequest(limits: SendLimits): { add(partition: number, bytes: number): boolean } {
  const batches = new Map<number, { bytes: number; records: number }>()
  let total = 0
  return {
    add: (partition, bytes) => {
      const batch = batches.get(partition) ?? { bytes: 0, records: 0 }
      const isFull =
        total + bytes > limits.requestBytesMax ||
        batch.bytes + bytes > limits.batchBytesMax ||
        batch.records === limits.batchRecordsMax
      if (total > 0 && isFull) return false
      total += bytes
      batches.set(partition, { bytes: batch.bytes + bytes, records: batch.records + 1 })
      return true
    },
  }
}

/**
 * Chooses partitions as Kafka's Java clients do, and remembers them: kafkajs asks again at each retry, and a message without a key that then
 * changed its partition could be lost if part of the request had succeeded.
 */
export interface Placement {
  readonly createPartitioner: ICustomPartitioner
  /** The message's partition; undefined before the first send, when the number of partitions is unknown. */
  of(message: Message): number | undefined
}

export function createPlacement(): Placement {
  const placed = new WeakMap<Message, number>()
  let nextKeyless = Math.floor(Math.random() * 1_000)
  let count = 0
  const place = (message: Message): number => {
    const partition =
      typeof message.key === 'string' ? partitionOf(message.key, count) : nextKeyless++ % count
    placed.set(message, partition)
    return partition
  }
  return {
    createPartitioner:
      () =>
      ({ message, partitionMetadata }) => {
        count = partitionMetadata.length
        return placed.get(message) ?? place(message)
      },
    of: (message) => placed.get(message) ?? (count > 0 ? place(message) : undefined),
  }
}
