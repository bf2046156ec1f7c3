import type { Target } from '../sessions/truth.js'
import { VIOLATED_LEVEL } from '../sessions/space.js'
import { levelOfPlace } from '../features/session-rows.js'
import type { SessionTable } from '../features/session-table.js'
import type { RecordedTruth } from '../traces/recording.js'
import { corpusOf, type Corpus } from './corpus.js'

export const TARGETS = ['observed', 'modelled'] as const satisfies readonly Target[]

/** The risk level in which a step arrives, by session and step. */
export type LevelAt = (n: number, i: number) => number

/** As the engine played it, without scorers. No detector of instructions has a say in it. */
export const levelIn =
  (table: SessionTable): LevelAt =>
  (n, i) =>
    levelOfPlace(table.arrivalPlaces[table.stepAt(n) + i] ?? 0)

/**
 * The corpus with the *modelled* target in the place of what really happened: a session is violated by the first step that arrives in
 * the level `violated` of the cascade, as it is proposed. What the recording says counts for nothing, so every session with steps is
 * judged, whatever its label.
 */
export function modelledCorpus({ recordings }: Corpus, levelAt: LevelAt): Corpus {
  return corpusOf(
    recordings.map(({ blind, truth, about }, n) => {
      const { instructedAt, unexecuted } = truth
      const at = blind.steps.findIndex((_, i) => !unexecuted.has(i) && levelAt(n, i) >= VIOLATED_LEVEL)
      return { blind, about, truth: modelledTruth(at, blind.steps.length, { instructedAt, unexecuted }) }
    }),
  )
}

const modelledTruth = (
  at: number,
  steps: number,
  kept: Pick<RecordedTruth, 'instructedAt' | 'unexecuted'>,
): RecordedTruth => ({
  ...kept,
  excluded: steps === 0 ? 'no_steps' : undefined,
  unsafe: at >= 0,
  violatedAt: at >= 0 ? at : undefined,
  hasSteps: true,
  assumed: false,
})
