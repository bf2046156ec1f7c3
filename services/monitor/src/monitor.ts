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
  topicSpecs,
  within,
} from '@plimsoll/runtime'
import type { DeadlineScheduler } from './deadlines/scheduler.js'
import { type MonitorMetrics, createMonitorMetrics } from './metrics/index.js'
import { type Assembly, type MonitorOptions, assemble } from './pipeline/assembly.js'
import { checkLog } from './records/log-guard.js'
import { MONITOR_LIMITS } from './records/quota.js'
import { createOpeningRegistry } from './registry.js'

export interface WatchOptions {
  /** Undefined where nothing can be signed: then the partitions are only counted. */
  readonly deadlines: DeadlineScheduler | undefined
  readonly store: SessionStore
  /** The partitions that are ours at the moment. */
  readonly owned: () => readonly number[]
  readonly metrics: MonitorMetrics
  readonly logger: Logger
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** So many looks go by between two counts of what waits. */
const LOOKS_PER_COUNT = 5

/** Looks after the partitions that are ours, again and again until `signal` is aborted; trouble with log or store ends nothing. */
export async function watchDeadlines(options: WatchOptions): Promise<void> {
  const { deadlines: scheduler, store, owned, metrics, logger, everyMs, signal } = options
  const backoff = createBackoff()
  for (let looks = 0; !signal.aborted; looks++) {
    await pause(everyMs, signal)
    let hasFailed = false
    for (const partition of owned()) {
      if (signal.aborted) return
      try {
        await scheduler?.look(partition)
        if (looks % LOOKS_PER_COUNT === 0) metrics.dueCounted(partition, await store.dueCounts(partition))
      } catch (error) {
        if (signal.aborted) return
        // Trouble may be that partition's alone: the others are looked at all the same.
        hasFailed = true
        logger.warn('deadlines wait', { partition, error })
      }
    }
    if (hasFailed) await pause(backoff.next(), signal)
    else backoff.reset()
  }
}

/**
 * The partitions of the events topic, all topics made where that is asked for. Throws `config_invalid` where one is missing, or takes its
 * times from producers. Source: docs/decisions/20261121-time.md.
 */
export async function prepareTopics({
  log,
  topics,
  create,
}: MonitorOptions): Promise<readonly PartitionInfo[]> {
  // Nobody waits for what lies in the shadow: a deployment whose topics were made before there was one goes on.
  const { shadow: _, ...needed } = topics
  const names = Object.values(needed)
  if (create) await log.createTopics(topicSpecs(topics, create))
  const described = await Promise.all(names.map((topic) => log.describe(topic)))
  const missing = names.filter((_, i) => described[i] === undefined)
  if (missing.length > 0)
    throw new PlimsollError(
      'config_invalid',
      `no topic \`${missing.join('`, `')}\`: make it, or set PLIMSOLL_CREATE_TOPICS=true`,
    )
  // A log that keeps its settings to itself is taken at its word.
  const { [TIMESTAMP_TYPE]: stampedBy = APPEND_TIME } = (await log.settings(topics.events)) ?? {}
  if (stampedBy !== APPEND_TIME)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topics.events}\` takes its times from producers: set its ${TIMESTAMP_TYPE} to ${APPEND_TIME}`,
    )
  return described[names.indexOf(topics.events)] ?? []
}

/**
 * The stream processor. It is *starting* (topics, guard, registry, group) until it *runs*; from either it goes to *closed*, by `close` or by
 * something fatal. Log or store away: it tries without end, and is not ready meanwhile.
 */
export interface Monitor {
  /** Resolves when it runs for the first time; rejects with what was fatal before. */
  readonly started: Promise<void>
  isReady(): Promise<boolean>
  /** Ends the chunk under way, commits, leaves the group. Log and store stay open: their owner closes them. */
  close(): Promise<void>
}

/** What a running monitor lets go of. */
interface Running {
  readonly consumption: Consumption
  readonly registry: Registry
  readonly settled: () => Promise<void>
}

