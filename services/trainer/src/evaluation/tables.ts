import type { Documents } from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import type { SessionTable } from '../features/session-table.js'
import { foldDetector, madeUpDetector, type Detector } from '../flow/detector.js'
import { tabulateCorpus } from '../flow/flow-from-files.js'
import type { TextModels } from '../scoring/evaluation-observer.js'
import type { Corpus } from './corpus.js'

export interface TablesOptions {
  readonly documents: Documents
  readonly detector: Detector
  /** What clients are taken not to see. */
  readonly without?: readonly ObserverPart[]
  readonly onProgress?: (share: number, note: string) => void
}

/** Features of all sessions: made once, or anew in each fold where the detector is fitted in it. */
export function tablesFor(
  { documents, detector, without = [], onProgress }: TablesOptions,
  corpus: Corpus,
): (training: readonly number[]) => SessionTable {
  const tabulate = (models: TextModels): SessionTable =>
    tabulateCorpus(corpus, documents, { ...models, without }, (share) =>
      onProgress?.(0, `features of ${Math.floor(100 * share)}% of the sessions`),
    )
  const isRead = !without.includes('instructions')
  if (isRead && detector === 'fold')
    return (training) => tabulate({ instructions: foldDetector(corpus, training) })
  const table = tabulate(isRead && detector === 'made-up' ? { instructions: madeUpDetector() } : {})
  return () => table
}
