import { topicsOf } from '@plimsoll/contracts'
import { withReleasers } from '@plimsoll/runtime'
import { openService } from '@plimsoll/runtime/service'
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
    const isReady = () => judge?.isRunning() ?? false
    const { logger, metrics, http, log } = await openService({ config, write, isReady, onRelease })
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
