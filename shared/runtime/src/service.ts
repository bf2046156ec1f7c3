import type { kafkaSettings, serviceSettings } from './config/common-settings.js'
import type { ConfigOf } from './config/config.js'
import { kafkaConnectionOf } from './kafka/connection.js'
import { createKafkaLog } from './kafka/event-log.js'
import type { EventLog } from './ports/event-log.js'
import { createMetrics } from './telemetry/prometheus.js'
import type { OnRelease } from './shutdown.js'
import { type HttpServer, type NotReady, serveHttp } from './telemetry/http.js'
import type { Metrics } from './telemetry/metrics.js'
import { type Logger, createLogger } from './telemetry/logger.js'

/** Shared parts of every service on Kafka. */
export interface ServiceContext {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Serves metrics and probes. */
  readonly http: HttpServer
  readonly log: EventLog
}

export interface ServiceOptions {
  readonly config: ConfigOf<typeof kafkaSettings & typeof serviceSettings>
  /** Created here by default. */
  readonly metrics?: Metrics
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  readonly notReady: NotReady
  readonly onRelease: OnRelease
}

/**
 * Starts metrics and probes first and stops them last, so that a probe gets "not ready" while the rest starts or drains. The log connects at
 * its first use. Rejects with `config_invalid` for a taken port.
 */
export async function openService(options: ServiceOptions): Promise<ServiceContext> {
  const { config, metrics = createMetrics(), write, notReady, onRelease } = options
  const logger = createLogger({ level: config.logLevel, write })
  const http = await serveHttp({ host: config.httpHost, port: config.httpPort, metrics, notReady })
  onRelease(() => http.close())
  logger.info('serving metrics and probes', { url: http.url })
  const log = createKafkaLog({
    ...kafkaConnectionOf(config),
    metrics,
    logger: logger.child({ part: 'kafka' }),
  })
  onRelease(() => log.close())
  return { logger, metrics, http, log }
}
