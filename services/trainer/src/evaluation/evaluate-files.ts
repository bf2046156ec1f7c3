import { PlimsollError, type Documents } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { BASELINES } from '../baselines/baselines.js'
import { readCorpus, type Corpus } from './corpus.js'
import { evaluate, type Grouping, type MethodResult } from './evaluate.js'
import { foldsOf, type Fold, type FoldKind } from './folds.js'
import type { Method } from './method.js'
import { labelUnlisted } from './label-unlisted.js'
import { censusOf, type SourceLine } from './source-census.js'
import { evaluateAblation } from './evaluate-ablation.js'
import { tablesFor } from './tables.js'
import type { Detector } from '../flow/detector.js'
import { flowMethod } from '../flow/flow-method.js'
import { modelMethod, type ModelScores, type StepCost } from '../scoring/model-method.js'
import { chainViewsOf, type ChainView } from '../report/chain-view.js'
import { createScoresFile } from '../scoring/scores-file.js'
import type { ReadProgress } from '../traces/read-traces.js'
import type { About } from '../traces/recording.js'

export const METHODS = [...Object.keys(BASELINES), 'flow']

export const UNLISTED = ['proposed', 'unknown'] as const
export type Unlisted = (typeof UNLISTED)[number]

/** What needs no fitting, and so no folds. */
const UNFITTED = ['none', 'keyword', 'length']

export interface EvaluateFilesOptions {
  readonly files: readonly string[]
  /** Catalogue and policy; the bundle counts where `isModel` says so. */
  readonly documents: Documents
  /** Tools that the catalogue does not list: labelled as `plimsoll label` would propose it, or unknown. `proposed` where it is left out. */
  readonly unlisted?: Unlisted
  /** Scores with the bundle of `documents`, as it is. */
  readonly isModel: boolean
  /** Undefined: all sessions are scored, and nothing is fitted. */
  readonly folds: FoldKind | undefined
  readonly group: Grouping
  /** For the method `flow`; `fold` where it is left out, in an ablation `made-up`. */
  readonly detector?: Detector | undefined
  /** Instead of `methods`: the published method, then `flow` told ever more of each step, a row each. */
  readonly isAblation?: boolean
  /** By name, of METHODS; undefined: all that the folds allow. */
  readonly methods?: readonly string[]
  /** Where to write what the bundle says of each step. */
  readonly scores?: string
  readonly onRead?: (progress: ReadProgress) => void
  readonly onProgress?: (share: number, note: string) => void
}

export interface Evaluation {
  readonly folds: FoldKind | 'none'
  readonly foldNames: readonly string[]
  readonly group: Grouping
  /** Whether the methods are the rows of an ablation, with what detector. */
  readonly ablation?: Detector
  readonly sources: readonly SourceLine[]
  /** Tools that the catalogue does not list and that were labelled by name and description. */
  readonly proposedTools: readonly string[]
  readonly methods: readonly MethodResult[]
  /** Of the bundle that was measured. */
  readonly cost?: StepCost
  /** Of the bundle that was measured: what its chains say. */
  readonly chains?: readonly ChainView[]
  /** Milliseconds. */
  readonly readMs: number
  readonly extractMs: number
}

/**
 * Measures methods over files of recorded sessions: everything that is fitted is fitted inside each fold. A bundle is measured as it is.
 *
 * @throws PlimsollError `traces_invalid`; `usage_invalid` for a method that there is not, or scores without a bundle
 */
