import { randomUUID } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import type { EachBatchPayload } from 'kafkajs'
import {
  type Consumption,
  type EventLog,
  type LogAdmin,
  type LogRecord,
  assertNotAborted,
  spansOf,
  whileOpen,
} from '../ports/event-log.js'
import { type Metrics, noMetrics } from '../telemetry/metrics.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { createBackoff, pause } from '../timing.js'
import { ADMIN_REQUEST_TIMEOUT_MS, ADMIN_RETRY, createTopicAdmin } from './admin.js'
import { type Client, type KafkaConnection, createClient } from './connection.js'
import { type StartedConsumption, startConsumption, toRecord } from './consumption.js'
import { CONSUMER_REQUEST_TIMEOUT_MS, CONSUMER_RETRY } from './group-run.js'
import type { LaneLimits } from './lane.js'
import { type KafkaInstruments, type Member, createKafkaInstruments, startMember } from './member.js'
import { type KafkaReadOptions, startRead } from './read.js'
import type { SendLimits } from './send-queue.js'
import {
  type TopicWriter,
  PRODUCER_REQUEST_TIMEOUT_MS,
  PRODUCER_RETRY,
  createTopicWriter,
} from './topic-writer.js'

export interface KafkaTailOptions {
  readonly topic: string
  readonly onRecord: (record: LogRecord) => void
  readonly from: 'end' | 'beginning'
  readonly newClient: () => Client
  readonly admin: Pick<LogAdmin, 'describe'>
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

const SESSION_TIMEOUT_MS = 10_000
const ASK_AGAIN_MS_MAX = 2_000

/**
 * Reads from the ends (or beginnings) of the partitions. kafkajs reads only as a member of a group: each run is alone in a new group, so that
 * it need not wait until its predecessor has left.
 */
export function startTail(options: KafkaTailOptions): StartedConsumption {
  const { topic, newClient, logger } = options
  const closing = new AbortController()
  let member: Member | undefined
  let closed: Promise<void> | undefined

  const start = async () => {
    const positions = await startsOf(options, closing.signal)
    if (closing.signal.aborted) throw new PlimsollError('closed', 'closed before it began')
    member = startMember({
      newClient,
      topic,
      group: () => `plimsoll-tail-${randomUUID()}`,
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
      logger,
      instruments: options.instruments,
      hooks: {
        onLost: () => {},
        onJoined: (partitions, { seek }) => {
          for (const partition of partitions) seek(partition, positions.get(partition) ?? 0n)
        },
        onBatch: async (payload) => {
          if (!closing.signal.aborted) hand(payload, positions, options)
        },
      },
    })
    await member.joined
  }
  const joined = start()
  joined.catch(() => {})
  const close = async () => {
    closing.abort()
    await member?.close()
  }
  return {
    joined,
    isRunning: () => !closing.signal.aborted && member?.isRunning() === true,
    close: () => (closed ??= close()),
  }
}

/** The first offset to read in each partition; retries until the topic can be described. */
async function startsOf(
  { topic, from, admin, logger }: KafkaTailOptions,
  closing: AbortSignal,
): Promise<Map<number, bigint>> {
  const backoff = createBackoff({ maxMs: ASK_AGAIN_MS_MAX })
  while (!closing.aborted) {
    try {
      const partitions = await admin.describe(topic)
      if (partitions)
        return new Map(
          partitions.map(({ partition, firstOffset, nextOffset }) => [
            partition,
            from === 'end' ? nextOffset : firstOffset,
          ]),
        )
      logger.warn('the topic does not exist yet; retrying', { topic })
    } catch (error) {
      logger.warn('the topic cannot be described; retrying', { topic, error })
    }
    await pause(backoff.next(), closing)
  }
  return new Map()
}

function hand(
  payload: EachBatchPayload,
  positions: Map<number, bigint>,
  { topic, onRecord, logger }: KafkaTailOptions,
): void {
  const { partition, messages } = payload.batch
  for (const message of messages) {
    const record = toRecord(topic, partition, message)
    if (record.offset < (positions.get(partition) ?? 0n)) continue
    positions.set(partition, record.offset + 1n)
    try {
      onRecord(record)
    } catch (error) {
      logger.error('handling a record failed', { topic, partition, offset: record.offset, error })
    }
  }
  const last = messages.at(-1)
  if (last) payload.resolveOffset(last.offset)
}

export interface KafkaLogOptions extends KafkaConnection {
  readonly logger?: Logger
  /** Each `Metrics` can serve one log. */
  readonly metrics?: Metrics
  readonly limits?: Partial<KafkaLimits>
}

export interface KafkaLimits extends SendLimits, LaneLimits {
  /** Retries of a failed write. */
  readonly writeRetriesMax: number
}

export const KAFKA_LIMITS: KafkaLimits = {
  writeRetriesMax: 11,
  queueBytesMax: 64 * 1024 * 1024,
  requestBytesMax: 8_000_000,
  batchBytesMax: 900_000,
  batchRecordsMax: 2_000,
  patienceMs: 500,
  redeliveryMsMax: 5_000,
}

/**
 * An `EventLog` in Kafka. Connects at its first use. Each topic written to, each consumption and each tail has its own connection, so that
 * they fail independently.
 */
export function createKafkaLog(options: KafkaLogOptions): EventLog {
  const { logger = silentLogger, metrics = noMetrics } = options
  const instruments = createKafkaInstruments(metrics)
  const limits = { ...KAFKA_LIMITS, ...options.limits }
  const clients = clientsOf(options, limits.writeRetriesMax, logger)
  const admin = createTopicAdmin(clients.admin)
  const writers = new Map<string, TopicWriter>()
  const open = new Set<{ readonly close: () => Promise<void> }>()
  let closed: Promise<void> | undefined

  const assertOpen = () => {
    if (closed) throw new PlimsollError('closed', 'the log has been closed')
  }
  const writerOf = (topic: string): TopicWriter => {
    const writer =
      writers.get(topic) ??
      createTopicWriter({ topic, newClient: clients.producer, limits, logger, instruments })
    writers.set(topic, writer)
    return writer
  }
  const opened = async (start: () => StartedConsumption, signal?: AbortSignal): Promise<Consumption> => {
    assertNotAborted(signal)
    const consumption = start()
    open.add(consumption)
    const end = () => consumption.close().finally(() => open.delete(consumption))
    signal?.addEventListener('abort', () => void end())
    await consumption.joined
    assertOpen()
    return { isRunning: () => consumption.isRunning(), close: end }
  }
  /** Resolves before its group is left; closing the log waits for that. */
  const read = async (options: KafkaReadOptions, signal?: AbortSignal): Promise<void> => {
    const reading = startRead(options)
    open.add(reading)
    const end = () => void reading.close().finally(() => open.delete(reading))
    signal?.addEventListener('abort', end)
    try {
      await reading.done
    } finally {
      signal?.removeEventListener('abort', end)
      end()
    }
  }
  const close = async () => {
    await Promise.all([...open].map((consumption) => consumption.close()))
    await Promise.all([...writers.values()].map((writer) => writer.close()))
  }

  return {
    produce: async (topic, records) => {
      assertOpen()
      await writerOf(topic).write(records)
    },
    consume: async (given) => {
      assertOpen()
      const options = { ...given, newClient: clients.consumer, logger, limits, instruments }
      return opened(() => startConsumption(options), given.signal)
    },
    tail: async (topic, onRecord, { from = 'end', signal } = {}) => {
      assertOpen()
      const options = { topic, onRecord, from, newClient: clients.consumer, admin, logger, instruments }
      return opened(() => startTail(options), signal)
    },
    read: async (topic, onRecord, { ranges, signal } = {}) => {
      assertOpen()
      assertNotAborted(signal)
      const spans = spansOf(topic, await admin.describe(topic), ranges)
      assertOpen()
      assertNotAborted(signal)
      if (spans.size === 0) return
      await read({ topic, spans, onRecord, newClient: clients.consumer, logger, instruments }, signal)
    },
    ...whileOpen(assertOpen, admin),
    close: () => (closed ??= close()),
  }
}

function clientsOf(connection: KafkaConnection, writeRetriesMax: number, logger: Logger) {
  const of = (requestTimeoutMs: number, retry: typeof ADMIN_RETRY) => () =>
    createClient(connection, { requestTimeoutMs, retry }, logger)
  return {
    admin: of(ADMIN_REQUEST_TIMEOUT_MS, ADMIN_RETRY),
    consumer: of(CONSUMER_REQUEST_TIMEOUT_MS, CONSUMER_RETRY),
    producer: of(PRODUCER_REQUEST_TIMEOUT_MS, { ...PRODUCER_RETRY, retries: writeRetriesMax }),
  }
}
