import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Documents, PlimsollError } from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import {
  type Corpus,
  type ReadProgress,
  type SourceLine,
  type Target,
  areReadAgain,
  censusOf,
  groupedBy,
  labelUnlisted,
  readCorpus,
} from '@plimsoll/fit'
import { BASELINES } from './baselines/baselines.js'
import { type ChainReport, bundleReportOf, chainReportOf } from './chains/chain-report.js'
import type { Detector } from './folds/flow-method.js'
import { type LevelAt, type ModelScores, type StepCost, modelMethod } from './baselines/model-method.js'
import { type Grouping, type MethodResult, evaluate, resultOf, testedIn } from './folds/evaluate.js'
import { type Fold, type FoldKind, foldsIn } from './folds/folds.js'
import { type JudgeModel, askSteps, drawSessions } from './judge/ask-steps.js'
import { judgeMethods } from './judge/judge-methods.js'
import { type JudgeReport, type JudgedSteps, judgeReportOf, placesIn } from './judge/judge-report.js'
import { type Method, mapped } from './metrics/method-fold.js'
import { runHere, runInWorkers } from './folds/run-folds.js'
import { type NamedFold, TARGETS, createStudy, modelledCorpus } from './folds/study.js'

export const METHODS = [...Object.keys(BASELINES), 'flow']

/** What needs no fitting, and so no folds. */
const UNFITTED = ['none', 'keyword', 'length']

export interface EvaluateFilesOptions {
  readonly files: readonly string[]
  /** Takes one session of so many; all where it is left out. */
  readonly sample?: number
  /** Catalogue and policy; the bundle counts where `isModel` says so. */
  readonly documents: Documents
  /** Scores with the bundle of `documents`, as it is. */
  readonly isModel: boolean
  /** Whether recorded tools that the catalogue does not list are labelled as `plimsoll label` proposes; yes where it is left out. */
  readonly labelsUnlisted?: boolean
  /** Parts that clients do not report; default: none. */
  readonly without?: readonly ObserverPart[]
  /** What counts as violated; both where it is left out. */
  readonly targets?: readonly Target[]
  /** Threads that folds are run in, each with the recordings in its own memory; this one alone where it is left out, or where files are read once. */
  readonly workers?: number
  /** Undefined: all sessions are scored, and nothing is fitted. */
  readonly folds: FoldKind | undefined
  readonly group: Grouping
  /** For the method `flow`; `fold` where it is left out. */
  readonly detector?: Detector | undefined
  /** Whether chains are described and compared: over at most `CHAIN_FOLDS_MAX` folds where it is left out. */
  readonly isChains?: boolean | undefined
  /** A model as judge, beside the methods. */
  readonly judge?: JudgeOptions | undefined
  /** By name, of METHODS; undefined: all that the folds allow. */
  readonly methods?: readonly string[]
  /** Where to write what the bundle says of each step. */
  readonly scores?: string
  readonly onRead?: (progress: ReadProgress) => void
  readonly onProgress?: (share: number, note: string) => void
}

export interface JudgeOptions {
  /** It is sent texts of sessions. Undefined: it is only counted what it would be asked about. */
  readonly model: JudgeModel | undefined
  /** Most sessions, drawn from those that the folds hold out. */
  readonly sessions: number
  /** Which steps are asked about. */
  readonly steps: JudgedSteps
  /** Most calls of the model, retries included. */
  readonly callsMax: number
}

export interface Evaluation {
  readonly folds: FoldKind | 'none'
  readonly foldNames: readonly string[]
  readonly group: Grouping
  readonly sources: readonly SourceLine[]
  /** Tools that the catalogue does not list and that were labelled by name and description. */
  readonly proposedTools: readonly string[]
  /** By the recorded truth. */
  readonly methods: readonly MethodResult[]
  /** By the cascade: the same methods, fitted to it and judged by it. */
  readonly modelled: readonly MethodResult[]
  /** Of the bundle that was measured. */
  readonly cost?: StepCost
  /** Of the model as judge. */
  readonly judge?: JudgeReport
  /** What there is to say of chains, by target; of the bundle's where one was measured. */
  readonly chains: readonly ChainReport[]
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
  assertFitting(asked)
  const names = namesOf(asked)
  const began = performance.now()
  const corpus = await readCorpus(asked.files, asked.onRead, asked.sample)
  const readMs = performance.now() - began
  const { catalogue, proposed } = labelUnlisted(
    asked.documents.catalogue,
    asked.labelsUnlisted === false ? [] : corpus.recordings,
  )
  const options = { ...asked, documents: { ...asked.documents, catalogue } }
  const folds = foldsIn(options.folds, corpus, catalogue)
  const common = { ...commonOf(options, corpus, folds), proposedTools: proposed }
  const model = options.isModel ? modelMethod(corpus, options.documents, options.without) : undefined
  if (options.scores !== undefined && model) await writeScores(options.scores, corpus, model)
  const ofModel = model && measureModel(options, corpus, folds, model)
  const judged = options.judge && (await measureJudge(options, corpus, folds, model, options.judge))
  const { extractMs, ...results } = await fitAndMeasure(options, corpus, folds, names, model?.levelAt)
  return {
    ...common,
    methods: [...(ofModel?.observed ?? []), ...results.observed, ...(judged?.methods ?? [])],
    modelled: [...(ofModel?.modelled ?? []), ...results.modelled],
    ...(model && { cost: model.cost() }),
    ...(judged && { judge: judged.report }),
    chains: [
      ...(model && options.isChains !== false ? [bundleReportOf(options.documents.bundle)] : []),
      ...results.chains,
    ],
    readMs,
    extractMs,
  }
}

