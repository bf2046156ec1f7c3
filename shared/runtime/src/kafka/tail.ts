import { randomUUID } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import type { EachBatchPayload } from 'kafkajs'
import { createBackoff, pause } from '../backoff.js'
import type { LogRecord } from '../event-log.js'
import type { Logger } from '../logger.js'
import type { TopicAdmin } from './admin.js'
import type { StartedConsumption } from './consumption.js'
import type { KafkaInstruments } from './instruments.js'
import { startMember, type Member } from './member.js'
import { toRecord } from './records.js'
import type { Client } from './connection.js'

export interface KafkaTailOptions {
  readonly topic: string
  readonly onRecord: (record: LogRecord) => void
  readonly from: 'end' | 'beginning'
  readonly newClient: () => Client
  readonly admin: TopicAdmin
  readonly logger: Logger
  readonly instruments: KafkaInstruments
}

const SESSION_TIMEOUT_MS = 10_000
const ASK_AGAIN_MS_MAX = 2_000

/**
 * Takes the ends (or beginnings) of the partitions first and then reads on from there. kafkajs can read only as a member of a group; each run is the
 * only member of a group of its own, so that it need not wait for the end of its predecessor.
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

/** Where to begin in each partition, asked until Kafka answers and has the topic. */
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
      logger.warn('there is no such topic yet; asking again', { topic })
    } catch (error) {
      logger.warn('the topic cannot be described; asking again', { topic, error })
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
      logger.error('a record could not be handed on', { topic, partition, offset: record.offset, error })
    }
  }
  const last = messages.at(-1)
  if (last) payload.resolveOffset(last.offset)
}
