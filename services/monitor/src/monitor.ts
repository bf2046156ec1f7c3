import { PlimsollError, type Topics } from '@plimsoll/contracts'
import type { RuleBook } from '@plimsoll/engine'
import {
  createBackoff,
  pause,
  systemClock,
  type Batch,
  type Clock,
  type Consumption,
  type EventLog,
  type Logger,
  type Metrics,
  type SessionStore,
} from '@plimsoll/runtime'
import type { Arrow } from './chunk.js'
import { createLogGuard, type LogGuard } from './log-guard.js'
import { createMonitorMetrics, type MonitorMetrics } from './metrics.js'
import { createPipeline } from './pipeline.js'
import { prepareTopics } from './topics.js'

export interface MonitorLimits {
  /** Records carried through the delivery order at a time. */
  readonly chunkEventsMax: number
  readonly eventBytesMax: number
  readonly casAttemptsMax: number
  /** A session that is heard of no more is forgotten after this. */
  readonly idleTtlMs: number
  readonly endedTtlMs: number
  /** How long the group waits for a silent monitor before another takes its partitions. */
  readonly sessionTimeoutMs: number
}

export const MONITOR_LIMITS: MonitorLimits = {
  chunkEventsMax: 256,
  eventBytesMax: 256 * 1024,
  casAttemptsMax: 5,
  idleTtlMs: 24 * 3_600_000,
  endedTtlMs: 3_600_000,
  sessionTimeoutMs: 10_000,
}

export interface MonitorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly book: RuleBook
  readonly topics: Topics
  readonly group: string
  /** Verifies internal events; without it each of them is refused. */
  readonly signingKey?: string | undefined
  /** Makes missing topics with so many partitions and replicas (the log's default); where this is left out they must be there. */
  readonly create?: { readonly partitions: number; readonly replicas?: number } | undefined
  readonly limits?: Partial<MonitorLimits>
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Told when it cannot go on: `log_changed`, `record_too_new`, `config_invalid`. The process should end. */
  readonly onFatal?: (error: PlimsollError) => void
  /** For tests of the delivery order. */
  readonly onArrow?: (arrow: Arrow) => void
}

/**
 * The stream processor. It is *starting* (topics, guard, group) until it *runs*; from either it goes to *closed*, by `close` or by
 * something fatal. Log or store away: it tries without end, and is not ready meanwhile.
 */
export interface Monitor {
  /** Resolves when it runs for the first time; rejects with what was fatal before. */
  readonly started: Promise<void>
  isReady(): Promise<boolean>
  /** Ends the chunk under way, commits, leaves the group. Log and store stay open: their owner closes them. */
  close(): Promise<void>
}

export function startMonitor(options: MonitorOptions): Monitor {
  const { log, store, logger, topics } = options
  const metrics = createMonitorMetrics(options.metrics)
  const closing = new AbortController()
  let consumption: Consumption | undefined
  const guard = createLogGuard(log, store, topics.events)

  const fatal = (error: PlimsollError) => {
    if (closing.signal.aborted) return
    logger.error('cannot go on', { error })
    closing.abort(error)
    leave(consumption, logger)
    options.onFatal?.(error)
  }
  const started = persistently(options, metrics, closing.signal, async () => {
    const partitions = await guard.check(() => prepareTopics(options))
    consumption = await consume(options, metrics, guard, partitions.length, closing.signal, fatal)
    if (closing.signal.aborted) await consumption.close()
    logger.info('consuming', { topic: topics.events, group: options.group })
  })
  started.catch((error: unknown) => {
    if (error instanceof PlimsollError && error.code !== 'closed') fatal(error)
  })

  return {
    started,
    async isReady() {
      const isReady = (consumption?.isRunning() ?? false) && (await answers(store))
      metrics.ready(isReady)
      return isReady
    },
    async close() {
      closing.abort(new PlimsollError('closed', 'the monitor has been closed'))
      await started.catch(() => {})
      await consumption?.close()
    },
  }
}

function consume(
  options: MonitorOptions,
  metrics: MonitorMetrics,
  guard: LogGuard,
  partitions: number,
  signal: AbortSignal,
  fatal: (error: PlimsollError) => void,
): Promise<Consumption> {
  const { log, store, topics, group, logger, book, onArrow = () => {}, clock = systemClock } = options
  const limits = { ...MONITOR_LIMITS, ...options.limits }
  const pipeline = createPipeline(
    {
      log,
      store,
      topics,
      metrics,
      onArrow,
      clock,
      admission: { eventBytesMax: limits.eventBytesMax, signingKey: options.signingKey, partitions },
      folding: { book, idleTtlMs: limits.idleTtlMs, endedTtlMs: limits.endedTtlMs },
      casAttemptsMax: limits.casAttemptsMax,
    },
    { guard, logger, chunkEventsMax: limits.chunkEventsMax },
  )
  return log.consume({
    topic: topics.events,
    group,
    sessionTimeoutMs: limits.sessionTimeoutMs,
    signal,
    onBatch: (batch: Batch) => {
      metrics.batchTaken(batch)
      return pipeline(batch)
    },
    onError: (error) => {
      metrics.retried(codeOf(error))
      logger.warn('a batch is taken again', { error })
      // What trying again cannot help would hold up its partition for ever.
      if (error instanceof PlimsollError && !error.retryable && error.code !== 'closed') fatal(error)
    },
    onAssigned: (assigned) => {
      metrics.assigned(assigned)
      guard.reassigned()
      logger.info('partitions assigned', { partitions: assigned })
    },
  })
}

/** Runs `attempt` until it succeeds, with a backoff after retryable errors; rejects with any other, or when `signal` ends it. */
async function persistently(
  { logger }: MonitorOptions,
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

/** Nobody waits for it: what was fatal has been told, and a group does without a silent member soon. */
function leave(consumption: Consumption | undefined, logger: Logger): void {
  consumption?.close().catch((error: unknown) => logger.warn('leaving the group failed', { error }))
}

const codeOf = (error: unknown): string => (error instanceof PlimsollError ? error.code : 'unexpected')

const answers = (store: SessionStore): Promise<boolean> =>
  store.ping().then(
    () => true,
    () => false,
  )
