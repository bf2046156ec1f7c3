import { versionOf, type Bundle, type Documents } from '@plimsoll/contracts'
import { shippedInstructionModel } from '@plimsoll/labels'
import { compileRules } from '@plimsoll/policy'
import type { Corpus } from '../evaluation/corpus.js'
import { tabulateSessions, type SessionTable } from '../features/session-table.js'
import { evaluationObserver, type Sight, type TextModels } from '../scoring/evaluation-observer.js'
import type { Stage } from '../scoring/play.js'
import { areReadAgain } from '../traces/read-again.js'
import type { ReadProgress } from '../traces/read-traces.js'
import { readRecordings } from '../traces/recording.js'
import { stoppable } from '../traces/stoppable.js'
import { fitFlowBundle, type FlowBundleOptions } from './flow-bundle.js'
import { playedSessions } from './flow-session.js'
import { UNTOLD, UNTOLD_OPTIONS, withLabelsOnly } from './labels-only.js'

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
  const sessionsSeen = (sight: Sight, onRead?: FlowFromFilesOptions['onRead']) =>
    playedSessions(stoppable(readRecordings(files, onRead), signal), unscoredStage(documents, sight))
  const told = await fitFlowBundle({
    ...common,
    sessions: sessionsSeen(models, onRead),
    ...(onPhase && { onPhase }),
  })
  if (!(await areReadAgain(files))) return told
  onPhase?.('labelsOnly')
  const sessions = sessionsSeen({ ...models, without: UNTOLD })
  return withLabelsOnly(told, await fitFlowBundle({ ...common, sessions, options: UNTOLD_OPTIONS }))
}

/** Where sessions are played for their features: under rules without scorers, which are what the scorers are fitted to. */
export function unscoredStage(documents: Documents, sight: Sight): Stage {
  const { flow: _scorers, labelsOnly: labelsOnly, ...bundle } = documents.bundle
  return {
    rules: compileRules({ ...documents, bundle }),
    observer: evaluationObserver(documents.catalogue, sight),
  }
}

/** Features of every session. */
export function tabulateCorpus(
  { recordings }: Pick<Corpus, 'recordings'>,
  documents: Documents,
  sight: Sight,
  onProgress?: (share: number) => void,
): SessionTable {
  const traces = recordings.map(({ blind }) => blind)
  return tabulateSessions(traces, unscoredStage(documents, sight), onProgress)
}
