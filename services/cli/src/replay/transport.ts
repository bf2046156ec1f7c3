import { topicsOf, type Topics } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import {
  checkKafkaSettings,
  parseConfig,
  type Environment,
  type EventLog,
  type Logger,
  type OnRelease,
} from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { startOwnMonitor, type OwnMonitor } from '../pipeline/own-monitor.js'

/** What lies between the replayed agents and their verdicts. */
export interface Transport {
  readonly log: EventLog
  readonly topics: Topics
  /** Undefined where somebody else's monitor decides. */
  readonly own: OwnMonitor | undefined
}

export async function openEmbedded(logger: Logger, onRelease: OnRelease): Promise<Transport> {
  const log = createEmbeddedLog({ logger })
  onRelease(() => log.close())
  const store = createEmbeddedStore()
  onRelease(() => store.close())
  const topics = topicsOf()
  const own = await startOwnMonitor({ log, store, topics, group: 'plimsoll-replay', partitions: 4, logger })
  onRelease(() => own.monitor.close())
  return { log, topics, own }
}

export async function openKafka(
  env: Environment,
  hasMonitor: boolean,
  logger: Logger,
  onRelease: OnRelease,
): Promise<Transport> {
  const config = parseConfig(monitorSettings, env, { checks: [checkKafkaSettings] })
  const log = createKafkaLog({ ...kafkaConnectionOf(config), logger })
  onRelease(() => log.close())
  const topics = topicsOf(config.topicPrefix)
  if (!hasMonitor) return { log, topics, own: undefined }
  const store = createRedisStore({ url: config.redisUrl, prefix: config.redisPrefix, logger })
  onRelease(() => store.close())
  const { group, partitions, replicas, signingKey } = config
  const own = await startOwnMonitor({
    log,
    store,
    topics,
    group,
    partitions,
    replicas,
    signingKey,
    logger,
    rules: config,
  })
  onRelease(() => own.monitor.close())
  return { log, topics, own }
}
