import {
  type Corpus,
  type FlowModel,
  type FlowOptions,
  type InstructionSample,
  type SessionTable,
  FLOW_OPTIONS,
  GENERATED,
  fitFlow,
  fitInstructionModel,
  generateSamples,
  trainingSessions,
} from '@plimsoll/trainer'
import type { Method } from '../metrics/method-fold.js'
import { type InstructionModel, textOf } from '@plimsoll/labels'

/** Scorers, buckets and chains fitted again in each fold, over the features that `tableFor` gives of its training sessions. */
export function flowMethod(
  corpus: Corpus,
  tableFor: (training: readonly number[]) => SessionTable,
  options: FlowOptions = FLOW_OPTIONS,
  onFitted: (model: FlowModel) => void = () => {},
): Method {
  const categoryOf = (n: number): string => corpus.recordings[n]?.blind.category ?? ''
  return {
    name: 'flow',
    fit: (training) => {
      const model = fitFlow(tableFor(training), trainingSessions(corpus, training), options)
      onFitted(model)
      return {
        score: (n) => model.score(n, categoryOf(n)),
        scoreTraining: (n) => model.scoreTraining(n, categoryOf(n)),
      }
    },
  }
}

/**
 * Which detector of instruction-like text computes the features. `fold`: fitted in each fold, to made-up texts and to the results
 * of its training sessions, like the shipped detector. `made-up`: fitted to made-up texts alone, the same in every fold, so that features
 * are computed once. `shipped`: fitted to the recordings except fold 4: honest for `--folds test` alone.
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

/** Results before the first hidden instruction contain none, that result does, later ones are unknown. */
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
