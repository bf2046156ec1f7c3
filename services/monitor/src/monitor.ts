import { PlimsollError } from '@plimsoll/contracts'
import {
  createBackoff,
  openRegistry,
  pause,
  within,
  type Batch,
  type Consumption,
  type Logger,
  type Registry,
  type SessionStore,
} from '@plimsoll/runtime'
import { assemble, type Assembly } from './assembly.js'
import { watchDeadlines } from './deadlines/watch.js'
import { MONITOR_LIMITS } from './limits.js'
import { checkLog } from './log-guard.js'
import { createMonitorMetrics, type MonitorMetrics } from './metrics/index.js'
import type { MonitorOptions } from './options.js'
import { createOpeningRegistry } from './registry.js'
import { prepareTopics } from './topics.js'

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
    void leaveUnwaited(running, logger)
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
  const opening = createOpeningRegistry()
  const assembly = assemble({
    ...options,
    limits,
    registry: opening,
    monitorMetrics: metrics,
    partitions: described.length,
  })
  const registry = openRegistry({
    log,
    topic: topics.registry,
    signingKey,
    logger,
    signal,
    onRefused: ({ reason }) => metrics.documentRefused(reason),
  })
  registry.then(opening.opened, opening.failed)
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
    if (!assembly.lookout) logger.warn('without a signing key no deadlines are published')
    void watchDeadlines({
      lookout: assembly.lookout,
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
async function leaveUnwaited(running: Running | undefined, logger: Logger): Promise<void> {
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
