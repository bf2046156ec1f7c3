import type { Documents } from '@plimsoll/contracts'
import {
  type BlindTrace,
  type Corpus,
  type FlowModel,
  type FlowOptions,
  type InstructionSample,
  type ReportParts,
  type SessionTable,
  FLOW_OPTIONS,
  bundleOfModel,
  fitFlow,
  fitDetector,
  trainingSessions,
} from '@plimsoll/fit'
import { createTraceScorer } from '../baselines/model-method.js'
import type { Method } from '../metrics/method-fold.js'
import { type InstructionModel, textOf } from '@plimsoll/labels'

/** Features of all sessions, and the models that read their texts for them. */
export interface FoldFeatures {
  readonly table: SessionTable
  readonly parts: ReportParts
}

export interface FlowMethodOptions {
  readonly corpus: Corpus
  readonly featuresFor: (training: readonly number[]) => FoldFeatures
  readonly options?: FlowOptions
  /** Policy and catalogue under which the fitted model judges steps; it gives no verdicts where they are left out. */
  readonly documents?: Documents | undefined
  readonly onFitted?: (model: FlowModel) => void
}

/**
 * Scorers, buckets and chains fitted again in each fold. Its verdicts are those of a bundle of them, in the engine, under the policy; the
 * thresholds of that bundle are chosen as those of the bundles that ship.
 */
export function flowMethod(method: FlowMethodOptions): Method {
  const { corpus, featuresFor, options = FLOW_OPTIONS, documents, onFitted = () => {} } = method
  const blindAt = (n: number): BlindTrace => corpus.recordings[n]?.blind ?? NO_TRACE
  return {
    name: 'flow',
    fit: (training) => {
      const { table, parts } = featuresFor(training)
      const sessions = trainingSessions(corpus, training)
      const model = fitFlow(table, sessions, options)
      onFitted(model)
      const judge =
        documents &&
        createTraceScorer({ ...documents, bundle: bundleOfModel(model, sessions, 'fold') }, parts)
      return {
        score: (n) => model.score(n, blindAt(n).category),
        scoreTraining: (n) => model.scoreTraining(n, blindAt(n).category),
        ...(judge && { verdicts: (n) => judge(blindAt(n)) }),
      }
    },
  }
}

const NO_TRACE: BlindTrace = { task: '', category: '', steps: [] }

/**
 * Which detector of instruction-like text computes the features. `fold`: fitted in each fold, to made-up texts and to the results
 * of its training sessions, like the shipped detector. `made-up`: fitted to made-up texts alone, the same in every fold, so that features
 * are computed once. `shipped`: fitted to the recordings except fold 4: honest for `--folds test` alone.
 */
export const DETECTORS = ['fold', 'made-up', 'shipped'] as const
export type Detector = (typeof DETECTORS)[number]

/** A detector that has seen no recording. */
export const createDetector = (): InstructionModel => fitDetector([])

/** A detector that has seen the results of some sessions, each text once. */
export const foldDetector = (corpus: Corpus, training: readonly number[]): InstructionModel =>
  fitDetector(samplesOf(corpus, training))

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
