import { needsNoSession } from '@plimsoll/engine'
import type { Chunk } from '../fold/sessions.js'
import { type Held, type StoredProgress, NO_OFFSET } from '../records/progress.js'
import { type Rebuilt, foldBack, rebuildPartition } from './partition.js'
import type { StoreContext } from './store-context.js'
import { firstOffsetOf, windowOf } from './window.js'

/** Anyone can send events of sessions that never existed: a partition is searched for missing sessions this rarely, and this far back. */
const MISSING_EVERY_MS = 60_000
const MISSING_RECORDS_MAX = 100_000

export type ReadBack = ReturnType<typeof createReadBack>

/** Detects, before a chunk is folded, what the store has lost, and rebuilds it from the log. */
export function createReadBack(context: StoreContext, onRebuilt: (why: Rebuilt['why'] | 'missing') => void) {
  const { log, topics, lifetimes, limits, controls, clock, admit } = context
  /** The last offset stored by this process: offsets between two chunks may hold no record. */
  const reachedHere = new Map<number, bigint>()
  const nextSearch = new Map<number, number>()

  const isReached = async ({ partition, first }: Chunk, { progress }: StoredProgress): Promise<boolean> => {
    const here = reachedHere.get(partition)
    if (progress) return progress.offset >= first - 1n || (here !== undefined && progress.offset >= here)
    return first === 0n || first <= (await firstOffsetOf(log, topics.events, partition))
  }
  const isDue = (partition: number): boolean => {
    const now = clock.now()
    if (now < (nextSearch.get(partition) ?? 0)) return false
    nextSearch.set(partition, now + MISSING_EVERY_MS)
    return true
  }
  const search = async (chunk: Chunk, { progress }: StoredProgress, only: ReadonlySet<string>) => {
    const { partition, first: upTo, firstTimeMs: timeMs, isOwned } = chunk
    const window = await windowOf(log, {
      topic: topics.events,
      partition,
      upTo,
      timeMs,
      reached: undefined,
      idleTtlMs: lifetimes.idleTtlMs,
      recordsMax: Math.min(limits.rebuildEventsMax, MISSING_RECORDS_MAX),
    })
    await foldBack(context, {
      ...window,
      partition,
      upTo,
      trustedFrom: progress?.trustedFrom ?? NO_OFFSET,
      isCounting: false,
      controls: await controls.known(partition, progress?.controls ?? NO_OFFSET),
      only,
      admit,
      isOwned,
    })
  }

  return {
    /** Rebuilds the partition if the store is behind the chunk; resolves with whether it did. */
    catchUp: async (chunk: Chunk, stored: StoredProgress): Promise<boolean> => {
      if (await isReached(chunk, stored)) return false
      const { partition, first: upTo, firstTimeMs: timeMs, isOwned } = chunk
      const { why } = await rebuildPartition(context, { partition, upTo, timeMs, stored, admit, isOwned })
      onRebuilt(why)
      return true
    },
    /** Searches the log for sessions without a readable record; resolves with whether it did. */
    findMissing: async (chunk: Chunk, stored: StoredProgress, held: readonly Held[]): Promise<boolean> => {
      const missing = held.filter((each) => isMissing(each, chunk))
      if (missing.length === 0 || chunk.first === 0n || !isDue(chunk.partition)) return false
      await search(chunk, stored, new Set(missing.map(({ id }) => id)))
      onRebuilt('missing')
      return true
    },
    /** The chunk is stored. */
    done: ({ partition, last }: Pick<Chunk, 'partition' | 'last'>): void =>
      void reachedHere.set(partition, last),
    /** Other owners may have had our partitions. */
    reset: (): void => reachedHere.clear(),
  }
}

/** A session that starts here needs no search: the store was not emptied, so no session of that id exists. */
function isMissing({ id, state, isLost }: Held, { sessions }: Chunk): boolean {
  if (state) return false
  const first = sessions.get(id)?.find(({ event }) => !needsNoSession(event))
  return isLost || (first !== undefined && first.event.type !== 'session.started')
}
