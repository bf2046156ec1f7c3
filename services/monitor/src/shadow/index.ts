import type { RulesCache } from '@plimsoll/policy'
import type { Folded } from '../fold.js'
import type { ShadowCounts } from '../metrics/shadow.js'
import {
  type CandidateView,
  type FollowedLimits,
  type ShadowSink,
  compareFolded,
  createFollowedSessions,
  isDifferent,
  recordOf,
} from './compare.js'
import { type ShadowWriterOptions, createShadowWriter } from './writer.js'

export { nameOf, type Comparison } from './compare.js'
export type { ShadowFailure } from './compare.js'

/** The candidate beside what is active. */
export interface ShadowDesk {
  /** Judges what was folded by the candidate of `view` too, where there is one; counts, and writes where it differs. Throws nothing. */
  compare(view: CandidateView, folded: Iterable<Folded>): void
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

export interface ShadowDeskOptions
  extends Omit<ShadowWriterOptions, 'onDropped'>, Omit<FollowedLimits, 'onLetGo'> {
  /** A shelf of its own. */
  readonly shelf: Pick<RulesCache, 'rules'>
  readonly counts: ShadowCounts
}

export function createShadowDesk(options: ShadowDeskOptions): ShadowDesk {
  const { shelf, counts, sessionsMax, cellsMax } = options
  const writer = createShadowWriter({ ...options, onDropped: counts.dropped })
  const sink: ShadowSink = {
    compared: (comparison) => {
      counts.compared(comparison)
      if (isDifferent(comparison.shadow)) writer.offer(recordOf(comparison))
    },
    failed: counts.failed,
    unfollowed: counts.unfollowed,
  }
  const followed = createFollowedSessions({ sessionsMax, cellsMax, onLetGo: counts.letGo })
  const ground = { shelf, followed, sink }
  return {
    compare: (view, folded) => {
      compareFolded(view, folded, ground)
      counts.following(followed.size)
    },
    settled: writer.settled,
  }
}