export function startMonitor(options: MonitorOptions): Monitor {
  const { store, logger } = options
  const metrics = createMonitorMetrics(options.metrics)
  const closing = new AbortController()
  let running: Running | undefined

  const fatal = (error: PlimsollError) => {
    if (closing.signal.aborted) return
    logger.error('cannot go on', { error })
    closing.abort(error)
    void leaveGroup(running, logger)
    options.onFatal?.(error)
  }
  const started = persistently(options.logger, metrics, closing.signal, async () => {
    running = await run(options, metrics, closing.signal, fatal)
    if (closing.signal.aborted) await leave(running)
    logger.info('consuming', { topic: options.topics.events, group: options.group })
  })
  started.catch((error: unknown) => {
    if (error instanceof PlimsollError && error.code !== 'closed') fatal(error)
  })

  return {
    started,
    async isReady() {
      const isReady = (running?.consumption.isRunning() ?? false) && (await answers(store))
      metrics.ready(isReady)
      return isReady
    },
    async close() {
      closing.abort(new PlimsollError('closed', 'the monitor has been closed'))
      await started.catch(() => {})
      await leave(running)
    },
  }
}

/** Joins the group and opens the registry, one beside the other: what needs the registry waits for it. */
async function run(
  options: MonitorOptions,
  metrics: MonitorMetrics,
  signal: AbortSignal,
  fatal: (error: PlimsollError) => void,
): Promise<Running> {
  const { log, store, topics, signingKey, logger } = options
  const limits = { ...MONITOR_LIMITS, ...options.limits }
  const described = await checkLog(log, store, topics.events, () => prepareTopics(options))
  const registry = openRegistry({
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
    registry: createOpeningRegistry(registry),
    monitorMetrics: metrics,
    partitions: described.length,
  })
  let owned: readonly number[] = []
  const consuming = consume(
    options,
    limits.sessionTimeoutMs,
    metrics,
    assembly,
    signal,
    fatal,
    (assigned) => {
      owned = assigned
    },
  )
  const [consumed, opened] = await Promise.allSettled([consuming, registry])
  if (consumed.status === 'fulfilled' && opened.status === 'fulfilled') {
    const consumption = consumed.value
    if (!assembly.deadlines) logger.warn('without a signing key no deadlines are published')
    void watchDeadlines({
      deadlines: assembly.deadlines,
      store,
      owned: () => (consumption.isRunning() ? owned : []),
      metrics,
      logger,
      everyMs: limits.deadlinesEveryMs,
      signal,
    })
    return { consumption, registry: opened.value, settled: assembly.settled }
  }
  if (consumed.status === 'fulfilled') await consumed.value.close()
  if (opened.status === 'fulfilled') await opened.value.close()
  throw consumed.status === 'rejected' ? consumed.reason : (opened as PromiseRejectedResult).reason
}

function consume(
  { log, topics, group, logger }: MonitorOptions,
  sessionTimeoutMs: number,
  metrics: MonitorMetrics,
  assembly: Assembly,
  signal: AbortSignal,
  fatal: (error: PlimsollError) => void,
  onOwned: (partitions: readonly number[]) => void,
): Promise<Consumption> {
  return log.consume({
    topic: topics.events,
    group,
    sessionTimeoutMs,
    signal,
    onBatch: (batch: Batch) => {
      metrics.batchTaken(batch)
      return assembly.process(batch)
    },
    onError: (error) => {
      metrics.retried(codeOf(error))
      logger.warn('a batch is taken again', { error })
      // What trying again cannot help would hold up its partition for ever.
      if (error instanceof PlimsollError && !error.retryable && error.code !== 'closed') fatal(error)
    },
    onAssigned: (assigned) => {
      metrics.assigned(assigned)
      assembly.reset()
      onOwned(assigned)
      logger.info('partitions assigned', { partitions: assigned })
    },
  })
}

/** Runs `attempt` until it succeeds, with a backoff after retryable errors; rejects with any other, or when `signal` ends it. */
async function persistently(
  logger: Logger,
  metrics: MonitorMetrics,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof PlimsollError && !error.retryable) throw error
      metrics.retried(codeOf(error))
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

/** What a candidate differs in is told to nobody who waits: a topic that is not there must not hold up the end. */
const SETTLED_MS_MAX = 5_000

/** What was fatal has been told, and a group does without a silent member soon. */
async function leaveGroup(running: Running | undefined, logger: Logger): Promise<void> {
  try {
    await leave(running)
  } catch (error) {
    logger.warn('leaving the group failed', { error })
  }
}

const codeOf = (error: unknown): string => (error instanceof PlimsollError ? error.code : 'unexpected')

const answers = (store: SessionStore): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )
