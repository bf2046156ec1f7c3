import { createRulesCache } from '@plimsoll/policy'
import { type Batch, systemClock } from '@plimsoll/runtime'
import type { ChunkContext, ReadBack } from '../context.js'
import { createPartitionControls } from '../controls/partition-controls.js'
import { type DeadlineScheduler, createDeadlineScheduler } from '../deadlines/scheduler.js'
import { COUNT_ALL, createIsCounted } from '../fold/counting.js'
import type { MonitorMetrics } from '../metrics/index.js'
import { createReadBack } from '../rebuild/read-back.js'
import { createWarmStart, warmLimitsOf } from '../rebuild/warm-start.js'
import { identityRulesOf } from '../records/identity.js'
import { type MonitorLimits, type QuotaGate, createQuotaGate } from '../records/quota.js'
import { type Cut, createAdmission, cut, validateRecord } from '../records/validate.js'
import { type MonitorRegistry, createRareRefresh } from '../registry.js'
import type { MonitorOptions } from '../rule-documents.js'
import { createShadowComparison } from '../shadow/index.js'
import { processChunk } from './chunk.js'
import { processControl } from './control-chunk.js'

/** What is done with each batch: its chunks one after the other, until the partition is taken away. */
export function createPipeline(
  context: ChunkContext,
  readBack: ReadBack,
  gate: Pick<QuotaGate, 'settle'>,
): (batch: Batch) => Promise<void> {
  const { chunkEventsMax, validateNext: admitNext, metrics, logger } = context

  /** After the commit; that it fails costs bytes in the store. */
  async function tidy(trim: () => Promise<void>): Promise<void> {
    try {
      await metrics.timed('trim', trim)
    } catch (error) {
      logger.warn('tidying up after a commit failed', { error })
    }
  }
  const process = (batch: Batch, each: Cut) =>
    each.kind === 'control'
      ? processControl(context, readBack, batch, each.admitted)
      : processChunk(context, readBack, batch, each)

  return async (batch) => {
    let tidied: Promise<void> = Promise.resolve()
    for (const each of cut(batch.records, chunkEventsMax, admitNext)) {
      if (!batch.isOwned()) break
      const trim = await process(batch, each)
      gate.settle(batch.partition)
      // At most one is under way: the next chunk runs beside it, the one after waits.
      await tidied
      tidied = tidy(trim)
    }
    await tidied
  }
}

/** The parts of a monitor, put together. */
export interface Assembly {
  readonly process: (batch: Batch) => Promise<void>
  /** Undefined where nothing can be signed. */
  readonly deadlines: DeadlineScheduler | undefined
  /** Resolves when nothing is written any more that nobody waits for. */
  settled(): Promise<void>
  /** Others may have had our partitions: nothing that is remembered of them counts any more. */
  reset(): void
}

export interface AssemblyOptions extends MonitorOptions {
  readonly registry: MonitorRegistry
  readonly monitorMetrics: MonitorMetrics
  /** Of the events topic. */
  readonly partitions: number
  readonly limits: MonitorLimits
}

export function assemble(options: AssemblyOptions): Assembly {
  const { limits, registry, partitions, signingKey, monitorMetrics: metrics } = options
  const { log, store, topics, logger, clock = systemClock } = options
  const { onArrow = () => {}, onDeadlineArrow = () => {} } = options
  const rulesCache = createRulesCache({ defaults: options.documents, document: registry.document })
  // Compiled now, not while the first session waits.
  rulesCache.rules(rulesCache.defaults)
  const gate = createQuotaGate(limits)
  const identity = identityRulesOf(options.identity, limits)
  const admission = { eventBytesMax: limits.eventBytesMax, signingKey, identity, partitions }
  const controls = createPartitionControls({
    store,
    registry,
    logger,
    onChanged: (partition, held) => metrics.controlsStand(partition, held, rulesCache.defaults),
  })
  const shadow = createShadowComparison({
    // Few: what it has no room for is compiled again, and that must never take place from what sessions are judged by.
    rulesCache: createRulesCache({
      defaults: options.documents,
      document: registry.document,
      maxCompiled: 4,
    }),
    counts: metrics.shadow,
    log,
    topic: topics.shadow,
    recordsPerSecondMax: limits.shadowRecordsPerSecondMax,
    sessionsMax: limits.shadowSessionsMax,
    cellsMax: limits.shadowCellsMax,
    clock,
    logger,
  })
  const lifetimes = { ...limits, withDeadlines: signingKey !== undefined }
  const warmStart = createWarmStart(
    { log, topics, rulesCache, lifetimes, logger },
    {
      ...warmLimitsOf(limits),
      clock,
      admit: (record) => validateRecord(record, admission),
    },
  )
  const context: ChunkContext = {
    log,
    store,
    topics,
    partitions,
    rulesCache,
    controls,
    lifetimes,
    warmStart,
    isCounted: createIsCounted(options.counting ?? COUNT_ALL),
    casAttemptsMax: limits.casAttemptsMax,
    chunkEventsMax: limits.chunkEventsMax,
    rebuildEventsMax: limits.rebuildEventsMax,
    logger,
    registry,
    refreshRarely: createRareRefresh(registry, clock),
    signingKey,
    validateNext: createAdmission(admission, gate),
    metrics,
    shadow,
    clock,
    onArrow,
  }
  const readBack = createReadBack(context, {
    clock,
    admit: (record) => validateRecord(record, admission),
    onRebuilt: metrics.rebuilt,
  })
  const onPublished = metrics.deadlinesPublished
  const scheduler =
    signingKey === undefined
      ? undefined
      : createDeadlineScheduler({
          log,
          store,
          rulesCache,
          topics,
          signingKey,
          clock,
          onPublished,
          onArrow: onDeadlineArrow,
        })
  return {
    process: createPipeline(context, readBack, gate),
    deadlines: scheduler,
    settled: shadow.settled,
    reset: () => {
      gate.reset()
      controls.reset()
      warmStart.reset()
      readBack.reset()
      scheduler?.reset()
    },
  }
}
