import type { PlimsollError, Topics } from '@plimsoll/contracts'
import { createRulesCache } from '@plimsoll/policy'
import {
  type Batch,
  type Clock,
  type EventLog,
  type Logger,
  type Metrics,
  type SessionStore,
  systemClock,
} from '@plimsoll/runtime'
import {
  type DeadlineArrow,
  type DeadlineScheduler,
  createDeadlineScheduler,
} from '../deadlines/scheduler.js'
import type { Counting } from '../fold/counting.js'
import type { MonitorMetrics } from '../metrics/index.js'
import { type ReadBack, createReadBack } from '../rebuild/read-back.js'
import { createStoreContext } from '../rebuild/store-context.js'
import type { IdentitySettings } from '../records/identity.js'
import { type MonitorLimits, type QuotaGate, createQuotaGate } from '../records/quota.js'
import { type Cut, createAdmission, cut } from '../records/validate.js'
import { type MonitorRegistry, createRareRefresh } from '../registry.js'
import type { RuleDocuments } from '../rule-documents.js'
import { createShadowComparison } from '../shadow/index.js'
import { processChunk } from './chunk.js'
import { processControl } from './control-chunk.js'
import type { Arrow, ChunkContext } from './store-chunk.js'

export interface MonitorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  /** Available without a registry; the first are the defaults of new sessions until a control change activates others. */
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly group: string
  /** Verifies internal events and control changes, which are refused without it; and signs deadlines, which are not published without it. */
  readonly signingKey?: string | undefined
  /** Without it identities are not verified. */
  readonly identity?: IdentitySettings | undefined
  /** Creates missing topics with so many partitions and replicas (default: the log's). Without it the topics must exist. */
  readonly create?: { readonly partitions: number; readonly replicas?: number } | undefined
  readonly limits?: Partial<MonitorLimits>
  /** All sessions are counted by default. */
  readonly counting?: Counting
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Called when the monitor cannot continue (`log_changed`, `record_too_new`, `config_invalid`): the process should end. */
  readonly onFatal?: (error: PlimsollError) => void
  /** For tests of the delivery order. */
  readonly onArrow?: (arrow: Arrow) => void
  /** For tests of deadlines. */
  readonly onDeadlineArrow?: (arrow: DeadlineArrow) => void
}

/** Processes the chunks of a batch one after the other, until the partition is taken away. */
export function createPipeline(
  context: ChunkContext,
  readBack: ReadBack,
  gate: Pick<QuotaGate, 'settle'>,
): (batch: Batch) => Promise<void> {
  const { validateNext, metrics, logger } = context

  /** Runs after the commit; a failure only leaves bytes in the store. */
  const trimLater = async (trim: () => Promise<void>): Promise<void> => {
    try {
      await metrics.timed('trim', trim)
    } catch (error) {
      logger.warn('trimming after a commit failed', { error })
    }
  }
  const process = (batch: Batch, each: Cut) =>
    each.kind === 'control'
      ? processControl(context, readBack, batch, each.admitted)
      : processChunk(context, readBack, batch, each)

  return async (batch) => {
    let trimmed: Promise<void> = Promise.resolve()
    for (const each of cut(batch.records, context.limits.chunkEventsMax, validateNext)) {
      if (!batch.isOwned()) break
      const trim = await process(batch, each)
      gate.settle(batch.partition)
      // At most one trim runs at a time, beside the next chunk.
      await trimmed
      trimmed = trimLater(trim)
    }
    await trimmed
  }
}

/** The connected parts of a monitor. */
export interface Assembly {
  readonly process: (batch: Batch) => Promise<void>
  /** Undefined without a signing key. */
  readonly deadlines: DeadlineScheduler | undefined
  /** Resolves once no background write is pending. */
  settled(): Promise<void>
  /** Other owners may have had our partitions: forgets what is cached of them. */
  reset(): void
}

export interface AssemblyOptions extends MonitorOptions {
  readonly registry: MonitorRegistry
  readonly monitorMetrics: MonitorMetrics
  /** Partitions of the events topic. */
  readonly partitions: number
  readonly limits: MonitorLimits
}

export function assemble(options: AssemblyOptions): Assembly {
  const { limits, registry, signingKey, monitorMetrics: metrics, clock = systemClock } = options
  const { log, store, topics, logger, documents } = options
  const { onArrow = () => {}, onDeadlineArrow = () => {} } = options
  const gate = createQuotaGate(limits)
  const shadow = createShadowComparison({
    // A small cache of its own: a candidate must never evict rules that sessions are judged by.
    rulesCache: createRulesCache({ defaults: documents, document: registry.document, maxCompiled: 4 }),
    counts: metrics.shadow,
    log,
    topic: topics.shadow,
    recordsPerSecondMax: limits.shadowRecordsPerSecondMax,
    sessionsMax: limits.shadowSessionsMax,
    cellsMax: limits.shadowCellsMax,
    clock,
    logger,
  })
  const stored = createStoreContext({
    ...options,
    clock,
    onControls: (partition, held, { defaults }) => metrics.controlsStand(partition, held, defaults),
  })
  const { rulesCache } = stored
  // Compiled now rather than when the first session waits.
  rulesCache.rules(rulesCache.defaults)
  const context: ChunkContext = {
    ...stored,
    registry,
    refreshRarely: createRareRefresh(registry, clock),
    signingKey,
    validateNext: createAdmission(stored.admission, gate),
    metrics,
    shadow,
    onArrow,
  }
  const readBack = createReadBack(context, metrics.rebuilt)
  const deadlines =
    signingKey === undefined
      ? undefined
      : createDeadlineScheduler({
          log,
          store,
          rulesCache,
          topics,
          signingKey,
          clock,
          onPublished: metrics.deadlinesPublished,
          onArrow: onDeadlineArrow,
        })
  return {
    process: createPipeline(context, readBack, gate),
    deadlines,
    settled: shadow.settled,
    reset: () => {
      for (const part of [gate, context.controls, context.warmStart, readBack, deadlines]) part?.reset()
    },
  }
}
