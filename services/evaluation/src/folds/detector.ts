import { type InstructionModel, textOf } from '@plimsoll/labels'
import {
  type Corpus,
  type InstructionSample,
  GENERATED,
  fitInstructionModel,
  generateSamples,
} from '@plimsoll/trainer'

/**
 * By which detector of instruction-like text features are made. `fold`: one fitted again in each fold, to made-up texts and to the results
 * of its training sessions, as the one that ships is. `made-up`: one fitted to made-up texts alone, the same in every fold, so that features
 * are made once. `shipped`: the one that ships, which has seen the recordings but for fold 4: honest for `--split test` alone.
 */
export const DETECTORS = ['fold', 'made-up', 'shipped'] as const
export type Detector = (typeof DETECTORS)[number]

const SEED = 7

/** A detector that has seen no recording. */
export const createDetector = (): InstructionModel =>
  fitInstructionModel(generateSamples(GENERATED, SEED), { seed: SEED })

/** A detector that has seen the results of some sessions, each text once. */
export function foldDetector(corpus: Corpus, training: readonly number[]): InstructionModel {
  return fitInstructionModel([...generateSamples(GENERATED, SEED), ...samplesOf(corpus, training)], {
    seed: SEED,
  })
}

/** Results before the first hidden instruction are free of them, that one is not, and of later ones nobody says. */
function samplesOf({ recordings }: Corpus, training: readonly number[]): InstructionSample[] {
  const samples = new Map<string, InstructionSample>()
  for (const n of training) {
    const { blind, truth } = recordings[n] ?? {}
    if (!blind || truth?.instructedAt === undefined) continue
    const last = truth.instructedAt ?? blind.steps.length - 1
    for (const [i, { result }] of blind.steps.slice(0, last + 1).entries()) {
      const text = textOf(result)
      if (text !== '' && !samples.has(text)) samples.set(text, { text, instructed: i === truth.instructedAt })
    }
  }
  return [...samples.values()]
}
