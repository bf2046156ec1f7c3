import type { ControlView } from '@plimsoll/engine'
import type { LogRecord, RecordWrite } from '@plimsoll/runtime'
import { type FleetReadings, asksOf, createFleetReadings } from '../fold/fleet-readings.js'
import { type FoldContext, type Folded, foldSession, stateBefore } from '../fold/fold.js'
import { type Chunk, storeFolded } from '../fold/sessions.js'
import type { MonitorMetrics } from '../metrics/index.js'
import type { ReadBack } from '../rebuild/read-back.js'
import type { StoreContext } from '../rebuild/store-context.js'
import {
  type Held,
  type StoredProgress,
  NO_OFFSET,
  contended,
  progressIdOf,
  progressWrite,
  readHeld,
  readProgress,
} from '../records/progress.js'
import type { ValidatedRecord } from '../records/validate.js'
import type { MonitorRegistry } from '../registry.js'
import type { ShadowComparison } from '../shadow/index.js'

/** Points of the delivery order at which tests end the process. */
export const ARROWS = ['decoded', 'loaded', 'folded', 'stored', 'produced', 'committed'] as const
export type Arrow = (typeof ARROWS)[number]

export interface ChunkContext extends StoreContext {
  readonly registry: MonitorRegistry
  /** Refreshes the registry unless it was refreshed lately; resolves with whether it did. */
  readonly refreshRarely: () => Promise<boolean>
  /** Signs the partitions' reports; without it no control change is ever valid. */
  readonly signingKey: string | undefined
  /** Validates the next record of a partition, after its quota. */
  readonly validateNext: (record: LogRecord) => ValidatedRecord
  readonly metrics: MonitorMetrics
  readonly shadow: Pick<ShadowComparison, 'compare'>
  readonly onArrow: (arrow: Arrow) => void
}

/** A chunk whose sessions are stored. */
export interface StoredChunk {
  readonly folded: ReadonlyMap<string, Folded>
  /** The controls in force for the chunk. */
  readonly view: ControlView
}

/**
 * load → fold → compare-and-set of the sessions and the partition's progress; repeated for writes that were refused because another owner
 * wrote first. Results of a refused fold are discarded. A store that is behind, or has lost a session, is rebuilt from the log first.
 */
export async function storeChunk(
  context: ChunkContext,
  readBack: ReadBack,
  chunk: Chunk,
): Promise<StoredChunk> {
  const done = new Map<string, Folded>()
  let open = [...chunk.sessions.keys()]
  for (let attempt = 0; ; attempt++) {
    if (attempt === context.limits.casAttemptsMax) throw contended(chunk.partition)
    const loaded = await load(context, readBack, chunk, open)
    const { folded, view } = await fold(context, chunk, loaded)
    const write = nextProgress(chunk, loaded.progress)
    const stored = await context.metrics.timed('store', () => storeFolded(context.store, folded, write, done))
    open = stored.refused
    context.metrics.conflicts(open.length + (stored.isLastStored ? 0 : 1))
    if (open.length > 0 || !stored.isLastStored) continue
    readBack.done(chunk)
    return { folded: done, view }
  }
}

type Controls = Pick<FoldContext, 'view' | 'warmth'>

/** The controls in force, and the state of sessions that move to another policy. */
async function controlsFor(
  { controls, warmStart }: ChunkContext,
  { partition, first: upTo, firstTimeMs: timeMs, isOwned }: Chunk,
  { held, progress }: Loaded,
): Promise<Controls> {
  const taken = progress.progress?.controls ?? NO_OFFSET
  const view = await controls.viewAt(partition, taken, upTo)
  const known = await controls.known(partition, taken)
  const warmth = await warmStart.prepare({ partition, upTo, timeMs, isOwned, held, view, controls: known })
  return { view, warmth }
}

interface Loaded {
  readonly progress: StoredProgress
  readonly held: readonly Held[]
}

