import type { Topics } from '@plimsoll/contracts'
import {
  type Clock,
  type EventLog,
  type FollowedTopic,
  type LogRecord,
  type Logger,
  createBackoff,
  followTopic,
  pause,
} from '@plimsoll/runtime'
import type { ConsoleMetrics } from '../metrics.js'
import type { Change } from '../store/changes.js'
import type { Applied, ReadStore, RetentionLimits } from '../store/read-store.js'
import { createEventReader, readDecision } from './read-records.js'

/** How often the retention limits are applied, milliseconds. */
const PRUNE_EVERY_MS = 60_000

export interface ReadModelOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Not closed with it. */
  readonly store: ReadStore
  readonly signingKey: string | undefined
  readonly retention: RetentionLimits
  /** Empties the database first, so that everything is read from the log again. */
  readonly rebuild?: boolean
  /** What was applied, and whether it has just happened; else it was read to catch up. Must not reject. */
  readonly onApplied: (applied: Applied, isLive: boolean) => Promise<void>
  readonly metrics: ConsoleMetrics
  readonly logger: Logger
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface ReadModel {
  /** Resolves once everything that was in the log at the start is taken in. */
  readonly caughtUp: Promise<void>
  isRunning(): boolean
  /** Records that are not taken in yet. */
  lag(): number
  close(): Promise<void>
}

/** Keeps `store` as the log says. Resolves once it reads both topics, however long the log is away; rejects with `closed` if aborted before. */
export async function startReadModel(options: ReadModelOptions): Promise<ReadModel> {
  const { log, topics, store, signingKey, retention, onApplied, metrics, logger, clock } = options
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, options.signal])
  if (options.rebuild) await store.clear()
  else await clearIfChanged(options)
  const offsets = await store.offsets()
  const backoff = createBackoff()

  async function follow(
    topic: string,
    read: (record: LogRecord) => readonly Change[],
  ): Promise<FollowedTopic> {
    const next = new Map(
      offsets.filter((each) => each.topic === topic).map((each) => [each.partition, each.next] as const),
    )
    const onRecords = async (records: readonly LogRecord[], isLive: boolean) => {
      const ends = new Map(records.map(({ partition, offset }) => [partition, offset + 1n] as const))
      const nowMs = clock.now()
      // Writers of a topic may set its times: what is of the future would stay for ever.
      const changes = records.flatMap((record) => read({ ...record, timeMs: Math.min(record.timeMs, nowMs) }))
      const applied = await store.apply(
        changes,
        [...ends].map(([partition, end]) => ({ topic, partition, next: end })),
      )
      backoff.reset()
      metrics.taken(topic === topics.events ? 'events' : 'decisions', records.length)
      await onApplied(applied, isLive)
    }
    const onError = async (error: unknown) => {
      metrics.failed()
      logger.warn('retrying records that the read model could not take in', { topic, error })
      await pause(backoff.next(), signal)
    }
    return followTopic({ log, topic, next, onRecords, onError, signal })
  }

  const followed = await Promise.all([
    follow(topics.events, createEventReader(signingKey)),
    follow(topics.decisions, readDecision),
  ])

  let pruning: Promise<void> | undefined
  const prune = () =>
    (pruning ??= store
      .prune(retention, clock.now())
      .then(metrics.pruned, (error: unknown) => {
        logger.warn('the read model could not be pruned; it is tried again in a minute', { error })
      })
      .finally(() => (pruning = undefined)))
  const timer = setInterval(() => void prune(), PRUNE_EVERY_MS)
  timer.unref()
  return {
    caughtUp: Promise.all(followed.map((each) => each.caughtUp)).then(() => undefined),
    isRunning: () => followed.every((each) => each.isRunning()),
    lag: () => followed.reduce((sum, each) => sum + each.lag(), 0),
    async close() {
      clearInterval(timer)
      closing.abort()
      await Promise.all([pruning, ...followed.map((each) => each.close())])
    },
  }
}

/** Empties a database that is ahead of its topics: they were created again, and its content is of others. */
async function clearIfChanged({ log, topics, store, logger }: ReadModelOptions): Promise<void> {
  const offsets = await store.offsets()
  for (const topic of [topics.events, topics.decisions]) {
    const kept = offsets.filter((each) => each.topic === topic)
    if (kept.length === 0) continue
    const partitions = await log.describe(topic)
    const isAhead = ({ partition, next }: (typeof kept)[number]) =>
      (partitions?.find((each) => each.partition === partition)?.nextOffset ?? 0n) < next
    if (!partitions || !kept.some(isAhead)) continue
    logger.warn('the topic was created again: the read model is read from its beginning', { topic })
    return store.clear()
  }
}
