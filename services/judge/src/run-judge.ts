import type { Topics } from '@plimsoll/contracts'
import {
  systemClock,
  type Clock,
  type Consumption,
  type EventLog,
  type Logger,
  type Metrics,
} from '@plimsoll/runtime'
import { createBudget } from './asking/budget.js'
import { createJudge } from './asking/judge.js'
import { createModel } from './asking/model.js'
import { openCandidates } from './candidates/candidates.js'
import { createJudgeMetrics } from './metrics/index.js'
import { createArgumentsFinder } from './proposals.js'
import { PROTOCOLS } from './protocols/index.js'
import type { JudgeConfig } from './settings.js'
import { createStepJudge } from './steps.js'

export type JudgeLimits = Pick<
  JudgeConfig,
  | 'url'
  | 'protocol'
  | 'model'
  | 'key'
  | 'effect'
  | 'sharedArguments'
  | 'timeoutMs'
  | 'concurrencyMax'
  | 'callsPerMinuteMax'
  | 'callsMax'
  | 'ageMaxSeconds'
  | 'group'
  | 'signingKey'
>

export interface RunJudgeOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly config: JudgeLimits
  /** File of a catalogue to which answers are added. */
  readonly candidatesFile?: string | undefined
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Bound of the first pause between attempts. */
  readonly firstPauseMs?: number
  /** Ends it, also while the group has still to be joined. */
  readonly signal?: AbortSignal | undefined
}

/** A judge at work: it reads decisions, and tells sessions what their unlabelled tools are. */
export interface RunningJudge {
  isRunning(): boolean
  /** Ends calls under way; what they were for is taken again at the next start. The log stays open: its owner closes it. */
  close(): Promise<void>
}

/** Resolves once the group has been joined, however long there is no log. Throws `document_invalid` where the candidates' file is no catalogue, and as `consume` does. */
export async function runJudge(options: RunJudgeOptions): Promise<RunningJudge> {
  const { log, topics, config, logger, clock = systemClock, candidatesFile } = options
  const metrics = createJudgeMetrics(options.metrics)
  const closing = new AbortController()
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
  const by = config.model
  const candidates =
    candidatesFile === undefined
      ? undefined
      : await openCandidates({ file: candidatesFile, by, metrics, logger })
  const model = createModel({
    protocol: PROTOCOLS[config.protocol],
    endpoint: { url: config.url, model: config.model, key: config.key },
    timeoutMs: config.timeoutMs,
    budget: createBudget(config.callsPerMinuteMax, config.callsMax, clock),
    metrics,
    logger,
    clock,
    signal,
    ...(options.firstPauseMs !== undefined && { firstPauseMs: options.firstPauseMs }),
  })
  const { concurrencyMax, effect, signingKey, sharedArguments = [] } = config
  const onBatch = createStepJudge({
    log,
    eventsTopic: topics.events,
    judge: createJudge({ model, concurrencyMax, clock }),
    findArguments: createArgumentsFinder(log, topics.events, logger),
    candidates,
    sharedArguments,
    effect,
    by,
    signingKey,
    ageMaxMs: config.ageMaxSeconds * 1000,
    metrics,
    clock,
    signal,
  })
  const consumption: Consumption = await log.consume({
    topic: topics.decisions,
    group: config.group,
    onBatch,
    signal,
    onError: (error) => {
      // At the end what was under way is left to the next start: nothing went wrong.
      if (!signal.aborted) logger.warn('a batch of decisions is taken again', { error })
    },
  })
  return {
    isRunning: () => consumption.isRunning(),
    async close() {
      closing.abort()
      await consumption.close()
      await candidates?.flush()
    },
  }
}
