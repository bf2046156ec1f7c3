import { PlimsollError } from '@plimsoll/contracts'
import type { Message, Producer, RetryOptions } from 'kafkajs'
import type { OutgoingRecord } from '../ports/event-log.js'
import type { Logger } from '../telemetry/logger.js'
import { within } from '../timing.js'
import type { Client } from './connection.js'
import { logUnavailable, typeOf } from './group-run.js'
import type { KafkaInstruments } from './member.js'
import {
  type Pending,
  type Placement,
  type SendLimits,
  createPlacement,
  createSendQueue,
} from './send-queue.js'

export interface WriterOptions {
  readonly topic: string
  /** Its requests time out after `PRODUCER_REQUEST_TIMEOUT_MS` and are retried by `PRODUCER_RETRY`. */
  readonly newClient: () => Client
  readonly limits: SendLimits
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

export interface TopicWriter {
  write(records: readonly OutgoingRecord[]): Promise<void>
  /** Writes waiting records, for a bounded time, and disconnects. */
  close(): Promise<void>
}

/**
 * With `writeRetriesMax` of 11 about half a minute, within which a cluster detects a dead broker and elects another leader; three times as
 * long if brokers accept requests and do not answer.
 */
export const PRODUCER_REQUEST_TIMEOUT_MS = 5_000
export const PRODUCER_RETRY: RetryOptions = {
  initialRetryTime: 200,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 4_000,
}

const CLOSE_MS_MAX = 5_000
const DISCONNECT_MS_MAX = 2_000
const ROUNDS_MAX = 3

/** Errors of the records themselves: records that wait behind them can still be written. */
const RECORD_FAULTS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/**
 * Writes to one topic through its own idempotent producer, one request after the other. Calls that arrive meanwhile share the next request.
 *
 * One at a time, because kafkajs reuses the sequence number of a failed request: if that request was written after all, another request with
 * its number would be dropped as a duplicate. For the same reason a failed producer is never used again. All waiting records fail with it, so
 * that nothing overtakes a retry of their caller.
 */
export function createTopicWriter(options: WriterOptions): TopicWriter {
  const { topic, logger, instruments } = options
  const placement = createPlacement()
  const queue = createSendQueue(topic, placement, options.limits, (bytes) =>
    instruments.queueBytes.set({ topic }, bytes),
  )
  let current: { readonly client: Client; readonly producer: Promise<Producer> } | undefined
  let pumping: Promise<void> | undefined
  let isClosed = false

  const producer = (): Promise<Producer> => {
    if (!current) {
      const client = options.newClient()
      current = { client, producer: openProducer(client, placement) }
    }
    return current.producer
  }
  const discard = async () => {
    const discarded = current
    current = undefined
    if (!discarded) return
    discarded.client.retire()
    const disconnected = discarded.producer.then((each) => each.disconnect())
    await within(DISCONNECT_MS_MAX, disconnected, undefined).catch(() => {})
  }
  const sendLoad = async (load: readonly Pending[]) => {
    try {
      await sendAll(
        await producer(),
        topic,
        load.map(({ message }) => message),
        placement,
      )
      queue.succeed(load)
    } catch (cause) {
      const error = isClosed ? closedBefore() : logUnavailable(`cannot write to topic \`${topic}\``, cause)
      instruments.writeFailures.inc({ topic })
      logger.warn('a write to the log has failed', { topic, records: load.length, error })
      queue.fail(load, error)
      if (!RECORD_FAULTS.has(typeOf(cause) ?? '')) queue.failAll(error)
      await discard()
    }
  }
  const pump = async () => {
    // A microtask later, so that calls in the same turn share the first request.
    await Promise.resolve()
    for (let load = queue.take(); load.length > 0; load = queue.take()) await sendLoad(load)
    pumping = undefined
  }

  return {
    write: (records) => {
      if (isClosed) return Promise.reject(new PlimsollError('closed', 'the log has been closed'))
      const written = queue.add(records)
      pumping ??= pump()
      return written
    },
    close: async () => {
      isClosed = true
      await within(CLOSE_MS_MAX, pumping ?? Promise.resolve(), undefined)
      queue.failAll(closedBefore())
      await discard()
    },
  }
}

const closedBefore = () => new PlimsollError('closed', 'the log was closed before the write was acknowledged')

async function openProducer(client: Client, placement: Placement): Promise<Producer> {
  const producer = client.kafka.producer({
    idempotent: true,
    createPartitioner: placement.createPartitioner,
    allowAutoTopicCreation: false,
  })
  try {
    await producer.connect()
    return producer
  } catch (error) {
    await within(DISCONNECT_MS_MAX, producer.disconnect(), undefined).catch(() => {})
    throw error
  }
}

/**
 * Sends until every partition has answered: if a leader moves to a broker that has already answered, kafkajs leaves its partition out of the
 * retry and reports success.
 */
async function sendAll(
  producer: Producer,
  topic: string,
  messages: readonly Message[],
  placement: Placement,
): Promise<void> {
  let left = messages
  for (let round = 0; left.length > 0; round++) {
    if (round === ROUNDS_MAX) throw new Error(`${left.length} records were not acknowledged`)
    const answers = await producer.send({
      topic,
      messages: [...left],
      acks: -1,
      timeout: PRODUCER_REQUEST_TIMEOUT_MS,
    })
    const answered = new Set(answers.map(({ partition }) => partition))
    left = left.filter((message) => !answered.has(placement.of(message) ?? -1))
  }
}
