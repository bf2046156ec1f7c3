import type { EachBatchPayload, IHeaders, KafkaMessage, Message } from 'kafkajs'
import { noLongerOurs, trackBatch } from '../ports/batch-progress.js'
import type { ConsumeOptions, Consumption, LogRecord, OutgoingRecord } from '../ports/event-log.js'
import type { Logger } from '../telemetry/logger.js'
import { pause, within } from '../timing.js'
import type { Client } from './connection.js'
import { isAssignmentOver, logUnavailable } from './group-run.js'
import { type Lane, type LaneLimits, type Outcome, createLane } from './lane.js'
import { type KafkaInstruments, startMember } from './member.js'

export function toMessage({ key, value, headers }: OutgoingRecord): Message {
  return {
    key,
    value: value === null || typeof value === 'string' ? value : asBuffer(value),
    ...(headers && { headers: { ...headers } }),
  }
}

/** About how many bytes `record` takes in a batch. */
export function sizeOf({ key, value, headers }: OutgoingRecord): number {
  const headerBytes = Object.entries(headers ?? {}).reduce(
    (sum, [name, text]) => sum + byteLength(name) + byteLength(text) + 10,
    0,
  )
  return RECORD_OVERHEAD_BYTES + byteLength(key) + byteLength(value) + headerBytes
}

/** Lengths, deltas and attributes of a record, at their longest. */
const RECORD_OVERHEAD_BYTES = 36

export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: message.key === null ? null : message.key.toString('utf8'),
    value: message.value,
    headers: toHeaders(message.headers),
    timeMs: Number(message.timestamp),
  }
}

/** Of a repeated header the last value counts, as in Kafka's own clients. */
function toHeaders(headers: IHeaders | undefined): Record<string, string> {
  const entries = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value
    return last === undefined || last === null ? [] : [[name, last.toString('utf8')] as const]
  })
  return Object.fromEntries(entries)
}

function byteLength(data: string | Uint8Array | null): number {
  if (data === null) return 0
  return typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export interface KafkaConsumptionOptions extends ConsumeOptions {
  readonly newClient: () => Client
  readonly logger: Logger
  readonly limits: LaneLimits
  readonly instruments: KafkaInstruments
}

const SESSION_TIMEOUT_MS = 10_000
/** Batches still running after this are given up; their later commits are refused. */
const DRAIN_MS_MAX = 30_000

/** Pause before a batch that arrived during a rebalance is fetched again. */
const NOT_OURS_MS = 50

/** `joined` resolves when the group is joined for the first time. */
export interface StartedConsumption extends Consumption {
  readonly joined: Promise<void>
}

export function startConsumption(options: KafkaConsumptionOptions): StartedConsumption {
  const { topic, onBatch, onError, onAssigned, limits } = options
  const closing = new AbortController()
  const lanes = new Map<number, Lane>()
  let owned: ReadonlySet<number> = new Set()
  /** Counts assignments: a batch belongs to the assignment it was fetched under. */
  let epoch = 0
  let closed: Promise<void> | undefined

  const laneOf = (partition: number): Lane => {
    const lane = lanes.get(partition) ?? createLane(limits, closing.signal)
    lanes.set(partition, lane)
    return lane
  }
  const work = async (payload: EachBatchPayload): Promise<Outcome> => {
    const born = epoch
    const progress = progressOf(payload, () => epoch === born, closing.signal)
    try {
      await onBatch(progress.batch)
    } catch (error) {
      onError?.(error)
    }
    if (progress.isDone()) return 'done'
    return progress.hasBegun() ? 'begun' : 'nothing'
  }
  const member = startMember({
    newClient: options.newClient,
    topic,
    group: () => options.group,
    sessionTimeoutMs: options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS,
    logger: options.logger,
    instruments: options.instruments,
    hooks: {
      onLost: () => {
        epoch++
        owned = new Set()
      },
      onJoined: (partitions) => {
        owned = new Set(partitions)
        onAssigned?.([...partitions])
      },
      onBatch: async (payload) => {
        const { partition } = payload.batch
        if (closing.signal.aborted) payload.pause()
        else if (!owned.has(partition)) await pause(NOT_OURS_MS)
        else
          await laneOf(partition).take(
            () => work(payload),
            () => payload.pause(),
          )
      },
    },
  })
  const close = async () => {
    closing.abort()
    const idle = Promise.all([...lanes.values()].map((lane) => lane.whenIdle()))
    await within(DRAIN_MS_MAX, idle, undefined)
    await member.close()
  }
  return {
    joined: member.joined,
    isRunning: () => !closing.signal.aborted && member.isRunning(),
    close: () => (closed ??= close()),
  }
}

function progressOf(payload: EachBatchPayload, isHeld: () => boolean, closing: AbortSignal) {
  const { topic, partition, messages, highWatermark } = payload.batch
  return trackBatch({
    topic,
    partition,
    records: messages.map((message) => toRecord(topic, partition, message)),
    endOffset: BigInt(highWatermark),
    isHeld,
    isWanted: () => !closing.aborted,
    commit: async (offset) => {
      await commitNext(payload, offset + 1n)
      // After a rebalance kafkajs has fetched newer offsets of the group.
      if (isHeld()) payload.resolveOffset(String(offset))
    },
  })
}

/** One attempt: retries of kafkajs would continue in the next generation, when another member may own the partition. */
async function commitNext(payload: EachBatchPayload, nextOffset: bigint): Promise<void> {
  const { topic, partition } = payload.batch
  try {
    await payload.commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset: String(nextOffset) }] }],
    })
  } catch (error) {
    if (isAssignmentOver(error)) throw noLongerOurs(topic, partition)
    throw logUnavailable(`cannot commit to topic \`${topic}\``, error)
  }
}
