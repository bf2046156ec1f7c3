import { PlimsollError } from '@plimsoll/contracts'
import {
  type Batch,
  type Consumption,
  type Logger,
  type PartitionInfo,
  type Registry,
  type SessionStore,
  APPEND_TIME,
  TIMESTAMP_TYPE,
  createBackoff,
  openRegistry,
  pause,
  storeMissing,
  topicSpecs,
  within,
} from '@plimsoll/runtime'
import type { DeadlineScheduler } from './deadlines/scheduler.js'
import { type MonitorMetrics, createMonitorMetrics } from './metrics/index.js'
import { type MonitorOptions, assemble } from './pipeline/assembly.js'
import { checkLog } from './records/log-guard.js'
import { MONITOR_LIMITS } from './records/quota.js'
import { createOpeningRegistry } from './registry.js'

interface WatchOptions {
  /** Undefined without a signing key: then due sessions are only counted. */
  readonly deadlines: DeadlineScheduler | undefined
  readonly store: SessionStore
  readonly owned: () => readonly number[]
  readonly metrics: MonitorMetrics
  readonly logger: Logger
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Scans between two counts of due sessions. */
const SCANS_PER_COUNT = 5

/** Publishes due deadlines of owned partitions until `signal` is aborted. Failures of log or store are retried. */
async function watchDeadlines(options: WatchOptions): Promise<void> {
  const { deadlines: scheduler, store, owned, metrics, logger, everyMs, signal } = options
  const backoff = createBackoff()
  for (let scans = 0; !signal.aborted; scans++) {
    await pause(everyMs, signal)
    let hasFailed = false
    for (const partition of owned()) {
      if (signal.aborted) return
      try {
        await scheduler?.look(partition)
        if (scans % SCANS_PER_COUNT === 0) metrics.dueCounted(partition, await store.dueCounts(partition))
      } catch (error) {
        if (signal.aborted) return
        // It may concern this partition only: go on with the others.
        hasFailed = true
        logger.warn('deadlines are delayed', { partition, error })
      }
    }
    if (hasFailed) await pause(backoff.next(), signal)
    else backoff.reset()
  }
}

/**
 * Creates missing topics if asked to; resolves with the partitions of the events topic. Throws `config_invalid` if a topic is missing or
 * the events topic has times from producers. Source: docs/decisions/20261121-time.md.
 */
async function prepareTopics({ log, topics, create }: MonitorOptions): Promise<readonly PartitionInfo[]> {
  // The shadow topic is optional.
  const { shadow: _, ...needed } = topics
  const names = Object.values(needed)
  if (create) await log.createTopics(topicSpecs(topics, create))
  const described = await Promise.all(names.map((topic) => log.describe(topic)))
  const missing = names.filter((_, i) => described[i] === undefined)
  if (missing.length > 0)
    throw new PlimsollError(
      'config_invalid',
      `no topic \`${missing.join('`, `')}\`: create it, or set PLIMSOLL_CREATE_TOPICS=true`,
    )
  // If the log does not show its settings, assume the right one.
  const { [TIMESTAMP_TYPE]: stampedBy = APPEND_TIME } = (await log.settings(topics.events)) ?? {}
  if (stampedBy !== APPEND_TIME)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topics.events}\` has times from producers: set its ${TIMESTAMP_TYPE} to ${APPEND_TIME}`,
    )
  return described[names.indexOf(topics.events)] ?? []
}

/**
 * The stream processor. States: starting (topics, log check, registry, group) → running; from either → closed, by `close` or a fatal error.
 * While the log or the store is away it retries forever and is not ready.
 */
export interface Monitor {
  /** Resolves once it runs; rejects with an earlier fatal error. */
  readonly started: Promise<void>
  /** Why it decides nothing; undefined while it owns partitions and its store answers. Within half a second. */
  notReady(): Promise<string | undefined>
  /** Finishes the current chunk, commits and leaves the group. Log and store stay open: their owner closes them. */
  close(): Promise<void>
}

/** What a running monitor has to release. */
interface Running {
  readonly consumption: Consumption
  readonly registry: Registry
  readonly settled: () => Promise<void>
  /** Partitions of the last assignment. */
  readonly owned: () => readonly number[]
}

