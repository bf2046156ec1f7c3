import type { Documents } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { BASELINES } from '../baselines/baselines.js'
import type { SessionTable } from '../features/session-table.js'
import type { Detector } from '../flow/detector.js'
import { foldChains, type FoldChains } from '../chain-report/fold-chains.js'
import type { FlowModel, FlowOptions } from '../flow/fit-flow.js'
import { flowMethod, flowUnderCategories } from '../flow/flow-method.js'
import { flowOptionsFor } from '../flow/flow-target.js'
import type { Target } from '../sessions/truth.js'
import { categoryRows } from './categories.js'
import type { Corpus } from './corpus.js'
import { groupOf, scoreFold, testedIn, trainingIn, type Grouping } from './evaluate.js'
import type { Fold } from './folds.js'
import type { Method } from './method.js'
import { learningFolds } from './learning.js'
import type { MethodFold } from './method-fold.js'
import { tablesFor } from './tables.js'
import { levelIn, modelledCorpus, type LevelAt } from './targets.js'

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
  /** Whether `flow` is fitted to parts of the training sessions too. */
  readonly learning: boolean
  /** Where the levels of the cascade are known already. */
  readonly levelAt?: LevelAt | undefined
  /** Instead of `flow` as it is: a row of it for each of these shares of sessions that go by a wrong category, and for none and all. */
  readonly misclassify?: readonly number[] | undefined
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
  const tableFor = lazy(() => tablesFor(options, corpus))
  /** Levels are the same whatever the detector says: without scorers to fit, features are made once and quickly. */
  const levelsAlone = lazy(() => levelIn(tablesFor({ ...options, without: ['instructions'] }, corpus)([])))
  const isFitted = options.methods.includes('flow')
  return (f, onProgress = () => {}) => {
    const fold = folds[f]
    if (!fold) throw new RangeError(`no fold ${f}`)
    let featuresMs = 0
    const table = lazy(() => {
      onProgress(`${fold.name}: features`)
      const began = performance.now()
      const made = tableFor()(trainingIn(corpus, fold))
      featuresMs = performance.now() - began
      return made
    })
    const chains = new Map<Target, FoldChains>()
    const results = targets.map((target) => {
      const own =
        target === 'observed'
          ? corpus
          : modelledCorpus(corpus, options.levelAt ?? (isFitted ? levelIn(table()) : levelsAlone()))
      let model: FlowModel | undefined
      const methods = methodsOf(options, own, target, table, (fitted) => (model = fitted))
      const parts = methods.map((method): NamedFold => {
        onProgress(`${fold.name}: ${method.name}, ${target}`)
        return { name: method.name, fold: scoreFold({ corpus: own, group }, method, fold) }
      })
      if (options.chains) {
        onProgress(`${fold.name}: chains, ${target}`)
        chains.set(target, chainsOf(options, own, target, f, model))
      }
      if (options.learning && target === 'observed')
        parts.push(...learningFolds(options, fold, tableFor(), onProgress))
      return [target, parts] as const
    })
    return { targets: new Map(results), chains, featuresMs }
  }
}

function methodsOf(
  { methods, documents, growing, misclassify }: StudyOptions,
  corpus: Corpus,
  target: Target,
  table: () => SessionTable,
  onFitted: (model: FlowModel) => void,
): Method[] {
  const options = flowOptionsFor(target, growing)
  const flowRows = (): Method[] =>
    misclassify
      ? flowUnderCategories(corpus, table, categoryRows(corpus, misclassify), options)
      : [flowMethod(corpus, table, options, onFitted)]
  const flow = methods.includes('flow') ? flowRows() : []
  const labelOf = createLabeller(documents.catalogue)
  return [...flow, ...methods.flatMap((name) => BASELINES[name]?.(corpus, labelOf) ?? [])]
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
