import type { kafkaSettings, serviceSettings } from '../config/common-settings.js'
import type { ConfigOf } from '../config/config.js'
import { kafkaConnectionOf } from '../kafka/connection.js'
import { createKafkaLog } from '../kafka/event-log.js'
import type { EventLog } from '../ports/event-log.js'
import { createMetrics } from '../prometheus/metrics.js'
import type { OnRelease } from '../shutdown.js'
import { type HttpServer, type Metrics, serveHttp } from '../telemetry/http.js'
import { type Logger, createLogger } from '../telemetry/logger.js'

/** What every service on Kafka stands on. */
export interface ServiceContext {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Of its metrics and probes. */
  readonly http: HttpServer
  readonly log: EventLog
}

export interface ServiceOptions {
  readonly config: ConfigOf<typeof kafkaSettings & typeof serviceSettings>
  /** Made here where it is left out. */
  readonly metrics?: Metrics
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  readonly isReady: () => Promise<boolean> | boolean
  readonly onRelease: OnRelease
}

/**
 * Metrics and probes, first up and last down, so that a probe hears "not ready" while the rest starts or drains; then the way to Kafka, which
 * nothing has asked for anything yet. Rejects with `config_invalid` for a taken port.
 */
export async function openService(options: ServiceOptions): Promise<ServiceContext> {
  const { config, metrics = createMetrics(), write, isReady, onRelease } = options
  const logger = createLogger({ level: config.logLevel, write })
  const http = await serveHttp({ host: config.httpHost, port: config.httpPort, metrics, isReady })
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
