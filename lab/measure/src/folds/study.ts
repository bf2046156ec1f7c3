import type { Documents } from '@plimsoll/contracts'
import { type ObserverPart, createLabeller } from '@plimsoll/labels'
import {
  type Corpus,
  type FlowModel,
  type FlowOptions,
  type RecordedTruth,
  type ScorerInputs,
  type SessionTable,
  type Target,
  type ConductSample,
  type ReportParts,
  type TextModels,
  FLOW_OPTIONS,
  VIOLATED_LEVEL,
  corpusOf,
  createConductCorpus,
  fitConductText,
  fitConductTextApart,
  levelOfPlace,
  tabulateCorpus,
} from '@plimsoll/fit'
import type { LevelAt } from '../baselines/model-method.js'
import { BASELINES } from '../baselines/baselines.js'
import { type FoldChains, foldChains } from '../chains/chain-report.js'
import { type Detector, type FoldFeatures, createDetector, flowMethod, foldDetector } from './flow-method.js'
import { type Grouping, groupOf, labelledIn, scoreFold, testedIn, trainingIn } from './evaluate.js'
import type { Fold } from './folds.js'
import type { Method, MethodFold } from '../metrics/method-fold.js'

/** All that the cascade looks at: where the session stands, and what the step is. */
export const CASCADE_INPUTS: ScorerInputs = {
  'state.exposure': 1,
  'state.escalation': 1,
  'state.level': 1,
  'step.exposure': 1,
  'step.escalation': 1,
  'step.reversibility': 0,
}

/** What a step's evidence says is of the *observed* target; whether a step is violated by the cascade follows from labels alone. */
export const flowOptionsFor = (target: Target, options: FlowOptions = FLOW_OPTIONS): FlowOptions =>
  target === 'observed' ? options : { ...options, hazardInputs: CASCADE_INPUTS }

interface FeaturesOptions {
  readonly documents: Documents
  readonly detector: Detector
  /** What clients are taken not to see. */
  readonly without?: readonly ObserverPart[]
  readonly onProgress?: (share: number, note: string) => void
}

/** Features of all sessions: made once, or again in each fold where the detector is fitted in it. */
function featuresIn(
  { documents, detector, without = [], onProgress }: FeaturesOptions,
  corpus: Corpus,
): (training: readonly number[]) => FoldFeatures {
  const tabulate = (models: TextModels, conductFor?: ReportParts['conductFor']): FoldFeatures => {
    const parts = { ...models, without }
    const table = tabulateCorpus(
      corpus,
      documents,
      { ...parts, ...(conductFor && { conductFor }) },
      (share) => onProgress?.(0, `features of ${Math.floor(100 * share)}% of the sessions`),
    )
    return { table, parts }
  }
  const instructionsFor = without.includes('instructions') ? () => ({}) : detectorFor(detector, corpus)
  const isConductFitted =
    !without.includes('conduct') && corpus.recordings.some(({ about }) => corpus.isSilent(about.source))
  if (isConductFitted)
    return (training) => {
      const samples = conductSamplesOf(corpus, training)
      const apart = fitConductTextApart(samples)
      const isTraining = new Set(training.map((n) => corpus.recordings[n]?.about))
      const models = { ...instructionsFor(training), conduct: fitConductText(samples) }
      return tabulate(models, (about) => (isTraining.has(about) ? apart(about) : undefined))
    }
  if (detector === 'fold' && !without.includes('instructions'))
    return (training) => tabulate(instructionsFor(training))
  const features = tabulate(instructionsFor([]))
  return () => features
}

/** The instruction detector of a fold's features. */
function detectorFor(
  detector: Detector,
  corpus: Corpus,
): (training: readonly number[]) => Pick<TextModels, 'instructions'> {
  if (detector === 'fold') return (training) => ({ instructions: foldDetector(corpus, training) })
  const models = detector === 'made-up' ? { instructions: createDetector() } : {}
  return () => models
}

function conductSamplesOf({ recordings }: Corpus, training: readonly number[]): ConductSample[] {
  const samples = createConductCorpus()
  for (const n of training) {
    const recording = recordings[n]
    if (recording) samples.add(recording)
  }
  return samples.samples()
}

export const TARGETS = ['observed', 'modelled'] as const satisfies readonly Target[]

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

