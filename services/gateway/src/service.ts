import { topicsOf } from '@plimsoll/contracts'
import { readCatalogue } from '@plimsoll/policy'
import {
  type LineageStore,
  type Logger,
  type Metrics,
  type OnRelease,
  withReleasers,
} from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createRedisLineages } from '@plimsoll/runtime/redis'
import { openService } from '@plimsoll/runtime/service'
import { readPrincipals } from './auth/principals-file.js'
import { type Gateway, startGateway } from './gateway.js'
import { createMemoryLineages } from './lineage/lineage.js'
import { mcpPluginsOf } from './mcp/from-settings.js'
import { GAUGES } from './metrics/specs.js'
import type { GatewayConfig } from './settings.js'

export interface GatewayService {
  /** Where agents are served. */
  readonly url: string
  /** Of its metrics and probes. */
  readonly probesUrl: string
  close(): Promise<void>
}

export interface GatewayServiceOptions {
  readonly config: GatewayConfig
  /** Variables that MCP servers may be given, those that their file names. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** The gateway on Kafka, with metrics and probes. Resolves when agents are served; throws on a bad file of principals or a taken port. */
export async function startGatewayService(options: GatewayServiceOptions): Promise<GatewayService> {
  let gateway: Gateway | undefined
  const metrics = createMetrics()
  const ready = metrics.gauge(GAUGES.ready)
  const isReady = () => {
    const isIt = gateway?.isReady() ?? false
    ready.set({}, isIt ? 1 : 0)
    return isIt
  }
  const acquired = await withReleasers(async (onRelease) => {
    const service = await acquire(options, metrics, isReady, onRelease)
    gateway = service.gateway
    return service
  })
  const { gateway: running, probesUrl } = acquired.value
  return { url: running.url, probesUrl, close: () => acquired.release() }
}

async function acquire(
  { config, environment = {}, write, signal }: GatewayServiceOptions,
  metrics: Metrics,
  isReady: () => boolean,
  onRelease: OnRelease,
) {
  const principals = await readPrincipals(config.principalsFile)
  const { logger, http, log } = await openService({ config, metrics, write, isReady, onRelease })
  const lineages = lineagesOf(config, metrics, logger)
  onRelease(() => lineages.close())
  const {
    gatewayHost: host,
    gatewayPort: port,
    fingerprintKey,
    identityKey,
    proposalTimeoutMs: timeoutMs,
    disclosedTools: tools = [],
  } = config
  const disclose = tools.length > 0 ? [{ tools, arguments: ['*'] }] : []
  const topics = topicsOf(config.topicPrefix)
  const catalogue = await readCatalogue(config.catalogueFiles)
  const gateway = await startGateway({
    log,
    topics,
    principals,
    host,
    port,
    client: {
      timeoutMs,
      identityKey,
      catalogue,
      disclose,
      ...(fingerprintKey !== undefined && { fingerprintKey }),
    },
    lineages,
    plugins: await mcpPluginsOf(config, { environment, catalogue, log, topics }),
    metrics,
    logger,
    signal,
  })
  onRelease(() => gateway.close())
  logger.info('serving agents', { url: gateway.url, principals: principals.principals.length })
  return { gateway, probesUrl: http.url }
}

function lineagesOf(config: GatewayConfig, metrics: Metrics, logger: Logger): LineageStore {
  if (config.lineages === 'memory') return createMemoryLineages()
  const { redisUrl: url, topicPrefix: prefix } = config
  return createRedisLineages({ url, prefix, metrics, logger: logger.child({ part: 'redis' }) })
}
