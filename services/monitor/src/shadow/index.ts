import type { Comparison, ShadowFailure } from './compare.js'
import type { RulesCache } from '@plimsoll/policy'
import type { Folded } from '../fold/fold.js'
import {
  type CandidateMemoryLimits,
  type CandidateView,
  type ShadowSink,
  compareFolded,
  createCandidateMemories,
  isDifferent,
  recordOf,
} from './compare.js'
import { type ShadowWriterOptions, createShadowWriter } from './writer.js'

export { nameOf, type Comparison } from './compare.js'
export type { ShadowFailure } from './compare.js'

/** The candidate beside what is active. */
export interface ShadowComparison {
  /** Judges what was folded by the candidate of `view` too, where there is one; counts, and writes where it differs. Throws nothing. */
  compare(view: CandidateView, folded: Iterable<Folded>): void
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

export interface ShadowComparisonOptions
  extends Omit<ShadowWriterOptions, 'onDropped'>, Omit<CandidateMemoryLimits, 'onRelease'> {
  /** A cache of its own. */
  readonly rulesCache: Pick<RulesCache, 'rules'>
  readonly counts: ShadowCounts
}

export function createShadowComparison(options: ShadowComparisonOptions): ShadowComparison {
  const { rulesCache, counts, sessionsMax, cellsMax } = options
  const writer = createShadowWriter({ ...options, onDropped: counts.dropped })
  const sink: ShadowSink = {
    compared: (comparison) => {
      counts.compared(comparison)
      if (isDifferent(comparison.shadow)) writer.offer(recordOf(comparison))
    },
    failed: counts.failed,
    skipped: counts.skipped,
  }
  const memories = createCandidateMemories({ sessionsMax, cellsMax, onRelease: counts.released })
  const context = { rulesCache, memories, sink }
  return {
    compare: (view, folded) => {
      compareFolded(view, folded, context)
      counts.sessions(memories.size)
    },
    settled: writer.settled,
  }
}

/** Counts what a candidate in shadow says beside what is active. */
export interface ShadowCounts {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
  /** A step of a session of which the candidate's specs do not know what it did. */
  skipped(candidate: string): void
  /** A session is followed no more, for want of room. */
  released(): void
  /** So many sessions are followed now. */
  sessions(sessions: number): void
  /** Records of the shadow topic that were not written. */
  dropped(count: number): void
}
