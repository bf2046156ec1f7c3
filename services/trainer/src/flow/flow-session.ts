import { createRowMaker, type SessionRows } from '../features/session-rows.js'
import type { Stage } from '../scoring/play.js'
import type { About, Recording, RecordedTruth } from '../traces/recording.js'

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
  for await (const { blind, truth, about } of recordings)
    yield {
      truth,
      about,
      category: blind.category,
      steps: blind.steps.length,
      rows: () => rowsOf(blind),
    }
}
