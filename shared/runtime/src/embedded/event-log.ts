import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type Clock } from '../clock.js'
import type { Consumption, EventLog, GroupInfo, PartitionInfo } from '../event-log.js'
import { silentLogger, type Logger } from '../logger.js'
import { spansOf } from '../read-span.js'
import { startConsumption } from './consumption.js'
import type { Group } from './group.js'
import { readSpans } from './read.js'
import { startTail } from './tail.js'
import type { Topic } from './topic.js'
import { createEmbeddedTopics, type EmbeddedTopics, type EmbeddedTopicsOptions } from './topics.js'

export interface EmbeddedLogOptions extends EmbeddedTopicsOptions {
  /** What the log holds, made with their own options; topics of its own by default, which are gone with it. */
  readonly topics?: EmbeddedTopics
  /** Gives the append times. */
  readonly clock?: Clock
  readonly logger?: Logger
  /** Records of a batch; 500 by default. */
  readonly batchRecordsMax?: number
  /** The longest wait before a batch is delivered again; 5 s by default. */
  readonly redeliveryMsMax?: number
}

/** An `EventLog` in this process. */
export function createEmbeddedLog(options: EmbeddedLogOptions = {}): EventLog {
  const { topics = createEmbeddedTopics(options), clock = systemClock, logger = silentLogger } = options
  const { batchRecordsMax = 500, redeliveryMsMax = 5_000 } = options
  const open = new Set<Consumption>()
  const closing = new AbortController()

  const assertOpen = () => {
    if (closing.signal.aborted) throw new PlimsollError('closed', 'the log has been closed')
  }
  const whenMade = async (name: string, signal?: AbortSignal): Promise<Topic> => {
    const over = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal
    const topic = await topics.whenMade(name, over)
    assertOpen()
    if (!topic || over.aborted)
      throw new PlimsollError('closed', `closed before there was a topic \`${name}\``)
    return topic
  }
  const opened = (consumption: Consumption, signal?: AbortSignal): Consumption => {
    open.add(consumption)
    const close = () => consumption.close().finally(() => open.delete(consumption))
    signal?.addEventListener('abort', () => void close())
    return { isRunning: () => consumption.isRunning(), close }
  }

  return {
    produce: async (name, records) => {
      assertOpen()
      const topic = topics.find(name)
      if (!topic) throw new PlimsollError('log_unavailable', `there is no topic \`${name}\``)
      for (const record of records) topic.append(record, clock.now())
    },
    consume: async (given) => {
      assertOpen()
      assertNot(given.signal)
      const topic = topics.find(given.topic) ?? (await whenMade(given.topic, given.signal))
      return opened(startConsumption(topic, given, { batchRecordsMax, redeliveryMsMax }), given.signal)
    },
    tail: async (name, onRecord, { from = 'end', signal } = {}) => {
      assertOpen()
      assertNot(signal)
      // Without a wait where the topic is there: from this call on means from before the next line of the caller.
      const topic = topics.find(name) ?? (await whenMade(name, signal))
      return opened(startTail(topic, onRecord, from, batchRecordsMax, logger), signal)
    },
    read: async (name, onRecord, { ranges, signal } = {}) => {
      assertOpen()
      assertNot(signal)
      const topic = topics.find(name)
      const spans = spansOf(name, topic && partitionsOf(topic), ranges)
      const over = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal
      if (topic) await readSpans(topic, spans, onRecord, batchRecordsMax, over)
    },
    createTopics: async (specs) => {
      assertOpen()
      for (const spec of specs) topics.ensure(spec)
    },
    describe: async (name) => {
      assertOpen()
      const topic = topics.find(name)
      return topic && partitionsOf(topic)
    },
    offsetAt: async (name, partition, timeMs) => {
      assertOpen()
      const offset = topics.find(name)?.partitions[partition]?.offsetAt(timeMs)
      return offset === undefined ? undefined : BigInt(offset)
    },
    settings: async (name) => {
      assertOpen()
      return topics.find(name)?.settings
    },
    copies: async (name) => {
      assertOpen()
      return topics.find(name) && { brokers: 1, replicas: 1, inSync: 1 }
    },
    group: async (group, name) => {
      assertOpen()
      const topic = topics.find(name)
      return groupInfoOf(topic, topic?.findGroup(group))
    },
    ping: async () => assertOpen(),
    close: async () => {
      closing.abort()
      await Promise.all([...open].map((consumption) => consumption.close()))
    },
  }
}

const partitionsOf = (topic: Topic): PartitionInfo[] =>
  topic.partitions.map((log, partition) => ({
    partition,
    firstOffset: BigInt(log.firstOffset()),
    nextOffset: BigInt(log.nextOffset()),
  }))

function groupInfoOf(topic: Topic | undefined, group: Group | undefined): GroupInfo {
  const offsets = (topic?.partitions ?? []).flatMap((_, partition) => {
    const next = group?.committed(partition)
    return next === undefined ? [] : [[partition, BigInt(next)] as const]
  })
  const members = group?.memberCount() ?? 0
  const owned = members > 0 ? (topic?.partitions ?? []).keys() : []
  return { members, owned: new Set(owned), offsets: new Map(offsets) }
}

function assertNot(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('closed', 'closed before it began')
}
