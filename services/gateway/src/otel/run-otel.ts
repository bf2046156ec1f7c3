import type { Catalogue, Topics } from '@plimsoll/contracts'
import { type Batch, type Clock, type EventLog, type Logger, pause, systemClock } from '@plimsoll/runtime'
import { createCatchUps } from './catch-up.js'
import { createDelivery } from './events/delivery.js'
import { createSpanMapper } from './events/span-mapper.js'
import { type OtelLimits, CATCH_UP_MARGIN_MS, OTEL_LIMITS, TICK_MS } from './limits.js'
import type { OtelMetrics } from './metrics.js'
import type { Encoding } from './otlp/decode.js'
import { createSpanReader } from './span-reader.js'

export interface RunOtelOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Where the Collector writes. */
  readonly spansTopic: string
  readonly encoding: Encoding
  readonly group: string
  /** Of the sessions that spans tell of. */
  readonly tenant: string
  /** How long a span waits for what belongs before it. */
  readonly holdMs: number
  readonly catalogue: Catalogue
  readonly fingerprintKey?: string | undefined
  readonly identityKey?: string | undefined
  readonly limits?: Partial<OtelLimits>
  readonly metrics: OtelMetrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Ends it, also while the group has still to be joined. */
  readonly signal?: AbortSignal | undefined
}

/** Spans being read. */
export interface RunningOtel {
  isRunning(): boolean
  /** Reads no more and tells what is held. The log stays open: its owner closes it. */
  close(): Promise<void>
}

/** How long the end may go on sending. */
const CLOSE_MS_MAX = 5_000

/**
 * Reads spans and publishes the events that they tell of. Resolves once the group has been joined, however long there is no log or no
 * topic; rejects as `consume` does.
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
      metrics.retried()
      logger.warn('events of spans are sent again', { error })
    },
    signal: giveUp.signal,
  })
  const mapper = createSpanMapper({ ...options, sessionsMax: limits.sessionsMax })
  const reader = createSpanReader({ ...options, mapper, delivery, limits, metrics })
  const recalls = createCatchUps({
    log,
    spansTopic,
    eventsTopic: topics.events,
    group,
    windowMs: holdMs + CATCH_UP_MARGIN_MS,
    signal,
    logger,
    onRecall: ({ records, published: reported, sessions }) => {
      for (const sessionId of sessions) mapper.started(sessionId)
      for (const { value } of records) reader.read(value, clock.now(), (spanId) => reported.has(spanId))
    },
  })

  async function onBatch(batch: Batch): Promise<void> {
    const { partition, records } = batch
    await recalls.done(partition)
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
    onAssigned: recalls.assigned,
    signal,
    onError: (error) => {
      if (!signal.aborted) logger.warn('a batch of spans is taken again', { error })
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
