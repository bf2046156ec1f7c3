import { type PlimsollError, topicsOf } from '@plimsoll/contracts'
import { type Logger, type OnRelease, consumerGroup, withReleasers } from '@plimsoll/runtime'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { openService } from '@plimsoll/runtime/service'
import type { Counting } from './fold/counting.js'
import { type Monitor, startMonitor } from './monitor.js'
import type { MonitorLimits } from './records/quota.js'
import { readRuleDocuments } from './rule-documents.js'
import { type MonitorConfig, identityOf } from './settings.js'

export interface MonitorService {
  /** Of its metrics and probes. */
  readonly url: string
  /** Resolves when the monitor runs; rejects with what was fatal before. */
  readonly started: Promise<void>
  /** Readiness goes first, then the chunk under way, the group, and the connections. */
  close(): Promise<void>
}

export interface MonitorServiceOptions {
  readonly config: MonitorConfig
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  readonly onFatal: (error: PlimsollError) => void
}

/** The monitor on Kafka and Redis, with its metrics and probes served from the first moment. Throws on bad documents or a taken port. */
export async function startMonitorService(options: MonitorServiceOptions): Promise<MonitorService> {
  let monitor: Monitor | undefined
  let isClosing = false
  const isReady = async () => !isClosing && ((await monitor?.isReady()) ?? false)
  const acquired = await withReleasers(async (onRelease) => {
    const service = await acquire(options, isReady, onRelease)
    monitor = service.monitor
    return service
  })
  const { http, monitor: running } = acquired.value
  return {
    url: http.url,
    started: running.started,
    close: () => {
      isClosing = true
      return acquired.release()
    },
  }
}

async function acquire(
  { config, write, onFatal }: MonitorServiceOptions,
  isReady: () => Promise<boolean>,
  onRelease: OnRelease,
) {
  const documents = await readRuleDocuments(config)
  const { logger, metrics, http, log } = await openService({ config, write, isReady, onRelease })
  const store = createRedisStore({
    url: config.redisUrl,
    prefix: config.topicPrefix,
    metrics,
    logger: logger.child({ part: 'redis' }),
  })
  onRelease(() => store.close())
  const monitor = startMonitor({
    ...monitorOptionsOf(config, logger),
    log,
    store,
    documents,
    metrics,
    onFatal,
  })
  onRelease(() => monitor.close())
  return { http, monitor }
}

function monitorOptionsOf(config: MonitorConfig, logger: Logger) {
  const { partitions, replicas } = config
  return {
    topics: topicsOf(config.topicPrefix),
    group: consumerGroup(config.topicPrefix, 'monitor'),
    signingKey: config.signingKey,
    identity: identityOf(config),
    create: config.createTopics ? { partitions, ...(replicas !== undefined && { replicas }) } : undefined,
    limits: limitsOf(config),
    counting: countingOf(config),
    logger,
  }
}

/** Whose sessions are counted. */
export const countingOf = ({ uncountedTenants = [] }: MonitorConfig): Counting => ({
  isOn: !uncountedTenants.includes('*'),
  exceptTenants: uncountedTenants,
})

/** The limits that are settings. */
export const limitsOf = (config: MonitorConfig): Partial<MonitorLimits> => ({
  idleTtlMs: config.idleTtlSeconds * 1000,
  sessionTimeoutMs: config.sessionTimeoutMs,
  rebuildEventsMax: config.rebuildEventsMax,
  sessionEventsPerSecondMax: config.sessionEventsPerSecondMax,
  tenantEventsPerSecondMax: config.tenantEventsPerSecondMax,
})
