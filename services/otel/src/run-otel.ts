import type { Catalogue, Topics } from '@plimsoll/contracts'
import { type Batch, type Clock, type EventLog, type Logger, pause, systemClock } from '@plimsoll/runtime'
import { createCatchUps } from './catch-up.js'
import { createDelivery } from './delivery.js'
import type { OtelMetrics } from './metrics.js'
import { createSpanMapper } from './span-mapper.js'
import { type OtelLimits, OTEL_LIMITS, createSpanReader } from './span-reader.js'

export interface RunOtelOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Topic to which the Collector writes. */
  readonly spansTopic: string
  readonly group: string
  /** Tenant of the sessions made from spans. */
  readonly tenant: string
  /** How long a span waits for spans that began before it. */
  readonly holdMs: number
  readonly catalogue: Catalogue
  readonly fingerprintKey?: string | undefined
  readonly identityKey?: string | undefined
  readonly limits?: Partial<OtelLimits>
  readonly metrics: OtelMetrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Stops reading, also while the consumer group is still being joined. */
  readonly signal?: AbortSignal | undefined
}

export interface RunningOtel {
  isRunning(): boolean
  /** Stops reading and publishes the held spans. The log stays open: its owner closes it. */
  close(): Promise<void>
}

/** How long `close` waits for the last events to be published. */
const CLOSE_MS_MAX = 5_000

/** How often held spans are checked. */
const TICK_MS = 200

/** At the start, records this much older than the hold time (by the log's clock) are read again: a process that ended may have held them. */
const CATCH_UP_MARGIN_MS = 60_000

/**
 * Reads spans and publishes them as events. Resolves once the consumer group is joined, however long the log or the topic is missing;
 * rejects as `consume` does.
 */
export async function runOtel(options: RunOtelOptions): Promise<RunningOtel> {
  const { log, topics, spansTopic, group, holdMs, metrics, logger, clock = systemClock } = options
  const limits = { ...OTEL_LIMITS, ...options.limits }
  const giveUp = new AbortController()
  const closing = new AbortController()
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
  const delivery = createDelivery({
    log,
    topic: topics.events,
    onRetry: (error) => {
      logger.warn('retrying to publish events of spans', { error })
    },
    signal: giveUp.signal,
  })
  const mapper = createSpanMapper({ ...options, sessionsMax: limits.sessionsMax })
  const reader = createSpanReader({ ...options, mapper, delivery, limits, metrics })
  const catchUps = createCatchUps({
    log,
    spansTopic,
    eventsTopic: topics.events,
    group,
    windowMs: holdMs + CATCH_UP_MARGIN_MS,
    signal,
    logger,
    onCaughtUp: ({ records, published, sessions }) => {
      for (const sessionId of sessions) mapper.started(sessionId)
      for (const { value } of records) reader.read(value, clock.now(), (spanId) => published.has(spanId))
    },
  })

  async function onBatch(batch: Batch): Promise<void> {
    const { partition, records } = batch
    await catchUps.done(partition)
    for (const { value } of records) {
      while (reader.isFull() && !signal.aborted) await pause(TICK_MS, signal)
      if (signal.aborted) return
      reader.read(value, clock.now())
    }
    const last = records.at(-1)
    if (last) await batch.commit(last.offset)
  }

  const consumption = await log.consume({
    topic: spansTopic,
    group,
    onBatch,
    onAssigned: catchUps.assigned,
    signal,
    onError: (error) => {
      if (!signal.aborted) logger.warn('retrying a batch of spans', { error })
    },
  })
  const ticking = setInterval(() => reader.tick(clock.now()), TICK_MS)
  return {
    isRunning: () => consumption.isRunning(),
    async close() {
      closing.abort()
      await consumption.close()
      clearInterval(ticking)
      reader.flush()
      const timer = setTimeout(() => giveUp.abort(), CLOSE_MS_MAX)
      await delivery.flushed()
      clearTimeout(timer)
    },
  }
}