/** Figures of each target: none where it is not asked for. */
type ByTarget = Readonly<Record<Target, readonly MethodResult[]>>

const byTarget = (
  { targets = TARGETS }: EvaluateFilesOptions,
  resultsOf: (target: Target) => readonly MethodResult[],
): ByTarget => mapped(TARGETS, (target) => (targets.includes(target) ? resultsOf(target) : []))

function measureModel(
  options: EvaluateFilesOptions,
  corpus: Corpus,
  folds: readonly Fold[],
  model: Method & ModelScores,
): ByTarget {
  const { group, onProgress } = options
  return byTarget(options, (target) => {
    const own = target === 'observed' ? corpus : modelledCorpus(corpus, model.levelAt)
    return evaluate({ corpus: own, folds, methods: [model], group, ...(onProgress && { onProgress }) })
  })
}

/** By the recorded truth alone: the judge does not know the cascade. */
async function measureJudge(
  { group, onProgress, documents, without }: EvaluateFilesOptions,
  corpus: Corpus,
  folds: readonly Fold[],
  measured: (Method & ModelScores) | undefined,
  { model, sessions: count, steps, callsMax }: JudgeOptions,
): Promise<{ methods: readonly MethodResult[]; report: JudgeReport }> {
  const tested = new Set(folds.flatMap((fold) => testedIn(corpus, fold)))
  const sessions = drawSessions([...tested], count)
  const bundle = measured ?? modelMethod(corpus, documents, without)
  const drawn = { corpus, sessions, bundle, steps }
  const answers =
    model &&
    (await askSteps(corpus, placesIn(drawn), { model, callsMax }, (share) =>
      onProgress?.(share, `asking ${model.name}`),
    ))
  const answered = model && answers && { by: model.name, answers }
  const methods = judgeMethods({ sessions, bundle, answered, isAll: steps === 'all' })
  return {
    methods: evaluate({ corpus, folds, methods, group }),
    report: judgeReportOf({
      ...drawn,
      model: model?.name,
      answers,
      methods: methods.map(({ name }) => name),
    }),
  }
}

async function fitAndMeasure(
  options: EvaluateFilesOptions,
  corpus: Corpus,
  folds: readonly Fold[],
  methods: readonly string[],
  levelAt: LevelAt | undefined,
): Promise<ByTarget & Pick<Evaluation, 'extractMs' | 'chains'>> {
  const { files, sample = 1, documents, group, targets = TARGETS, detector = 'fold', workers = 1 } = options
  const chains = Boolean(options.folds) && (options.isChains ?? folds.length <= CHAIN_FOLDS_MAX)
  const plan = { documents, group, methods, targets, detector, chains }
  const study = createStudy({ ...plan, corpus, folds, levelAt })
  const results =
    workers > 1 && folds.length > 1 && options.folds && methods.length > 0 && (await areReadAgain(files))
      ? await runInWorkers(
          { ...plan, files, sample, folds: options.folds },
          folds.length,
          workers,
          options.onProgress,
        )
      : runHere(study, folds.length, options.onProgress)
  return {
    ...byTarget(options, (target) => joinedBy(results.map((result) => result.targets.get(target) ?? []))),
    chains: chains
      ? targets.map((target) =>
          chainReportOf(
            target,
            results.flatMap((result) => result.chains.get(target) ?? []),
          ),
        )
      : [],
    extractMs: results.reduce((sum, { featuresMs }) => sum + featuresMs, 0),
  }
}

/** Most folds over which chains are compared unasked: it takes about as long as fitting. */
const CHAIN_FOLDS_MAX = 5

function joinedBy(folds: readonly (readonly NamedFold[])[]): MethodResult[] {
  const byName = groupedBy(folds.flat(), ({ name }) => name)
  return Array.from(byName, ([name, parts]) =>
    resultOf(
      name,
      parts.map(({ fold }) => fold),
    ),
  )
}

const commonOf = ({ folds: kind, group }: EvaluateFilesOptions, corpus: Corpus, folds: readonly Fold[]) => ({
  folds: kind ?? ('none' as const),
  foldNames: folds.map(({ name }) => name),
  group,
  sources: censusOf(corpus),
})

/** Refuses options that do not fit together before anything is read. */
function assertFitting({ isModel, scores }: EvaluateFilesOptions): void {
  if (scores !== undefined && !isModel) throw new PlimsollError('usage_invalid', '`--scores` needs `--model`')
}

function namesOf({ methods, folds }: EvaluateFilesOptions): readonly string[] {
  const names = methods ?? (folds ? METHODS : UNFITTED)
  for (const name of names) assertKnown(name, folds)
  return names
}

function assertKnown(name: string, folds: FoldKind | undefined): void {
  if (!METHODS.includes(name))
    throw new PlimsollError(
      'usage_invalid',
      `there is no method \`${name}\`; there are ${METHODS.join(', ')}`,
    )
  if (!folds && !UNFITTED.includes(name))
    throw new PlimsollError('usage_invalid', `the method \`${name}\` is fitted: it needs \`--folds\``)
}

/**
 * Every session of the files, judged or not: scores are computed without knowing. A line a step, `trace_id` and `i` before what `ScoredStep`
 * has.
 */
async function writeScores(file: string, { recordings }: Corpus, model: ModelScores): Promise<void> {
  function* lines() {
    for (const [n, { about }] of recordings.entries())
      for (const [i, step] of model.stepsOf(n).entries())
        yield `${JSON.stringify({ trace_id: about.traceId, i, ...step })}\n`
  }
  await pipeline(lines, createWriteStream(file)).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  })
}
