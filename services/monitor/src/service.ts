import { type PlimsollError, topicsOf } from '@plimsoll/contracts'
import { consumerGroup, withReleasers } from '@plimsoll/runtime'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { openService } from '@plimsoll/runtime/service'
import type { Counting } from './fold/counting.js'
import { type Monitor, startMonitor } from './monitor.js'
import type { MonitorLimits } from './records/quota.js'
import { readRuleDocuments } from './rule-documents.js'
import { type MonitorConfig, identityOf } from './settings.js'

export interface MonitorService {
  /** Serves metrics and probes. */
  readonly url: string
  /** Resolves once the monitor runs; rejects with an earlier fatal error. */
  readonly started: Promise<void>
  /** Ends readiness first, then the current chunk, the group membership and the connections. */
  close(): Promise<void>
}

export interface MonitorServiceOptions {
  readonly config: MonitorConfig
  /** Writes a log line. */
  readonly write: (line: string) => void
  readonly onFatal: (error: PlimsollError) => void
}

/** Starts the monitor on Kafka and Redis; serves metrics and probes from the start. Throws on invalid documents or a taken port. */
export async function startMonitorService(options: MonitorServiceOptions): Promise<MonitorService> {
  const { config, write, onFatal } = options
  let monitor: Monitor | undefined
  let isClosing = false
  const notReady = () => (isClosing ? 'it ends' : monitor ? monitor.notReady() : 'it starts')
  const { value, release } = await withReleasers(async (onRelease) => {
    const documents = await readRuleDocuments(config)
    const { logger, metrics, http, log } = await openService({ config, write, notReady, onRelease })
    const { topicPrefix: prefix, partitions, replicas } = config
    const redisLogger = logger.child({ part: 'redis' })
    const store = createRedisStore({ url: config.redisUrl, prefix, metrics, logger: redisLogger })
    onRelease(() => store.close())
    const started = startMonitor({
      log,
      store,
      documents,
      topics: topicsOf(prefix),
      group: consumerGroup(prefix, 'monitor'),
      signingKey: config.signingKey,
      identity: identityOf(config),
      create: config.createTopics ? { partitions, ...(replicas !== undefined && { replicas }) } : undefined,
      limits: limitsOf(config),
      counting: countingOf(config),
      metrics,
      logger,
      onFatal,
    })
    onRelease(() => started.close())
    monitor = started
    return { url: http.url, started: started.started }
  })
  return {
    ...value,
    close: () => {
      isClosing = true
      return release()
    },
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
