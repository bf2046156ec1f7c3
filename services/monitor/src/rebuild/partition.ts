import { type LogRecord, isSessionId, revisionAfter } from '@plimsoll/runtime'
import { rememberLog } from '../records/log-guard.js'
import { type StoredProgress, NO_OFFSET, claimWrite, contended, progressWrite } from '../records/progress.js'
import { type ValidatedRecord, cut } from '../records/validate.js'
import { type FoldedBack, type Stretch, createRun } from './run.js'
import type { StoreContext } from './store-context.js'
import { windowOf } from './window.js'

const CHECK_EVERY = 1_000n

/**
 * Folds a stretch of the log into the store, chunk by chunk as in a running monitor, but publishes nothing. Rejects with `contended` if
 * another owner writes too.
 */
export async function foldBack(context: StoreContext, stretch: Stretch): Promise<FoldedBack> {
  const { log, topics } = context
  const { chunkEventsMax } = context.limits
  const { partition, from, upTo, only, isOwned, onRead } = stretch
  const run = createRun(context, stretch)
  let waiting: LogRecord[] = []
  const flush = async () => {
    const records = waiting
    waiting = []
    if (!isOwned()) throw contended(partition)
    for (const each of cut(records, chunkEventsMax, stretch.admit)) {
      if (each.kind === 'control') await run.takeControl(each.admitted)
      else await run.takeEvents(each.admitted)
    }
    const last = records.at(-1)
    if (last) onRead?.(last.offset)
  }
  const isWanted = ({ key }: LogRecord) => !only || (key !== null && (only.has(key) || !isSessionId(key)))
  const onRecord = (record: LogRecord): Promise<void> | undefined => {
    run.count(record)
    // `flush`, which checks this too, may be rare if few records are wanted.
    if (record.offset % CHECK_EVERY === 0n && !isOwned()) throw contended(partition)
    if (isWanted(record)) waiting.push(record)
    return waiting.length >= chunkEventsMax ? flush() : undefined
  }
  if (from < upTo) await log.read(topics.events, onRecord, { ranges: [{ partition, from, to: upTo }] })
  await flush()
  return run.result()
}

/** `flushed`: the store had nothing of the partition; `behind`: it had an older state. */
export type Why = 'flushed' | 'behind'

export interface RebuildOrder {
  readonly partition: number
  /** Next offset of the group: exclusive. */
  readonly upTo: bigint
  /** Append time at `upTo`. */
  readonly timeMs: number
  readonly stored: StoredProgress
  readonly admit: (record: LogRecord) => ValidatedRecord
  readonly isOwned: () => boolean
  readonly onRead?: (offset: bigint) => void
}

export interface Rebuilt extends Pick<FoldedBack, 'records' | 'sessions' | 'lost'> {
  readonly partition: number
  readonly why: Why
  readonly from: bigint
  readonly upTo: bigint
}

/**
 * Rebuilds the store up to the next offset of a partition's group. The progress is written at the end, so that an interrupted rebuild is
 * repeated over what it has stored. Source: docs/decisions/20261122-rebuild.md.
 */
export async function rebuildPartition(context: StoreContext, order: RebuildOrder): Promise<Rebuilt> {
  const { log, topics, lifetimes, limits, store, controls, logger } = context
  const { partition, upTo, timeMs, stored, admit, isOwned, onRead } = order
  const reached = stored.progress
  const why = reached ? 'behind' : 'flushed'
  const window = await windowOf(log, {
    topic: topics.events,
    partition,
    upTo,
    timeMs,
    reached,
    idleTtlMs: lifetimes.idleTtlMs,
    recordsMax: limits.rebuildEventsMax,
  })
  const { from, isWhole } = window
  // If the window is not whole, events between the stored state and the window are lost.
  const trustedFrom = isWhole ? (reached?.trustedFrom ?? NO_OFFSET) : from
  logger.warn('rebuilding the store from the log', { partition, why, from: String(from), upTo: String(upTo) })
  const claimed = reached ? stored : await claim(context, partition, stored)
  const known = await controls.restored(partition, upTo)
  const folded = await foldBack(context, {
    ...window,
    partition,
    upTo,
    trustedFrom,
    isCounting: true,
    controls: known,
    admit,
    isOwned,
    ...(onRead && { onRead }),
  })
  const [isStored] = await store.compareAndSet([
    progressWrite(partition, claimed, {
      offset: upTo - 1n,
      timeMs: Math.max(folded.timeMs, timeMs, reached?.timeMs ?? 0),
      controls: folded.controls.offset,
      trustedFrom,
    }),
  ])
  if (!isStored) throw contended(partition)
  const { records, sessions, lost } = folded
  logger.info('the store was rebuilt from the log', { partition, records, sessions, lost })
  return { partition, why, from, upTo, records, sessions, lost }
}

/** Writes a marker in place of missing progress, so that another flush during the rebuild is noticed. */
async function claim(
  { store, topics, partitions }: StoreContext,
  partition: number,
  stored: StoredProgress,
): Promise<StoredProgress> {
  const [isStored] = await store.compareAndSet([claimWrite(partition, stored)])
  if (!isStored) throw contended(partition)
  await rememberLog(store, topics.events, partitions)
  return { revision: revisionAfter(stored.revision), progress: undefined }
}
