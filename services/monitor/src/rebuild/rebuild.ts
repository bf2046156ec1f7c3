import { type Topics, PlimsollError } from '@plimsoll/contracts'
import { createRulesCache } from '@plimsoll/policy'
import {
  type Clock,
  type EventLog,
  type Logger,
  type SessionStore,
  openRegistry,
  silentLogger,
  systemClock,
} from '@plimsoll/runtime'
import type { StoreContext } from '../context.js'
import { createPartitionControls } from '../controls/partition-controls.js'
import { type Counting, COUNT_ALL, createIsCounted } from '../fold/counting.js'
import { type IdentitySettings, identityRulesOf } from '../records/identity.js'
import { checkLog } from '../records/log-guard.js'
import { progressIdOf, readProgress } from '../records/progress.js'
import { type MonitorLimits, MONITOR_LIMITS } from '../records/quota.js'
import { type AdmissionRules, validateRecord } from '../records/validate.js'
import type { RuleDocuments } from '../rule-documents.js'
import { type Rebuilt, foldBack, rebuildPartition } from './partition.js'
import { createWarmStart, warmLimitsOf } from './warm-start.js'
import { windowOf } from './window.js'

export interface RebuildOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly group: string
  readonly signingKey?: string | undefined
  /** As the monitors have it: what they refused is refused again. */
  readonly identity?: IdentitySettings | undefined
  readonly limits?: Partial<MonitorLimits>
  readonly counting?: Counting
  readonly logger?: Logger
  readonly clock?: Clock
  /** Told as each partition is read. */
  readonly onProgress?: (progress: RebuildProgress) => void
  /** Ends it at the next chunk; what was stored stays, and the next run goes over it again. */
  readonly signal?: AbortSignal
}

export interface RebuildProgress {
  readonly partition: number
  readonly offset: bigint
  /** Exclusive. */
  readonly upTo: bigint
}

/** What was found of a partition. `missing`: the store was as far as the group; records that it did not have were made again. */
export type RebuiltPartition = Omit<Rebuilt, 'why'> & { readonly why: Rebuilt['why'] | 'missing' }

/**
 * Brings the store to where the group goes on, in every partition, while no monitor runs. Publishes nothing. Source:
 * docs/decisions/20261122-rebuild.md.
 *
 * @throws PlimsollError `usage_invalid` while the group has members; `log_changed`; `log_unavailable`; `store_unavailable`; `closed`
 */
export async function rebuild(options: RebuildOptions): Promise<RebuiltPartition[]> {
  const { log, store, topics, group, signingKey, logger = silentLogger, signal } = options
  const described = await checkLog(log, store, topics.events, async () => {
    const partitions = await log.describe(topics.events)
    if (!partitions) throw new PlimsollError('config_invalid', `there is no topic \`${topics.events}\``)
    return partitions
  })
  const { members, offsets } = await log.group(group, topics.events)
  if (members > 0)
    throw new PlimsollError(
      'usage_invalid',
      `monitors run in group \`${group}\` (${members}): they rebuild by themselves; end them all first`,
    )
  const registry = await openRegistry({
    log,
    topic: topics.registry,
    signingKey,
    logger,
    watch: false,
    ...(signal && { signal }),
  })
  try {
    const limits = { ...MONITOR_LIMITS, ...options.limits }
    const rulesCache = createRulesCache({ defaults: options.documents, document: registry.document })
    const lifetimes = { ...limits, withDeadlines: signingKey !== undefined }
    const admission = admissionOf(options, limits, described.length)
    const warmStart = createWarmStart(
      { log, topics, rulesCache, lifetimes, logger },
      {
        ...warmLimitsOf(limits),
        clock: options.clock ?? systemClock,
        admit: (record) => validateRecord(record, admission),
      },
    )
    const context: StoreContext = {
      log,
      store,
      topics,
      partitions: described.length,
      rulesCache,
      warmStart,
      controls: createPartitionControls({ store, registry, logger, onChanged: () => {} }),
      lifetimes,
      isCounted: createIsCounted(options.counting ?? COUNT_ALL),
      casAttemptsMax: limits.casAttemptsMax,
      chunkEventsMax: limits.chunkEventsMax,
      rebuildEventsMax: limits.rebuildEventsMax,
      logger,
    }
    const rebuilt: RebuiltPartition[] = []
    for (const { partition } of described) {
      const upTo = offsets.get(partition) ?? 0n
      if (upTo > 0n)
        rebuilt.push(
          await rebuildOne(context, options, { partition, upTo, limits, partitions: described.length }),
        )
    }
    return rebuilt
  } finally {
    await registry.close()
  }
}

function admissionOf(
  { signingKey, identity }: RebuildOptions,
  limits: MonitorLimits,
  partitions: number,
): AdmissionRules {
  const { eventBytesMax } = limits
  return { eventBytesMax, signingKey, identity: identityRulesOf(identity, limits), partitions }
}

interface Place {
  readonly partition: number
  readonly upTo: bigint
  readonly partitions: number
  readonly limits: MonitorLimits
}

async function rebuildOne(
  context: StoreContext,
  options: RebuildOptions,
  place: Place,
): Promise<RebuiltPartition> {
  const { clock = systemClock, onProgress, signal } = options
  const { partition, upTo, partitions, limits } = place
  const [record] = await context.store.load([progressIdOf(partition)])
  const stored = readProgress(record)
  const admission = admissionOf(options, limits, partitions)
  const order = {
    partition,
    upTo,
    timeMs: clock.now(),
    stored,
    admit: (given: Parameters<typeof validateRecord>[0]) => validateRecord(given, admission),
    isOwned: () => {
      if (signal?.aborted) throw new PlimsollError('closed', 'interrupted; run it again to go on')
      return true
    },
    onRead: (offset: bigint) => onProgress?.({ partition, offset, upTo }),
  }
  const reached = stored.progress
  if (!reached || reached.offset < upTo - 1n) return rebuildPartition(context, order)
  const window = await windowOf(context.log, {
    topic: context.topics.events,
    partition,
    upTo,
    timeMs: order.timeMs,
    reached: undefined,
    idleTtlMs: context.lifetimes.idleTtlMs,
    recordsMax: context.rebuildEventsMax,
  })
  const controls = await context.controls.known(partition, reached.controls)
  const { trustedFrom } = reached
  const stretch = { ...order, ...window, trustedFrom, isCounting: false, controls }
  const folded = await foldBack(context, stretch)
  const { records, sessions, lost } = folded
  return { partition, why: 'missing', from: window.from, upTo, records, sessions, lost }
}