/** The stored sessions, once the store has everything before the chunk. */
async function load(
  context: ChunkContext,
  readBack: ReadBack,
  chunk: Chunk,
  ids: readonly string[],
): Promise<Loaded> {
  const loaded = await loadOnce(context, chunk, ids)
  const isCaughtUp = await readBack.catchUp(chunk, loaded.progress)
  const isRead = isCaughtUp || (await readBack.findMissing(chunk, loaded.progress, loaded.held))
  context.onArrow('loaded')
  if (!isRead) return loaded
  // After a rebuild, sessions stored by an earlier attempt may be gone too.
  return loadOnce(context, chunk, isCaughtUp ? [...chunk.sessions.keys()] : ids)
}

async function loadOnce(
  { store, metrics }: ChunkContext,
  { partition }: Chunk,
  ids: readonly string[],
): Promise<Loaded> {
  const stored = await metrics.timed('load', () => store.load([...ids, progressIdOf(partition)]))
  const progress = readProgress(stored[ids.length])
  const trustedFrom = progress.progress?.trustedFrom ?? NO_OFFSET
  return { progress, held: ids.map((id, i) => readHeld(id, stored[i], trustedFrom)) }
}

async function fold(context: ChunkContext, chunk: Chunk, loaded: Loaded): Promise<StoredChunk> {
  const { held } = loaded
  const foldOnce = async (): Promise<StoredChunk> => {
    const controls = await controlsFor(context, chunk, loaded)
    const fleet = await readFleet(context, chunk, held, controls)
    return { folded: foldAll(context, chunk, held, { ...controls, fleet }), view: controls.view }
  }
  let folded = await foldOnce()
  const lacksRules = [...folded.folded.values()].some(({ rules }) => !rules)
  if (lacksRules && (await context.refreshRarely())) folded = await foldOnce()
  context.onArrow('folded')
  return folded
}

/** A round trip only if an event of the chunk is subject to a fleet limit. */
async function readFleet(
  { store, rulesCache, metrics }: ChunkContext,
  { sessions }: Chunk,
  held: readonly Held[],
  controls: Controls,
): Promise<FleetReadings> {
  const asks = held.flatMap((each) => {
    if (each.isLost) return []
    const { before, rules } = stateBefore(each, { ...controls, rulesCache })
    const fresh = (sessions.get(each.id) ?? []).filter(({ record }) => record.offset > each.offset)
    return asksOf(each.id, before, fresh, rules)
  })
  if (asks.length === 0) return createFleetReadings([], [])
  return createFleetReadings(asks, await metrics.timed('fleet', () => store.fleet(asks)))
}

function foldAll(
  { rulesCache, lifetimes, isCounted, metrics }: ChunkContext,
  { partition, first, sessions }: Chunk,
  held: readonly Held[],
  given: Controls & Pick<FoldContext, 'fleet'>,
): ReadonlyMap<string, Folded> {
  const foldContext: FoldContext = {
    rulesCache,
    lifetimes,
    isCounted,
    partition,
    chunkStart: first,
    ...given,
  }
  const folded = new Map<string, Folded>()
  for (const each of held)
    folded.set(
      each.id,
      metrics.folding(() => foldSession(each, sessions.get(each.id) ?? [], foldContext)),
    )
  return folded
}

/**
 * The write that adds the chunk to the partition's progress; undefined if the store is further already.
 *
 * @param controls offset of the last control change, if the chunk is one
 */
export function nextProgress(
  { partition, last, latestTimeMs }: Pick<Chunk, 'partition' | 'last' | 'latestTimeMs'>,
  stored: StoredProgress,
  controls: bigint = stored.progress?.controls ?? NO_OFFSET,
): RecordWrite | undefined {
  const { progress } = stored
  if (progress && progress.offset >= last) return undefined
  return progressWrite(partition, stored, {
    offset: last,
    timeMs: Math.max(progress?.timeMs ?? 0, latestTimeMs),
    controls,
    trustedFrom: progress?.trustedFrom ?? NO_OFFSET,
  })
}
