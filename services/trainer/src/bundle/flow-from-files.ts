import { type Bundle, type Documents, bundleSchema, versionOf } from '@plimsoll/contracts'
import { OBSERVER_PARTS, shippedInstructionModel } from '@plimsoll/labels'
import { compileRules } from '@plimsoll/policy'
import type { Corpus } from '../corpus/corpus.js'
import { type SessionTable, tabulateSessions } from '../fit/features/session-table.js'
import { type ReportParts, type Stage, type TextModels, evaluationObserver } from '../corpus/play.js'
import { type ReadProgress, areReadAgain, stoppable } from '../corpus/read-traces.js'
import { readRecordings } from '../corpus/recording.js'
import { playedSessions } from '../fit/flow/collected.js'
import { type FlowOptions, FLOW_OPTIONS } from '../fit/flow/fit-flow.js'
import { type FlowBundleOptions, fitFlowBundle } from './flow-bundle.js'

/** What a client does not see that tells of tools' names alone: everything. */
export const LABELS_ONLY = OBSERVER_PARTS

/** Scorers of labels alone see a handful of numbers that take few values each: few and small trees say all of it. */
export const LABELS_ONLY_OPTIONS: FlowOptions = {
  hazard: { ...FLOW_OPTIONS.hazard, trees: 30, depth: 3, learningRate: 0.2 },
  session: { ...FLOW_OPTIONS.session, trees: 30, depth: 3, learningRate: 0.2, featureShare: 1 },
}

/** `bundle`, which judges sessions whose clients tell of nothing by the model in `labels`, fitted to the same sessions as such clients tell of them. */
export function withLabelsOnly(bundle: Bundle, labels: Bundle): Bundle {
  const { space, aggregate, categories, flow, origin } = labels
  return bundleSchema.parse({
    ...bundle,
    labelsOnly: { space, aggregate, categories, flow },
    origin: {
      ...bundle.origin,
      labelsOnly: {
        notes: ['the same sessions, with the names of tools only'],
        scorers: origin['scorers'],
        thresholds: origin['thresholds'],
      },
    },
  })
}

export interface FlowFromFilesOptions {
  readonly files: readonly string[]
  /** The catalogue that labels, and rules under which sessions are played: those of any bundle do. */
  readonly documents: Documents
  readonly name?: string
  readonly models?: TextModels
  /** How far reading has come; sessions are played as they are read. */
  readonly onRead?: (progress: ReadProgress) => void
  readonly onPhase?: FlowBundleOptions['onPhase']
  readonly signal?: AbortSignal
  /** See `FlowBundleOptions`. */
  readonly budget?: number
  /** See `FlowBundleOptions`. */
  readonly sampleSteps?: number
}

/**
 * Fits a bundle of the space `flow` to files of recorded sessions, in memory that does not grow with them. They are read twice: the
 * second time as clients tell of them that tell of nothing but the names of tools, which is quicker. From a pipe, which is read once, the
 * bundle has no model for such sessions.
 *
 * @throws PlimsollError `traces_invalid`, naming file and line, or where no violated session is left
 */
export async function fitFlowFromFiles(options: FlowFromFilesOptions): Promise<Bundle> {
  const {
    files,
    documents,
    name = 'flow-observed',
    models = {},
    onRead,
    onPhase,
    budget,
    sampleSteps,
    signal,
  } = options
  const madeWith = {
    catalogue: versionOf(documents.catalogue),
    instructions: versionOf(models.instructions ?? shippedInstructionModel()),
  }
  const common = {
    name,
    madeWith,
    ...(budget !== undefined && { budget }),
    ...(sampleSteps !== undefined && { sampleSteps }),
  }
  const sessionsSeen = (sight: ReportParts, onRead?: FlowFromFilesOptions['onRead']) =>
    playedSessions(stoppable(readRecordings(files, onRead), signal), unscoredStage(documents, sight))
  const reported = await fitFlowBundle({
    ...common,
    sessions: sessionsSeen(models, onRead),
    ...(onPhase && { onPhase }),
  })
  if (!(await areReadAgain(files))) return reported
  onPhase?.('labelsOnly')
  const sessions = sessionsSeen({ ...models, without: LABELS_ONLY })
  return withLabelsOnly(reported, await fitFlowBundle({ ...common, sessions, options: LABELS_ONLY_OPTIONS }))
}

/** Where sessions are played for their features: under rules without scorers, which are what the scorers are fitted to. */
export function unscoredStage(documents: Documents, sight: ReportParts): Stage {
  const { flow: _scorers, labelsOnly: _labelsOnly, ...bundle } = documents.bundle
  return {
    rules: compileRules({ ...documents, bundle }),
    observer: evaluationObserver(documents.catalogue, sight),
  }
}

/** Features of every session. */
export function tabulateCorpus(
  { recordings }: Pick<Corpus, 'recordings'>,
  documents: Documents,
  sight: ReportParts,
  onProgress?: (share: number) => void,
): SessionTable {
  const traces = recordings.map(({ blind }) => blind)
  return tabulateSessions(traces, unscoredStage(documents, sight), onProgress)
}
