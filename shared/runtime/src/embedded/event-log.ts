import { PlimsollError } from '@plimsoll/contracts'
import { systemClock, type Clock } from '../clock.js'
import type { Consumption, EventLog } from '../event-log.js'
import { silentLogger, type Logger } from '../logger.js'
import { startConsumption } from './consumption.js'
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
    tail: async (name, onRecord, signal) => {
      assertOpen()
      assertNot(signal)
      // Without a wait where the topic is there: from this call on means from before the next line of the caller.
      const topic = topics.find(name) ?? (await whenMade(name, signal))
      return opened(startTail(topic, onRecord, batchRecordsMax, logger), signal)
    },
    createTopics: async (specs) => {
      assertOpen()
      for (const spec of specs) topics.ensure(spec)
    },
    describe: async (name) => {
      assertOpen()
      return topics.find(name)?.partitions.map((log, partition) => ({
        partition,
        firstOffset: BigInt(log.firstOffset()),
        nextOffset: BigInt(log.nextOffset()),
      }))
    },
    offsetAt: async (name, partition, timeMs) => {
      assertOpen()
      const offset = topics.find(name)?.partitions[partition]?.offsetAt(timeMs)
      return offset === undefined ? undefined : BigInt(offset)
    },
    stampsTime: async (name) => {
      assertOpen()
      return topics.find(name) ? true : undefined
    },
    ping: async () => assertOpen(),
    close: async () => {
      closing.abort()
      await Promise.all([...open].map((consumption) => consumption.close()))
    },
  }
}

function assertNot(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('closed', 'closed before it began')
}
