import { type Topics, REFINEMENTS, topicsOf } from '@plimsoll/contracts'
import {
  SIGNING_KEY,
  type Clock,
  type ConfigOf,
  type Consumption,
  type EventLog,
  type Logger,
  type Metrics,
  consumerGroup,
  kafkaSettings,
  serviceSettings,
  setting,
  systemClock,
  withReleasers,
} from '@plimsoll/runtime'
import { openService } from '@plimsoll/runtime/service'
import { createBudget } from './asking/budget.js'
import { createJudge } from './asking/judge.js'
import { createModel } from './asking/model.js'
import { openCandidates } from './candidates.js'
import { createJudgeMetrics } from './metrics.js'
import { createArgumentsFinder } from './proposals.js'
import { PROTOCOLS, PROTOCOL_NAMES } from './protocols/index.js'
import { createStepJudge } from './steps.js'

/** What bounds the work of a judge. */
export interface JudgeLimits {
  /** How long one call of the model may take. */
  readonly timeoutMs: number
  /** Tools asked about at a time. */
  readonly concurrencyMax: number
  /** Calls of the model within a minute, retries included; what exceeds it stays unlabelled. */
  readonly callsPerMinuteMax: number
  /** Older decisions are skipped: their sessions have moved on. */
  readonly ageMaxMs: number
}

export const JUDGE_LIMITS: JudgeLimits = {
  timeoutMs: 20_000,
  concurrencyMax: 2,
  callsPerMinuteMax: 30,
  ageMaxMs: 900_000,
}

export interface RunJudgeOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly config: Pick<
    JudgeConfig,
    'url' | 'protocol' | 'model' | 'key' | 'effect' | 'sharedArguments' | 'callsMax' | 'signingKey'
  >
  readonly group: string
  readonly limits?: Partial<JudgeLimits>
  /** Catalogue file to which answers are added. */
  readonly candidatesFile?: string | undefined
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Bound of the first pause between attempts. */
  readonly firstPauseMs?: number
  /** Its abort ends it, also before the group is joined. */
  readonly signal?: AbortSignal | undefined
}

/** A running judge: reads decisions and reports labels of unlabelled tools to their sessions. */
export interface RunningJudge {
  isRunning(): boolean
  /** Ends running calls, which the next start repeats. The log stays open: its owner closes it. */
  close(): Promise<void>
}

/** Resolves once the group is joined, however long the log is missing. Throws `document_invalid` if the file of candidates is no catalogue, and as `consume` does. */
export async function runJudge(options: RunJudgeOptions): Promise<RunningJudge> {
  const { log, topics, config, logger, clock = systemClock, candidatesFile } = options
  const limits = { ...JUDGE_LIMITS, ...options.limits }
  const metrics = createJudgeMetrics(options.metrics)
  const closing = new AbortController()
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
  const by = config.model
  const candidates =
    candidatesFile === undefined ? undefined : await openCandidates({ file: candidatesFile, by, logger })
  const model = createModel({
    protocol: PROTOCOLS[config.protocol],
    endpoint: { url: config.url, model: config.model, key: config.key },
    timeoutMs: limits.timeoutMs,
    budget: createBudget(limits.callsPerMinuteMax, config.callsMax, clock),
    metrics,
    logger,
    clock,
    signal,
    ...(options.firstPauseMs !== undefined && { firstPauseMs: options.firstPauseMs }),
  })
  const { effect, signingKey, sharedArguments = [] } = config
  const onBatch = createStepJudge({
    log,
    eventsTopic: topics.events,
    judge: createJudge({ model, concurrencyMax: limits.concurrencyMax, clock }),
    findArguments: createArgumentsFinder(log, topics.events, logger),
    candidates,
    sharedArguments,
    effect,
    by,
    signingKey,
    ageMaxMs: limits.ageMaxMs,
    metrics,
    clock,
    signal,
  })
  const consumption: Consumption = await log.consume({
    topic: topics.decisions,
    group: options.group,
    onBatch,
    signal,
    onError: (error) => {
      // After an abort the next start repeats the batch: no error.
      if (!signal.aborted) logger.warn('retrying a batch of decisions', { error })
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

export interface JudgeService {
  /** Serves metrics and probes. */
  readonly url: string
  close(): Promise<void>
}

export interface JudgeServiceOptions {
  readonly config: JudgeConfig
  readonly candidatesFile?: string | undefined
  /** Writes a log line. */
  readonly write: (line: string) => void
  /** Its abort ends it; during the start it then throws `closed`. */
  readonly signal: AbortSignal
}

/** Starts the judge on Kafka, with metrics and probes. Resolves once it consumes; throws on an invalid file of candidates or a taken port. */
export async function startJudgeService(options: JudgeServiceOptions): Promise<JudgeService> {
  const { config, candidatesFile, write, signal } = options
  let judge: RunningJudge | undefined
  const acquired = await withReleasers(async (onRelease) => {
    const notReady = () => (judge?.isRunning() ? undefined : 'not in its group: Kafka does not answer yet')
    const { logger, metrics, http, log } = await openService({ config, write, notReady, onRelease })
    const topics = topicsOf(config.topicPrefix)
    const group = consumerGroup(config.topicPrefix, 'judge')
    const running = await runJudge({ log, topics, group, config, candidatesFile, metrics, logger, signal })
    onRelease(() => running.close())
    judge = running
    const { model, protocol, effect } = config
    logger.info('judging unlabelled steps', { topic: topics.decisions, model, protocol, effect })
    return http
  })
  return { url: acquired.value.url, close: () => acquired.release() }
}

/** Settings of `plimsoll judge`. */
export const judgeSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  signingKey: setting.text({ ...SIGNING_KEY, required: true }),
  url: setting.url({
    env: 'PLIMSOLL_JUDGE_URL',
    doc: 'Endpoint of the model that labels unlabelled tools; `/v1` and the path of the protocol are appended.',
    protocols: ['https', 'http'],
    required: true,
  }),
  protocol: setting.choice(PROTOCOL_NAMES)({
    env: 'PLIMSOLL_JUDGE_PROTOCOL',
    doc: 'Protocol of the endpoint: `openai` (chat completions with a JSON schema) or `anthropic` (messages with a tool).',
    default: 'openai',
  }),
  model: setting.text({
    env: 'PLIMSOLL_JUDGE_MODEL',
    doc: 'Name of the model; recorded in events and candidates.',
    expects: '1–200 printable characters',
    pattern: /^[\x20-\x7e]{1,200}$/,
    required: true,
  }),
  key: setting.text({
    env: 'PLIMSOLL_JUDGE_KEY',
    doc: 'API key of the endpoint, if needed.',
    expects: 'printable characters without spaces',
    pattern: /^[\x21-\x7e]+$/,
    isSecret: true,
  }),
  effect: setting.choice(REFINEMENTS)({
    env: 'PLIMSOLL_JUDGE_TRUST',
    doc: "Effect of an answer on later steps with the tool: `raise` the policy's default for unlabelled tools, or `replace` it and its verdict.",
    default: 'raise',
  }),
  sharedArguments: setting.list({
    env: 'PLIMSOLL_JUDGE_ARGUMENTS',
    doc: 'Names of arguments, separated by commas, whose values the model may see if events carry them. Default: none.',
  }),
  callsMax: setting.integer({
    env: 'PLIMSOLL_JUDGE_CALLS_MAX',
    doc: 'Most calls of the model in one run.',
    default: '1000',
    min: 1,
    max: 10_000_000,
  }),
}

export type JudgeConfig = ConfigOf<typeof judgeSettings>
