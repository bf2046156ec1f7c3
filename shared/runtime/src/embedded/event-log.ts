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
  const whenMade = async (name: string): Promise<Topic> => {
    const topic = await topics.whenMade(name, closing.signal)
    assertOpen()
    if (!topic) throw new PlimsollError('closed', 'the log has been closed')
    return topic
  }
  const opened = (consumption: Consumption): Consumption => {
    open.add(consumption)
    return {
      isRunning: () => consumption.isRunning(),
      close: () => consumption.close().finally(() => open.delete(consumption)),
    }
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
      const topic = topics.find(given.topic) ?? (await whenMade(given.topic))
      return opened(startConsumption(topic, given, { batchRecordsMax, redeliveryMsMax }))
    },
    tail: async (name, onRecord) => {
      assertOpen()
      // Without a wait where the topic is there: from this call on means from before the next line of the caller.
      const topic = topics.find(name) ?? (await whenMade(name))
      return opened(startTail(topic, onRecord, batchRecordsMax, logger))
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
    ping: async () => assertOpen(),
    close: async () => {
      closing.abort()
      await Promise.all([...open].map((consumption) => consumption.close()))
    },
  }
}
