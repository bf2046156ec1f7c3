import { needsNoSession } from '@plimsoll/engine'
import type { Clock, LogRecord } from '@plimsoll/runtime'
import type { StoreContext, Chunk, ReadBack } from '../context.js'
import { type Held, type StoredProgress, NO_OFFSET } from '../records/progress.js'
import type { ValidatedRecord } from '../records/validate.js'
import { type Rebuilt, foldBack, rebuildPartition } from './partition.js'
import { firstOffsetOf, windowOf } from './window.js'

export interface ReadBackOptions {
  readonly clock: Clock
  readonly admit: (record: LogRecord) => ValidatedRecord
  readonly onRebuilt: (why: Rebuilt['why'] | 'missing') => void
}

/** Anybody can send events of sessions that never were: they are looked for this rarely in a partition, and not further back. */
const MISSING_EVERY_MS = 60_000
const MISSING_RECORDS_MAX = 100_000

export function createReadBack(context: StoreContext, options: ReadBackOptions): ReadBack {
  const { log, topics, lifetimes, rebuildEventsMax, controls } = context
  const { clock, admit, onRebuilt } = options
  /** Between two chunks there may be offsets that hold no record. */
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
  const search = async (chunk: Chunk, stored: StoredProgress, only: ReadonlySet<string>) => {
    const { partition, first, firstTimeMs, isOwned } = chunk
    const window = await windowOf(log, {
      topic: topics.events,
      partition,
      upTo: first,
      timeMs: firstTimeMs,
      reached: undefined,
      idleTtlMs: lifetimes.idleTtlMs,
      recordsMax: Math.min(rebuildEventsMax, MISSING_RECORDS_MAX),
    })
    const taken = stored.progress?.controls ?? NO_OFFSET
    const known = await controls.known(partition, taken)
    const trustedFrom = stored.progress?.trustedFrom ?? NO_OFFSET
    const place = { partition, upTo: first, trustedFrom, isCounting: false }
    const stretch = { ...window, ...place, controls: known, only, admit, isOwned }
    return foldBack(context, stretch)
  }

  return {
    catchUp: async (chunk, stored) => {
      if (await isReached(chunk, stored)) return false
      const { partition, first, firstTimeMs, isOwned } = chunk
      const order = { partition, upTo: first, timeMs: firstTimeMs, stored, admit, isOwned }
      onRebuilt((await rebuildPartition(context, order)).why)
      return true
    },
    findMissing: async (chunk, stored, held) => {
      const only = new Set<string>()
      for (const each of held) if (isMissing(each, chunk)) only.add(each.id)
      if (only.size === 0 || chunk.first === 0n || !isDue(chunk.partition)) return false
      await search(chunk, stored, only)
      onRebuilt('missing')
      return true
    },
    done: ({ partition, last }) => void reachedHere.set(partition, last),
    reset: () => reachedHere.clear(),
  }
}

/** A start needs no search: the store has not been emptied, so that nobody of that id is remembered. */
function isMissing({ id, state, isLost }: Held, { sessions }: Chunk): boolean {
  if (state) return false
  const first = sessions.get(id)?.find(({ event }) => !needsNoSession(event))
  return isLost || (first !== undefined && first.event.type !== 'session.started')
}
