import { topicsOf } from '@plimsoll/contracts'
import { createLogger, serveHttp, withReleasers } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { runJudge, type RunningJudge } from './run-judge.js'
import type { JudgeConfig } from './settings.js'

export interface JudgeService {
  /** Of its metrics and probes. */
  readonly url: string
  close(): Promise<void>
}

export interface JudgeServiceOptions {
  readonly config: JudgeConfig
  readonly candidatesFile?: string | undefined
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** The judge on Kafka, with metrics and probes. Resolves when it consumes; throws on a bad file of candidates or a taken port. */
export async function startJudgeService(options: JudgeServiceOptions): Promise<JudgeService> {
  const { config, candidatesFile, write, signal } = options
  let judge: RunningJudge | undefined
  const acquired = await withReleasers(async (onRelease) => {
    const logger = createLogger({ level: config.logLevel, write })
    const metrics = createMetrics()
    const isReady = () => judge?.isRunning() ?? false
    const http = await serveHttp({ host: config.httpHost, port: config.httpPort, metrics, isReady })
    onRelease(() => http.close())
    logger.info('serving metrics and probes', { url: http.url })
    const log = createKafkaLog({
      ...kafkaConnectionOf(config),
      metrics,
      logger: logger.child({ part: 'kafka' }),
    })
    onRelease(() => log.close())
    const topics = topicsOf(config.topicPrefix)
    const running = await runJudge({ log, topics, config, candidatesFile, metrics, logger, signal })
    onRelease(() => running.close())
    judge = running
    const { model, protocol, effect } = config
    logger.info('judging unlabelled steps', { topic: topics.decisions, model, protocol, effect })
    return http
  })
  return { url: acquired.value.url, close: () => acquired.release() }
}
