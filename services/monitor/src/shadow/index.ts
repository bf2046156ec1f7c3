import type { RuleShelf } from '@plimsoll/policy'
import type { Folded } from '../fold.js'
import type { ShadowCounts } from '../metrics/shadow.js'
import { compareFolded, type CandidateView, type ShadowSink } from './compare.js'
import { isDifferent, recordOf } from './record.js'
import { createShadowWriter, type ShadowWriterOptions } from './writer.js'

export { nameOf, type Comparison } from './record.js'
export type { ShadowFailure } from './compare.js'

/** The candidate beside what is active. */
export interface ShadowDesk {
  /** Judges what was folded by the candidate of `view` too, where there is one; counts, and writes where it differs. Throws nothing. */
  compare(view: CandidateView, folded: Iterable<Folded>): void
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

export interface ShadowDeskOptions extends Omit<ShadowWriterOptions, 'onDropped'> {
  /** A shelf of its own. */
  readonly shelf: Pick<RuleShelf, 'rules'>
  readonly counts: Pick<ShadowCounts, 'compared' | 'failed' | 'dropped'>
}

export function createShadowDesk({ shelf, counts, ...options }: ShadowDeskOptions): ShadowDesk {
  const writer = createShadowWriter({ ...options, onDropped: counts.dropped })
  const sink: ShadowSink = {
    compared: (comparison) => {
      counts.compared(comparison)
      if (isDifferent(comparison.shadow)) writer.offer(recordOf(comparison))
    },
    failed: counts.failed,
  }
  return {
    compare: (view, folded) => compareFolded(view, folded, shelf, sink),
    settled: writer.settled,
  }
}
