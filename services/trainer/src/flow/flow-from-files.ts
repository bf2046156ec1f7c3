import { versionOf, type Bundle, type Documents } from '@plimsoll/contracts'
import { shippedInstructionModel } from '@plimsoll/labels'
import { compileRules } from '@plimsoll/policy'
import { readCorpus, type Corpus } from '../evaluation/corpus.js'
import { tabulateSessions, type SessionTable } from '../features/session-table.js'
import { evaluationObserver, type Sight, type TextModels } from '../scoring/evaluation-observer.js'
import type { ReadProgress } from '../traces/read-traces.js'
import { fitFlowBundle } from './flow-bundle.js'

export interface FlowFromFilesOptions {
  readonly files: readonly string[]
  /** The catalogue that labels, and rules under which sessions are played: those of any bundle do. */
  readonly documents: Documents
  readonly name?: string
  readonly models?: TextModels
  readonly onRead?: (progress: ReadProgress) => void
  readonly onFeatures?: (share: number) => void
}

/**
 * Fits a bundle of the space `flow` to files of recorded sessions, all of which are held in memory as features: about 2 kB a step.
 *
 * @throws PlimsollError `traces_invalid`, naming file and line, or where no violated session is left
 */
export async function fitFlowFromFiles(options: FlowFromFilesOptions): Promise<Bundle> {
  const { files, documents, name = 'flow-observed', models = {} } = options
  const corpus = await readCorpus(files, options.onRead)
  const table = tabulateCorpus(corpus, documents, models, options.onFeatures)
  const madeWith = {
    catalogue: versionOf(documents.catalogue),
    instructions: versionOf(models.instructions ?? shippedInstructionModel()),
  }
  return fitFlowBundle({ corpus, table, name, madeWith })
}

/** Features of every session, under rules without scorers: they are what the scorers are fitted to. */
export function tabulateCorpus(
  { recordings }: Corpus,
  documents: Documents,
  sight: Sight,
  onProgress?: (share: number) => void,
): SessionTable {
  const { flow: _scorers, ...bundle } = documents.bundle
  const rules = compileRules({ ...documents, bundle })
  return tabulateSessions(
    recordings.map(({ blind }) => blind),
    { rules, observer: evaluationObserver(documents.catalogue, sight) },
    onProgress,
  )
}
