import { PlimsollError } from '@plimsoll/contracts'
import { type SourceLine, createSourceCensus } from '../../corpus/corpus.js'
import { type SessionRows, createRowMaker } from '../features/session-rows.js'
import type { SessionSpill } from '../features/session-spill.js'
import { type SessionTable, createGrowingTable } from '../features/session-table.js'
import { createRecentSteps } from '../../corpus/blind.js'
import type { Stage } from '../../corpus/play.js'
import type { About, RecordedTruth, Recording } from '../../corpus/recording.js'
import { type SampleCounts, createSampler, priorityOf } from './session-sample.js'
import { type TrainingSession, trainingSession } from './training.js'

/** What is kept of a session beside its rows. */
export interface Head extends Omit<TrainingSession, 'n' | 'truth' | 'isWhole'> {
  readonly priority: number
  readonly truth: Omit<RecordedTruth, 'unexecuted'> & { readonly unexecuted: readonly number[] }
}

/** Some sessions that are fitted to, in a table of their own. */
export interface Block {
  readonly table: SessionTable
  readonly sessions: readonly TrainingSession[]
}

/** Sessions to fit to, on the disk. */
export interface CollectedSessions {
  readonly sources: readonly SourceLine[]
  /** All of them, a block in memory at a time. */
  blocks(): AsyncGenerator<Block>
  /** As many as fit into memory, each with the weight of those that it represents. */
  sample(): Promise<Block>
  /** What was left out of the sample; undefined where nothing was. */
  readonly sampled: SampleCounts | undefined
}

export interface GatherOptions {
  /** Sessions to keep out. */
  readonly heldOut: (about: About) => boolean
  /** Steps of the sample at most. */
  readonly sampleSteps: number
}

/** A block is full once it has so many steps. */
const BLOCK_STEPS = 8192

/**
 * Reads all sessions once; those that may be fitted to go into `spill`.
 *
 * @throws PlimsollError `traces_invalid` where there is none
 */
export async function gatherSessions(
  all: AsyncIterable<FlowSession>,
  spill: SessionSpill<Head>,
  { heldOut, sampleSteps }: GatherOptions,
): Promise<CollectedSessions> {
  const census = createSourceCensus()
  const sampler = createSampler(sampleSteps)
  let n = 0
  for await (const session of all) {
    const { truth, about, steps } = session
    census.add(session)
    const place = n++
    if (truth.excluded !== undefined || heldOut(about)) continue
    const head = headOf(session, place)
    sampler.offer({ priority: head.priority, steps, unsafe: truth.unsafe })
    await spill.add(head, session.rows())
  }
  if (n === 0) throw new PlimsollError('traces_invalid', 'there is no session to fit to')
  const choice = sampler.choose()
  const weightOf = ({ priority, truth }: Head): number => choice.weightOf({ priority, unsafe: truth.unsafe })
  const isFitted = ({ source, truth }: Head): boolean => truth.hasSteps || census.isSilent(source)
  return {
    sources: census.lines(),
    blocks: () => blocksIn(spill, isFitted, census.isSilent),
    sample: () => sampleIn(spill, (head) => (isFitted(head) ? weightOf(head) : 0), census.isSilent),
    sampled: choice.sampled,
  }
}

function headOf(session: FlowSession, place: number): Head {
  const { about, category, truth } = session
  const { n: _n, isWhole: _isWhole, ...training } = trainingSession(session, category, place, false)
  return {
    ...training,
    truth: { ...truth, unexecuted: [...truth.unexecuted] },
    priority: priorityOf(about.source, about.traceId),
  }
}

async function* blocksIn(
  spill: SessionSpill<Head>,
  isFitted: (head: Head) => boolean,
  isWhole: (source: string) => boolean,
): AsyncGenerator<Block> {
  let block = createBlock(isWhole)
  for await (const { head, rows } of spill.sessions()) {
    if (!isFitted(head)) continue
    block.add(head, rows, 1)
    if (block.steps() < BLOCK_STEPS) continue
    yield block.build()
    block = createBlock(isWhole)
  }
  yield block.build()
}

async function sampleIn(
  spill: SessionSpill<Head>,
  weightOf: (head: Head) => number,
  isWhole: (source: string) => boolean,
): Promise<Block> {
  const block = createBlock(isWhole)
  for await (const { head, rows } of spill.sessions()) {
    const weight = weightOf(head)
    if (weight > 0) block.add(head, rows, weight)
  }
  return block.build()
}

function createBlock(isWhole: (source: string) => boolean) {
  const growing = createGrowingTable()
  const sessions: TrainingSession[] = []
  let steps = 0
  return {
    add: (
      { truth, category, group, source, isAttacked, weight }: Head,
      rows: SessionRows,
      standsFor: number,
    ): void => {
      growing.add(rows)
      steps += rows.steps.length
      sessions.push({
        n: sessions.length,
        truth: { ...truth, unexecuted: new Set(truth.unexecuted) },
        category,
        group,
        source,
        isWhole: isWhole(source),
        isAttacked,
        weight: weight * standsFor,
      })
    },
    steps: () => steps,
    build: (): Block => ({ table: growing.table(), sessions }),
  }
}

/** A session that a model of the space `flow` can be fitted to, wherever it comes from: a file of recordings, or the log of events. */
export interface FlowSession {
  readonly truth: RecordedTruth
  readonly about: About
  /** As its chain is looked up at run time. */
  readonly category: string
  readonly steps: number
  /** What the scorers would see of it. Asked for at most once, and only where it is fitted to. */
  readonly rows: () => SessionRows
}

/** Recordings as they are read, played through the observer and the engine of `stage`. */
export async function* playedSessions(
  recordings: AsyncIterable<Recording>,
  stage: Stage,
): AsyncGenerator<FlowSession> {
  const rowsOf = createRowMaker(stage)
  const shared = createRecentSteps()
  for await (const { blind, truth, about } of recordings)
    yield {
      truth,
      about,
      category: blind.category,
      steps: blind.steps.length,
      rows: () => rowsOf(shared(blind), about),
    }
}
