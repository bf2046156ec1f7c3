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
  /** A client whose requests end after `PRODUCER_REQUEST_TIMEOUT_MS` and are tried as `PRODUCER_RETRY` says. */
  readonly newClient: () => Client
  readonly limits: SendLimits
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

export interface TopicWriter {
  write(records: readonly OutgoingRecord[]): Promise<void>
  /** Writes what waits, for a bounded time, and disconnects. */
  close(): Promise<void>
}

/**
 * With `writeRetriesMax` of 11 about half a minute, which a cluster needs to notice that a broker is dead and to have another lead; three
 * times as long where brokers take what they are told and do not answer.
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

/** Faults of the records themselves, not of the log: what waits behind them can still be written. */
const RECORD_FAULTS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/**
 * Writes to one topic through an idempotent producer of its own, one request after the other; calls that come meanwhile share the
 * next one.
 *
 * One at a time, because kafkajs takes the sequence number of a failed request back: another request that took it meanwhile would be
 * mistaken for a repetition if the failed one had been written after all, and be lost. For the same reason a producer that has failed
 * for good is never used again. And when it has, all that waits fails with it, so that nothing overtakes what its caller will try again.
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
    // A microtask later, so that calls of one turn share the first request too.
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

const closedBefore = () =>
  new PlimsollError('closed', 'the log was closed before this was known to be written')

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
 * Sends until every partition has answered: when a leader moves to a broker that had already answered, kafkajs leaves the moved
 * partition out of its retry and calls the whole a success.
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