/** What is fitted and measured in each fold. */
export interface StudyOptions {
  readonly corpus: Corpus
  readonly documents: Documents
  readonly folds: readonly Fold[]
  readonly group: Grouping
  /** Names of fitted methods and of baselines. */
  readonly methods: readonly string[]
  readonly targets: readonly Target[]
  readonly detector: Detector
  /** Whether chains are described and compared. */
  readonly chains: boolean
  /** Where the levels of the cascade are known already. */
  readonly levelAt?: LevelAt | undefined
  /** How scorers are grown; as those that ship are where it is left out. */
  readonly growing?: FlowOptions | undefined
}

/** What one fold gives, by target and method: plain data, which may come from another thread. */
export interface FoldResult {
  readonly targets: ReadonlyMap<Target, readonly NamedFold[]>
  /** What is said of chains, where that is asked for. */
  readonly chains: ReadonlyMap<Target, FoldChains>
  /** Milliseconds that features took. */
  readonly featuresMs: number
}

export interface NamedFold {
  readonly name: string
  readonly fold: MethodFold
}

/** Runs folds by their number, in any order: what is made for all of them is made once. */
export type Study = (f: number, onProgress?: (note: string) => void) => FoldResult

/** Everything that is fitted is fitted inside the fold; its features are made once, for both targets and every method. */
export function createStudy(options: StudyOptions): Study {
  const { corpus, folds, targets, group } = options
  const featuresFor = lazy(() => featuresIn(options, corpus))
  /** Levels are the same whatever the detector says: without scorers to fit, features are made once and quickly. */
  const levelsAlone = lazy(() =>
    levelIn(featuresIn({ ...options, without: ['instructions'] }, corpus)([]).table),
  )
  const isFitted = options.methods.includes('flow')
  return (f, onProgress = () => {}) => {
    const fold = folds[f]
    if (!fold) throw new RangeError(`no fold ${f}`)
    let featuresMs = 0
    const features = lazy(() => {
      onProgress(`${fold.name}: features`)
      const began = performance.now()
      const made = featuresFor()(trainingIn(corpus, fold))
      featuresMs = performance.now() - began
      return made
    })
    const chains = new Map<Target, FoldChains>()
    const results = targets.map((target) => {
      const own =
        target === 'observed'
          ? corpus
          : modelledCorpus(corpus, options.levelAt ?? (isFitted ? levelIn(features().table) : levelsAlone()))
      let model: FlowModel | undefined
      const methods = methodsOf(options, own, target, features, (fitted) => (model = fitted))
      const parts = methods.map((method): NamedFold => {
        onProgress(`${fold.name}: ${method.name}, ${target}`)
        return { name: method.name, fold: scoreFold({ corpus: own, group }, method, fold) }
      })
      if (options.chains) {
        onProgress(`${fold.name}: chains, ${target}`)
        chains.set(target, chainsOf(options, own, target, f, model))
      }
      return [target, parts] as const
    })
    return { targets: new Map(results), chains, featuresMs }
  }
}

function methodsOf(
  { methods, documents, growing }: StudyOptions,
  corpus: Corpus,
  target: Target,
  features: () => FoldFeatures,
  onFitted: (model: FlowModel) => void,
): Method[] {
  const options = flowOptionsFor(target, growing)
  const judged = target === 'observed' ? documents : undefined
  const flow = { corpus, featuresFor: features, options, documents: judged, onFitted }
  const labelOf = createLabeller(documents.catalogue)
  return [
    ...(methods.includes('flow') ? [flowMethod(flow)] : []),
    ...methods.flatMap((name) => BASELINES[name]?.(corpus, labelOf) ?? []),
  ]
}

function chainsOf(
  { documents, folds, group }: StudyOptions,
  corpus: Corpus,
  target: Target,
  f: number,
  flow: FlowModel | undefined,
): FoldChains {
  const fold = folds[f]
  if (!fold) throw new RangeError(`no fold ${f}`)
  return foldChains({
    corpus,
    catalogue: documents.catalogue,
    training: trainingIn(corpus, fold),
    labelled: labelledIn(corpus, fold),
    test: testedIn(corpus, fold),
    groupOf: (n) => groupOf(corpus, n, group),
    flow,
    of: f === 0 ? `the training sessions of the fold \`${fold.name}\`` : undefined,
    target,
  })
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