export async function evaluateFiles(asked: EvaluateFilesOptions): Promise<Evaluation> {
  if (asked.isAblation) assertAblation(asked)
  const { files, group, onProgress } = asked
  const began = performance.now()
  const corpus = await readCorpus(files, asked.onRead)
  const readMs = performance.now() - began
  const { catalogue, proposed } = catalogueFor(asked, corpus)
  const options = { ...asked, documents: { ...asked.documents, catalogue } }
  const folds = options.folds ? foldsOf(options.folds, judgedAbout(corpus)) : [EVERYTHING]
  const common = { ...commonOf(options, corpus, folds), proposedTools: proposed }
  if (options.isAblation) return { ...common, ...ablate(options, corpus, folds), readMs }
  const model = options.isModel ? modelMethod(corpus, options.documents) : undefined
  const { methods: ownMethods, extractMs } = methodsOf(options, corpus)
  const methods = [...(model ? [model] : []), ...ownMethods]
  if (options.scores !== undefined) await writeScores(options.scores, corpus, model)
  return {
    ...common,
    methods: evaluate({ corpus, folds, methods, group, ...(onProgress && { onProgress }) }),
    ...(model && { cost: model.cost(), chains: chainViewsOf(options.documents.bundle) }),
    readMs,
    extractMs,
  }
}

const catalogueFor = ({ documents, unlisted = 'proposed' }: EvaluateFilesOptions, { recordings }: Corpus) =>
  unlisted === 'proposed'
    ? labelUnlisted(documents.catalogue, recordings)
    : { catalogue: documents.catalogue, proposed: [] }

const commonOf = ({ folds: kind, group }: EvaluateFilesOptions, corpus: Corpus, folds: readonly Fold[]) => ({
  folds: kind ?? ('none' as const),
  foldNames: folds.map(({ name }) => name),
  group,
  sources: censusOf(corpus),
})

function ablate(options: EvaluateFilesOptions, corpus: Corpus, folds: readonly Fold[]) {
  const { documents, group, onProgress, detector = 'made-up' } = options
  const progress = onProgress && { onProgress }
  return {
    ...evaluateAblation({ corpus, folds, group, documents, detector, ...progress }),
    ablation: detector,
  }
}

/** Its rows are fitted, and are what they are. */
function assertAblation({ folds, isModel, methods, scores }: EvaluateFilesOptions): void {
  if (folds && !isModel && !methods && scores === undefined) return
  throw new PlimsollError(
    'usage_invalid',
    '`--ablation` fits rows of its own: `--model`, `--methods`, `--scores` and `--folds none` go without it',
  )
}

const EVERYTHING: Fold = { name: 'all sessions', tests: () => true, trains: () => false }

const judgedAbout = ({ judged, recordings }: Corpus): About[] =>
  judged.flatMap((n) => recordings[n]?.about ?? [])

function methodsOf(options: EvaluateFilesOptions, corpus: Corpus): { methods: Method[]; extractMs: number } {
  const { methods, folds, documents, detector = 'fold', onProgress } = options
  const names = methods ?? (folds ? METHODS : UNFITTED)
  for (const name of names) assertKnown(name, folds)
  const progress = onProgress && { onProgress }
  const tables = () => tablesFor({ documents, detector, ...progress }, corpus)
  const began = performance.now()
  const flow = names.includes('flow') ? [flowMethod(corpus, tables())] : []
  const extractMs = performance.now() - began
  const labelOf = createLabeller(documents.catalogue)
  const baselines = names.flatMap((name) => BASELINES[name]?.(corpus, labelOf) ?? [])
  return { methods: [...flow, ...baselines], extractMs }
}

function assertKnown(name: string, folds: FoldKind | undefined): void {
  if (!METHODS.includes(name))
    throw new PlimsollError(
      'usage_invalid',
      `there is no method \`${name}\`; there are ${METHODS.join(', ')}`,
    )
  if (!folds && !UNFITTED.includes(name))
    throw new PlimsollError('usage_invalid', `the method \`${name}\` is fitted: \`--folds\` is missing`)
}

/** Every session of the files, judged or not: scores are computed without knowing. */
async function writeScores(
  file: string,
  { recordings }: Corpus,
  model: ModelScores | undefined,
): Promise<void> {
  if (!model) throw new PlimsollError('usage_invalid', 'scores are those of a bundle: `--model` is missing')
  const out = createScoresFile(file)
  for (const [n, { about }] of recordings.entries()) await out.write(about.traceId, model.stepsOf(n))
  await out.close()
}
