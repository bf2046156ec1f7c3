import { type Topics, PlimsollError } from '@plimsoll/contracts'
import {
  type Clock,
  type EventLog,
  type Logger,
  type SessionStore,
  openRegistry,
  silentLogger,
  systemClock,
} from '@plimsoll/runtime'
import type { Counting } from '../fold/counting.js'
import type { IdentitySettings } from '../records/identity.js'
import { checkLog } from '../records/log-guard.js'
import { progressIdOf, readProgress } from '../records/progress.js'
import { type MonitorLimits, MONITOR_LIMITS } from '../records/quota.js'
import type { RuleDocuments } from '../rule-documents.js'
import { type Rebuilt, foldBack, rebuildPartition } from './partition.js'
import { type StoreContext, createStoreContext } from './store-context.js'
import { windowOf } from './window.js'

export interface RebuildOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly group: string
  readonly signingKey?: string | undefined
  /** As for the monitors: what they refused is refused again. */
  readonly identity?: IdentitySettings | undefined
  readonly limits?: Partial<MonitorLimits>
  readonly counting?: Counting
  readonly logger?: Logger
  readonly clock?: Clock
  readonly onProgress?: (progress: RebuildProgress) => void
  /** Ends it at the next chunk. What was stored stays; the next run overwrites it. */
  readonly signal?: AbortSignal
}

export interface RebuildProgress {
  readonly partition: number
  readonly offset: bigint
  /** Exclusive. */
  readonly upTo: bigint
}

/** `missing`: the store was as far as the group, and records that it lacked were rebuilt. */
export type RebuiltPartition = Omit<Rebuilt, 'why'> & { readonly why: Rebuilt['why'] | 'missing' }

/**
 * Rebuilds the store up to the next offset of the group in every partition, while no monitor runs. Publishes nothing. Source:
 * docs/decisions/20261122-rebuild.md.
 *
 * @throws PlimsollError `usage_invalid` while the group has members; `log_changed`; `log_unavailable`; `store_unavailable`; `closed`
 */
export async function rebuild(options: RebuildOptions): Promise<RebuiltPartition[]> {
  const { log, store, topics, group, signingKey, signal } = options
  const { logger = silentLogger, clock = systemClock } = options
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
    const place = { registry, limits, logger, clock, partitions: described.length }
    const context = createStoreContext({ ...options, ...place })
    const rebuilt: RebuiltPartition[] = []
    for (const { partition } of described) {
      const upTo = offsets.get(partition) ?? 0n
      if (upTo > 0n) rebuilt.push(await rebuildOne(context, options, partition, upTo))
    }
    return rebuilt
  } finally {
    await registry.close()
  }
}

async function rebuildOne(
  context: StoreContext,
  { onProgress, signal }: RebuildOptions,
  partition: number,
  upTo: bigint,
): Promise<RebuiltPartition> {
  const [record] = await context.store.load([progressIdOf(partition)])
  const stored = readProgress(record)
  const order = {
    partition,
    upTo,
    timeMs: context.clock.now(),
    stored,
    admit: context.admit,
    isOwned: () => {
      if (signal?.aborted) throw new PlimsollError('closed', 'interrupted; run it again to continue')
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
    recordsMax: context.limits.rebuildEventsMax,
  })
  const controls = await context.controls.known(partition, reached.controls)
  const { trustedFrom } = reached
  const stretch = { ...order, ...window, trustedFrom, isCounting: false, controls }
  const folded = await foldBack(context, stretch)
  const { records, sessions, lost } = folded
  return { partition, why: 'missing', from: window.from, upTo, records, sessions, lost }
}