export function startMonitor(options: MonitorOptions): Monitor {
  const { store, logger } = options
  const metrics = createMonitorMetrics(options.metrics)
  const closing = new AbortController()
  let running: Running | undefined
  let failure: string | undefined

  const fatal = (error: PlimsollError) => {
    if (closing.signal.aborted) return
    logger.error('the monitor cannot continue', { error })
    closing.abort(error)
    void leaveGroup(running, logger)
    options.onFatal?.(error)
  }
  const onRetry = (error: unknown) => {
    failure = error instanceof Error ? error.message : String(error)
    metrics.retried(codeOf(error))
  }
  const started = persistently(options.logger, onRetry, closing.signal, async () => {
    running = await run(options, metrics, closing.signal, fatal)
    if (closing.signal.aborted) await leave(running)
    logger.info('consuming', { topic: options.topics.events, group: options.group })
  })
  started.catch((error: unknown) => {
    if (error instanceof PlimsollError && error.code !== 'closed') fatal(error)
  })

  return {
    started,
    async notReady() {
      const reasons = [
        closing.signal.aborted ? 'it ends' : assignmentMissing(running, options.group, failure),
        await storeMissing(store),
      ].filter((reason) => reason !== undefined)
      metrics.ready(reasons.length === 0)
      return reasons.length === 0 ? undefined : [...new Set(reasons)].join('; ')
    },
    async close() {
      closing.abort(new PlimsollError('closed', 'the monitor has been closed'))
      await started.catch(() => {})
      await leave(running)
    },
  }
}

/** Why no partition is judged; undefined if some are. */
function assignmentMissing(
  running: Running | undefined,
  group: string,
  failure: string | undefined,
): string | undefined {
  if (!running)
    return failure === undefined ? `it joins group \`${group}\`` : `it cannot start yet: ${failure}`
  if (!running.consumption.isRunning())
    return `not in group \`${group}\`: Kafka does not answer, or the group is rebalancing`
  if (running.owned().length > 0) return undefined
  return `no partitions: other monitors of group \`${group}\` have them all`
}

/** Joins the group and opens the registry concurrently: whatever needs the registry waits for it. */
async function run(
  options: MonitorOptions,
  metrics: MonitorMetrics,
  signal: AbortSignal,
  fatal: (error: PlimsollError) => void,
): Promise<Running> {
  const { log, store, topics, group, signingKey, logger } = options
  const limits = { ...MONITOR_LIMITS, ...options.limits }
  const described = await checkLog(log, store, topics.events, () => prepareTopics(options))
  const opening = openRegistry({
    log,
    topic: topics.registry,
    signingKey,
    logger,
    signal,
    onRefused: ({ reason }) => metrics.documentRefused(reason),
  })
  const assembly = assemble({
    ...options,
    limits,
    registry: createOpeningRegistry(opening),
    monitorMetrics: metrics,
    partitions: described.length,
  })
  let owned: readonly number[] = []
  const consuming = log.consume({
    topic: topics.events,
    group,
    sessionTimeoutMs: limits.sessionTimeoutMs,
    signal,
    onBatch: (batch: Batch) => {
      metrics.batchTaken(batch)
      return assembly.process(batch)
    },
    onError: (error) => {
      metrics.retried(codeOf(error))
      logger.warn('retrying a batch', { error })
      // An error that a retry cannot fix would block its partition forever.
      if (error instanceof PlimsollError && !error.retryable && error.code !== 'closed') fatal(error)
    },
    onAssigned: (assigned) => {
      metrics.assigned(assigned)
      assembly.reset()
      owned = assigned
      logger.info('partitions assigned', { partitions: assigned })
    },
  })
  const [consumed, opened] = await Promise.allSettled([consuming, opening])
  if (consumed.status === 'rejected' || opened.status === 'rejected') {
    for (const each of [consumed, opened]) if (each.status === 'fulfilled') await each.value.close()
    throw consumed.status === 'rejected' ? consumed.reason : (opened as PromiseRejectedResult).reason
  }
  const consumption = consumed.value
  if (!assembly.deadlines) logger.warn('no deadlines are published without a signing key')
  void watchDeadlines({
    deadlines: assembly.deadlines,
    store,
    owned: () => (consumption.isRunning() ? owned : []),
    metrics,
    logger,
    everyMs: limits.deadlinesEveryMs,
    signal,
  })
  return { consumption, registry: opened.value, settled: assembly.settled, owned: () => owned }
}

/** Runs `attempt` until it succeeds, with a backoff after retryable errors. Rejects with any other error, or at the abort. */
async function persistently(
  logger: Logger,
  onRetry: (error: unknown) => void,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof PlimsollError && !error.retryable) throw error
      onRetry(error)
      if (error instanceof PlimsollError) logger.warn('cannot start yet', { error })
      else logger.error('cannot start for an unexpected reason', { error })
      await pause(backoff.next(), signal)
    }
  }
  throw signal.reason
}

async function leave(running: Running | undefined): Promise<void> {
  await Promise.all([running?.consumption.close(), running?.registry.close()])
  if (running) await within(SETTLED_MS_MAX, running.settled(), undefined)
}

/** Bounds the wait for the shadow topic, which may be missing. */
const SETTLED_MS_MAX = 5_000

/** A failure to leave is harmless: the group soon drops a silent member. */
async function leaveGroup(running: Running | undefined, logger: Logger): Promise<void> {
  try {
    await leave(running)
  } catch (error) {
    logger.warn('leaving the group failed', { error })
  }
}

const codeOf = (error: unknown): string => (error instanceof PlimsollError ? error.code : 'unexpected')
