import { PlimsollError } from '@plimsoll/contracts'
import { createSourceCensus, type SourceLine } from '../evaluation/source-census.js'
import { createGrowingTable } from '../features/growing-table.js'
import type { SessionRows } from '../features/session-rows.js'
import type { SessionSpill } from '../features/session-spill.js'
import type { SessionTable } from '../features/session-table.js'
import type { About, RecordedTruth } from '../traces/recording.js'
import { trainingSession } from './flow-method.js'
import type { FlowSession } from './flow-session.js'
import { createSampler, priorityOf, type SampleTold } from './session-sample.js'
import type { TrainingSession } from './training.js'

/** What is kept of a session beside its rows. */
export interface Head extends Omit<TrainingSession, 'n' | 'truth'> {
  readonly source: string
  readonly priority: number
  readonly truth: Omit<RecordedTruth, 'unexecuted'> & { readonly unexecuted: readonly number[] }
}

/** Some sessions that are fitted to, in a table of their own. */
export interface Block {
  readonly table: SessionTable
  readonly sessions: readonly TrainingSession[]
}

/** Sessions to fit to, on the disk. */
export interface Gathered {
  readonly sources: readonly SourceLine[]
  /** All of them, a block in memory at a time. */
  blocks(): AsyncGenerator<Block>
  /** As many as there is room for in memory, each with the weight of those that it stands for. */
  sample(): Promise<Block>
  /** What was left out of the sample; undefined where nothing was. */
  readonly told: SampleTold | undefined
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
): Promise<Gathered> {
  const census = createSourceCensus()
  const sampler = createSampler(sampleSteps)
  let n = 0
  for await (const session of all) {
    const { truth, about, steps } = session
    census.add(session)
    const place = n++
    if (truth.excluded !== undefined || !truth.hasSteps || heldOut(about)) continue
    const head = headOf(session, place)
    sampler.offer({ priority: head.priority, steps, unsafe: truth.unsafe })
    await spill.add(head, session.rows())
  }
  if (n === 0) throw new PlimsollError('traces_invalid', 'there is no session to fit to')
  const choice = sampler.choose()
  const weightOf = ({ source, priority, truth }: Head): number =>
    census.isSilent(source) ? 0 : choice.weightOf({ priority, unsafe: truth.unsafe })
  return {
    sources: census.lines(),
    blocks: () => blocksIn(spill, ({ source }) => !census.isSilent(source)),
    sample: () => sampleIn(spill, weightOf),
    told: choice.told,
  }
}

function headOf(session: FlowSession, place: number): Head {
  const { about, category, truth } = session
  const { n: _n, ...training } = trainingSession(session, category, place)
  return {
    ...training,
    truth: { ...truth, unexecuted: [...truth.unexecuted] },
    source: about.source,
    priority: priorityOf(about.source, about.traceId),
  }
}

async function* blocksIn(
  spill: SessionSpill<Head>,
  isFitted: (head: Head) => boolean,
): AsyncGenerator<Block> {
  let block = createBlock()
  for await (const { head, rows } of spill.sessions()) {
    if (!isFitted(head)) continue
    block.add(head, rows, 1)
    if (block.steps() < BLOCK_STEPS) continue
    yield block.build()
    block = createBlock()
  }
  yield block.build()
}

async function sampleIn(spill: SessionSpill<Head>, weightOf: (head: Head) => number): Promise<Block> {
  const block = createBlock()
  for await (const { head, rows } of spill.sessions()) {
    const weight = weightOf(head)
    if (weight > 0) block.add(head, rows, weight)
  }
  return block.build()
}

function createBlock() {
  const growing = createGrowingTable()
  const sessions: TrainingSession[] = []
  let steps = 0
  return {
    add: ({ truth, category, group, weight }: Head, rows: SessionRows, standsFor: number): void => {
      growing.add(rows)
      steps += rows.steps.length
      sessions.push({
        n: sessions.length,
        truth: { ...truth, unexecuted: new Set(truth.unexecuted) },
        category,
        group,
        weight: weight * standsFor,
      })
    },
    steps: () => steps,
    build: (): Block => ({ table: growing.table(), sessions }),
  }
}
