import { createRuleShelf } from '@plimsoll/policy'
import { systemClock, type Batch } from '@plimsoll/runtime'
import { admit } from './admit.js'
import type { ChunkContext } from './context.js'
import { COUNT_ALL, createIsCounted } from './counting.js'
import { createPartitionControls } from './controls/partition-controls.js'
import { createAdmission } from './cut.js'
import { createLookout, type Lookout } from './deadlines/lookout.js'
import { identityRulesOf } from './identity.js'
import type { MonitorLimits } from './limits.js'
import type { MonitorMetrics } from './metrics/index.js'
import type { MonitorOptions } from './options.js'
import { createPipeline } from './pipeline.js'
import { createQuotaGate } from './quota.js'
import { createReadBack } from './rebuild/read-back.js'
import { createRareRefresh, type MonitorRegistry } from './registry.js'
import { createShadowDesk } from './shadow/index.js'
import { createWarmStart, warmLimitsOf } from './warm-start/warm-start.js'

/** The parts of a monitor, put together. */
export interface Assembly {
  readonly process: (batch: Batch) => Promise<void>
  /** Undefined where nothing can be signed. */
  readonly lookout: Lookout | undefined
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
  const shelf = createRuleShelf({ defaults: options.documents, document: registry.document })
  // Compiled now, not while the first session waits.
  shelf.rules(shelf.defaults)
  const gate = createQuotaGate(limits)
  const identity = identityRulesOf(options.identity, limits)
  const admission = { eventBytesMax: limits.eventBytesMax, signingKey, identity, partitions }
  const controls = createPartitionControls({
    store,
    registry,
    logger,
    onChanged: (partition, held) => metrics.controlsStand(partition, held, shelf.defaults),
  })
  const shadow = createShadowDesk({
    // Few: what it has no room for is compiled again, and that must never take place from what sessions are judged by.
    shelf: createRuleShelf({ defaults: options.documents, document: registry.document, maxCompiled: 4 }),
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
    { log, topics, shelf, lifetimes, logger },
    {
      ...warmLimitsOf(limits),
      clock,
      admit: (record) => admit(record, admission),
      onRead: ({ records }) => metrics.warmStartRead(records),
    },
  )
  const context: ChunkContext = {
    log,
    store,
    topics,
    partitions,
    shelf,
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
    admitNext: createAdmission(admission, gate),
    metrics,
    shadow,
    clock,
    onArrow,
  }
  const readBack = createReadBack(context, {
    clock,
    admit: (record) => admit(record, admission),
    onRebuilt: ({ why, sessions }) => metrics.rebuilt(why, sessions),
  })
  const onPublished = metrics.deadlinesPublished
  const lookout =
    signingKey === undefined
      ? undefined
      : createLookout({ log, store, shelf, topics, signingKey, clock, onPublished, onArrow: onDeadlineArrow })
  return {
    process: createPipeline(context, readBack, gate),
    lookout,
    settled: shadow.settled,
    reset: () => {
      gate.reset()
      controls.reset()
      warmStart.reset()
      readBack.reset()
      lookout?.reset()
    },
  }
}
