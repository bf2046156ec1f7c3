import { PlimsollError } from '@plimsoll/contracts'
import type { Consumption, EventLog } from '../event-log.js'
import { silentLogger, type Logger } from '../logger.js'
import { noMetrics, type Metrics } from '../metrics.js'
import { ADMIN_REQUEST_TIMEOUT_MS, ADMIN_RETRY, createTopicAdmin } from './admin.js'
import { createClient, type KafkaConnection } from './connection.js'
import { startConsumption, type StartedConsumption } from './consumption.js'
import { CONSUMER_REQUEST_TIMEOUT_MS, CONSUMER_RETRY } from './group-run.js'
import { createKafkaInstruments } from './instruments.js'
import type { LaneLimits } from './lane.js'
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
  const open = new Set<Consumption>()
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
    if (signal?.aborted) throw new PlimsollError('closed', 'closed before it began')
    const consumption = start()
    open.add(consumption)
    const end = () => consumption.close().finally(() => open.delete(consumption))
    signal?.addEventListener('abort', () => void end())
    await consumption.joined
    assertOpen()
    return { isRunning: () => consumption.isRunning(), close: end }
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
    tail: async (topic, onRecord, signal) => {
      assertOpen()
      const options = { topic, onRecord, newClient: clients.consumer, admin, logger, instruments }
      return opened(() => startTail(options), signal)
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
    stampsTime: async (topic) => {
      assertOpen()
      return admin.stampsTime(topic)
    },
    ping: async () => {
      assertOpen()
      await admin.ping()
    },
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
