import { PlimsollError } from '@plimsoll/contracts'
import type { ControlView } from '@plimsoll/engine'
import type { RecordWrite } from '@plimsoll/runtime'
import type { ChunkContext, Chunk, ReadBack } from '../context.js'
import { asksOf } from '../fold/fleet-asks.js'
import { type FleetReadings, createFleetReadings } from '../fold/fleet-readings.js'
import { type FoldContext, type Folded, foldSession, stateBefore } from '../fold/fold.js'
import { storeFolded } from '../fold/sessions.js'
import {
  type Held,
  type Progress,
  type StoredProgress,
  NO_OFFSET,
  progressIdOf,
  progressWrite,
  readHeld,
  readProgress,
} from '../records/progress.js'

/** What a chunk has come to. */
export interface StoredChunk {
  readonly folded: ReadonlyMap<string, Folded>
  /** The controls that stand for all of it. */
  readonly view: ControlView
}

/**
 * load → fold → compare-and-set, and with the sessions the partition's progress; again for what was refused because another owner was
 * faster. Nothing of a refused fold is given back. A store that turns out to be behind, or to have lost a session, is
 * first rebuilt from the log.
 */
export async function storeChunk(
  context: ChunkContext,
  readBack: ReadBack,
  chunk: Chunk,
): Promise<StoredChunk> {
  const done = new Map<string, Folded>()
  let open = [...chunk.sessions.keys()]
  for (let attempt = 0; ; attempt++) {
    if (attempt === context.casAttemptsMax)
      throw new PlimsollError('contended', `partition ${chunk.partition} is written by another owner as well`)
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

type ChunkContextPart = Pick<FoldContext, 'view' | 'warmth'>

/** What stands for the chunk, and what the log tells of those of its sessions that move to another policy. */
async function groundFor(
  { controls, warmStart }: ChunkContext,
  { partition, first: upTo, firstTimeMs: timeMs, isOwned }: Chunk,
  { held, progress }: Loaded,
): Promise<ChunkContextPart> {
  const taken = progress.progress?.controls ?? NO_OFFSET
  const view = await controls.viewAt(partition, taken, upTo)
  const stands = await controls.known(partition, taken)
  const warmth = await warmStart.prepare({ partition, upTo, timeMs, isOwned, held, view, controls: stands })
  return { view, warmth }
}

interface Loaded {
  readonly progress: StoredProgress
  readonly held: readonly Held[]
}

/** What the store holds of the sessions, once it has everything that lies before the chunk. */
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
  // What an earlier attempt has stored of the chunk may be gone with the rest.
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
    const ground = await groundFor(context, chunk, loaded)
    const fleet = await readFleet(context, chunk, held, ground)
    return { folded: foldAll(context, chunk, held, { ...ground, fleet }), view: ground.view }
  }
  let folded = await foldOnce()
  if (lacksRules(folded.folded) && (await context.refreshRarely())) folded = await foldOnce()
  context.onArrow('folded')
  return folded
}

/** A round trip only where an event of the chunk is judged by what the fleet does. */
async function readFleet(
  { store, rulesCache, metrics }: ChunkContext,
  { sessions }: Chunk,
  held: readonly Held[],
  ground: ChunkContextPart,
): Promise<FleetReadings> {
  const asks = held.flatMap((each) => {
    if (each.isLost) return []
    const { before, rules } = stateBefore(each, { ...ground, rulesCache })
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
  stands: ChunkContextPart & Pick<FoldContext, 'fleet'>,
): ReadonlyMap<string, Folded> {
  const ground: FoldContext = { rulesCache, lifetimes, isCounted, partition, chunkStart: first, ...stands }
  const folded = new Map<string, Folded>()
  for (const each of held)
    folded.set(
      each.id,
      metrics.folding(() => foldSession(each, sessions.get(each.id) ?? [], ground)),
    )
  return folded
}

function lacksRules(folded: ReadonlyMap<string, Folded>): boolean {
  for (const { rules } of folded.values()) if (!rules) return true
  return false
}

/**
 * The write that makes the chunk part of the partition's progress; undefined where the store is further already.
 *
 * @param controls offset of the last control change taken, where the chunk is one
 */
export function nextProgress(
  { partition, last, latestTimeMs }: Pick<Chunk, 'partition' | 'last' | 'latestTimeMs'>,
  stored: StoredProgress,
  controls: bigint = stored.progress?.controls ?? NO_OFFSET,
): RecordWrite | undefined {
  const { progress } = stored
  if (progress && progress.offset >= last) return undefined
  const next: Progress = {
    offset: last,
    timeMs: Math.max(progress?.timeMs ?? 0, latestTimeMs),
    controls,
    trustedFrom: progress?.trustedFrom ?? NO_OFFSET,
  }
  return progressWrite(partition, stored, next)
}
