import { PlimsollError } from '@plimsoll/contracts'
import type { Consumption, EventLog } from '../event-log.js'
import { silentLogger, type Logger } from '../logger.js'
import { noMetrics, type Metrics } from '../metrics.js'
import { spansOf } from '../read-span.js'
import { ADMIN_REQUEST_TIMEOUT_MS, ADMIN_RETRY, createTopicAdmin } from './admin.js'
import { createClient, type KafkaConnection } from './connection.js'
import { startConsumption, type StartedConsumption } from './consumption.js'
import { CONSUMER_REQUEST_TIMEOUT_MS, CONSUMER_RETRY } from './group-run.js'
import { createKafkaInstruments } from './instruments.js'
import type { LaneLimits } from './lane.js'
import { startRead, type KafkaReadOptions } from './read.js'
import type { SendLimits } from './send-queue.js'
import { startTail } from './tail.js'
import {
  createTopicWriter,
  PRODUCER_REQUEST_TIMEOUT_MS,
  PRODUCER_RETRY,
  type TopicWriter,
} from './topic-writer.js'

export interface KafkaLogOptions extends KafkaConnection {
  readonly logger?: Logger
  /** Of one `Metrics` only one log can count. */
  readonly metrics?: Metrics
  readonly limits?: Partial<KafkaLimits>
}

export interface KafkaLimits extends SendLimits, LaneLimits {
  /** Further attempts of a write that fails. */
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
 * An `EventLog` in Kafka. Connects when it is first used; each topic written to, each consumption and each tail has a connection of its
 * own, so that the trouble of one is not that of another.
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
    assertNot(signal)
    const consumption = start()
    open.add(consumption)
    const end = () => consumption.close().finally(() => open.delete(consumption))
    signal?.addEventListener('abort', () => void end())
    await consumption.joined
    assertOpen()
    return { isRunning: () => consumption.isRunning(), close: end }
  }
  /** Resolves before the group was left, which the close of the log waits for. */
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
      assertNot(signal)
      const spans = spansOf(topic, await admin.describe(topic), ranges)
      assertOpen()
      assertNot(signal)
      if (spans.size === 0) return
      await read({ topic, spans, onRecord, newClient: clients.consumer, logger, instruments }, signal)
    },
    createTopics: async (topics) => {
      assertOpen()
      await admin.createTopics(topics)
    },
    describe: async (topic) => {
      assertOpen()
      return admin.describe(topic)
    },
    offsetAt: async (topic, partition, timeMs) => {
      assertOpen()
      return admin.offsetAt(topic, partition, timeMs)
    },
    settings: async (topic) => {
      assertOpen()
      return admin.settings(topic)
    },
    copies: async (topic) => {
      assertOpen()
      return admin.copies(topic)
    },
    group: async (group, topic) => {
      assertOpen()
      return admin.group(group, topic)
    },
    ping: async () => {
      assertOpen()
      await admin.ping()
    },
    close: () => (closed ??= close()),
  }
}

function assertNot(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('closed', 'closed before it began')
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
