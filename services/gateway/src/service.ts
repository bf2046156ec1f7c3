import { topicsOf } from '@plimsoll/contracts'
import { readCatalogue } from '@plimsoll/policy'
import { withReleasers } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createRedisLineages } from '@plimsoll/runtime/redis'
import { openService } from '@plimsoll/runtime/service'
import { readPrincipals } from './auth/principals.js'
import { type Gateway, startGateway } from './gateway.js'
import { mcpPluginsOf } from './mcp/from-settings.js'
import { createReadyGauge } from './metrics.js'
import { createMemoryLineages } from './sessions/lineage.js'
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
  /** Variables for MCP servers, which get those that their file names. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** The gateway on Kafka, with metrics and probes. Resolves when it serves agents; throws for an invalid principals file or a taken port. */
export async function startGatewayService(options: GatewayServiceOptions): Promise<GatewayService> {
  const { config, environment = {}, write, signal } = options
  let gateway: Gateway | undefined
  const metrics = createMetrics()
  const setReady = createReadyGauge(metrics)
  const notReady = async () => {
    const reason = gateway ? await gateway.notReady() : 'it waits for Kafka and the topic of the decisions'
    setReady(reason === undefined)
    return reason
  }
  const { value, release } = await withReleasers(async (onRelease) => {
    const principals = await readPrincipals(config.principalsFile)
    const { logger, http, log } = await openService({ config, metrics, write, notReady, onRelease })
    const { redisUrl: url, topicPrefix: prefix } = config
    const lineages =
      config.lineages === 'memory'
        ? createMemoryLineages()
        : createRedisLineages({ url, prefix, metrics, logger: logger.child({ part: 'redis' }) })
    onRelease(() => lineages.close())
    const { fingerprintKey, identityKey, proposalTimeoutMs: timeoutMs, disclosedTools: tools = [] } = config
    const disclose = tools.length > 0 ? [{ tools, arguments: ['*'] }] : []
    const topics = topicsOf(config.topicPrefix)
    const catalogue = await readCatalogue(config.catalogueFiles)
    const keys = { identityKey, ...(fingerprintKey !== undefined && { fingerprintKey }) }
    const started = await startGateway({
      log,
      topics,
      principals,
      environment,
      host: config.gatewayHost,
      port: config.gatewayPort,
      client: { timeoutMs, catalogue, disclose, ...keys },
      lineages,
      signingKey: config.signingKey,
      plugins: await mcpPluginsOf(config, { environment, catalogue, log, topics }),
      metrics,
      logger,
      signal,
    })
    onRelease(() => started.close())
    logger.info('serving agents', { url: started.url, principals: principals.principals.length })
    gateway = started
    return { url: started.url, probesUrl: http.url }
  })
  return { ...value, close: release }
}
