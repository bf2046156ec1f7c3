import { setImmediate as nextTurn } from 'node:timers/promises'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type Consumption,
  type EventLog,
  type GroupInfo,
  type LogRecord,
  type PartitionInfo,
  type ReadSpan,
  type TopicSpec,
  assertNotAborted,
  spansOf,
  whileOpen,
} from '../ports/event-log.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type Clock, systemClock } from '../timing.js'
import { startConsumption } from './consumption.js'
import { type Group, type Topic, createTopic } from './topic.js'

/** Passes the records of `spans` to `onRecord`, one partition after the other. The topic keeps them meanwhile. */
async function readSpans(
  topic: Topic,
  spans: ReadonlyMap<number, ReadSpan>,
  onRecord: (record: LogRecord) => unknown,
  readRecordsMax: number,
  over: AbortSignal,
): Promise<void> {
  const positions = new Map([...spans].map(([partition, { from }]) => [partition, Number(from)]))
  const release = topic.keep((partition) => positions.get(partition))
  try {
    for (const [partition, { from, to }] of spans) {
      for (let at = Number(from); at < Number(to); at += readRecordsMax) {
        positions.set(partition, at)
        await nextTurn()
        const count = Math.min(readRecordsMax, Number(to) - at)
        for (const record of topic.partitions[partition]?.read(at, count) ?? []) {
          if (over.aborted) throw new PlimsollError('closed', 'closed before all was read')
          const given = onRecord(record)
          if (given instanceof Promise) await given
        }
      }
      positions.delete(partition)
    }
  } finally {
    release()
  }
}

/** Reads from the current end of `topic`, or from its beginning. */
function startTail(
  topic: Topic,
  onRecord: (record: LogRecord) => void,
  from: 'end' | 'beginning',
  readRecordsMax: number,
  logger: Logger,
): Consumption {
  const positions = topic.partitions.map((log) => (from === 'end' ? log.nextOffset() : log.firstOffset()))
  const release = topic.keep((partition) => positions[partition])
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  const hand = (record: LogRecord) => {
    try {
      onRecord(record)
    } catch (error) {
      logger.error('handling a record failed', { topic: topic.name, offset: record.offset, error })
    }
  }
  const lanes = topic.partitions.map(async (log, partition) => {
    while (!closing.signal.aborted) {
      await log.whenBeyond(positions[partition] ?? 0, closing.signal)
      await nextTurn()
      for (const record of log.read(positions[partition] ?? 0, readRecordsMax)) {
        if (closing.signal.aborted) return
        hand(record)
        positions[partition] = Number(record.offset) + 1
      }
    }
  })
  const close = async () => {
    closing.abort()
    await Promise.all(lanes)
    release()
  }
  return {
    isRunning: () => !closing.signal.aborted,
    close: () => (closed ??= close()),
  }
}

/** Topics by name; they outlive the `EventLog`s that use them. */
export interface EmbeddedTopics {
  find(name: string): Topic | undefined
  /** Creates the topic if it is missing. */
  ensure(spec: TopicSpec): void
  /** Resolves once the topic exists, or with undefined when `signal` is aborted. */
  whenMade(name: string, signal: AbortSignal): Promise<Topic | undefined>
}

export interface EmbeddedTopicsOptions {
  /** Records kept of a partition; 100,000 by default. */
  readonly retentionRecordsMax?: number
}

/** Topics in this process, none at first. Pass them to several `createEmbeddedLog` for several clients of one log. */
export function createEmbeddedTopics(options: EmbeddedTopicsOptions = {}): EmbeddedTopics {
  const { retentionRecordsMax = 100_000 } = options
  const topics = new Map<string, Topic>()
  const waiting = new Set<() => void>()
  return {
    find: (name) => topics.get(name),
    ensure: (spec) => {
      if (topics.has(spec.topic)) return
      topics.set(spec.topic, createTopic(spec, retentionRecordsMax))
      for (const wake of waiting) wake()
    },
    whenMade: (name, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          const topic = topics.get(name)
          if (!topic && !signal.aborted) return
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve(topic)
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
        wake()
      }),
  }
}

export interface EmbeddedLogOptions extends EmbeddedTopicsOptions {
  /** Shared topics, with their own options; by default the log has its own. */
  readonly topics?: EmbeddedTopics
  /** Source of append times. */
  readonly clock?: Clock
  readonly logger?: Logger
  /** Records of a batch; 500 by default. */
  readonly batchRecordsMax?: number
  /** Most wait before a batch is delivered again; 5 s by default. */
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
      assertNotAborted(given.signal)
      const topic = topics.find(given.topic) ?? (await whenMade(given.topic, given.signal))
      return opened(startConsumption(topic, given, { batchRecordsMax, redeliveryMsMax }), given.signal)
    },
    tail: async (name, onRecord, { from = 'end', signal } = {}) => {
      assertOpen()
      assertNotAborted(signal)
      // Synchronous if the topic exists, so that the tail starts before the caller continues.
      const topic = topics.find(name) ?? (await whenMade(name, signal))
      return opened(startTail(topic, onRecord, from, batchRecordsMax, logger), signal)
    },
    read: async (name, onRecord, { ranges, signal } = {}) => {
      assertOpen()
      assertNotAborted(signal)
      const topic = topics.find(name)
      const spans = spansOf(name, partitionsOf(topic), ranges)
      const over = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal
      if (topic) await readSpans(topic, spans, onRecord, batchRecordsMax, over)
    },
    ...whileOpen(assertOpen, {
      createTopics: async (specs) => specs.forEach(topics.ensure),
      describe: async (name) => partitionsOf(topics.find(name)),
      offsetAt: async (name, partition, timeMs) => {
        const offset = topics.find(name)?.partitions[partition]?.offsetAt(timeMs)
        return offset === undefined ? undefined : BigInt(offset)
      },
      settings: async (name) => topics.find(name)?.settings,
      copies: async (name) => topics.find(name) && { brokers: 1, replicas: 1, inSync: 1 },
      group: async (group, name) => {
        const topic = topics.find(name)
        return groupInfoOf(topic, topic?.findGroup(group))
      },
      ping: async () => {},
    }),
    close: async () => {
      closing.abort()
      await Promise.all([...open].map((consumption) => consumption.close()))
    },
  }
}

const partitionsOf = (topic: Topic | undefined): PartitionInfo[] | undefined =>
  topic?.partitions.map((log, partition) => ({
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
