import type { Comparison, ShadowFailure } from '../shadow/index.js'
import { createBoundedLabel } from './bounded-label.js'
import type { Instruments } from './instruments.js'

/** Counts what a candidate in shadow says beside the active bundle. */
export interface ShadowCounts {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
  /** Records of the shadow topic that were not written. */
  dropped(count: number): void
}

/** Candidates that a process tells apart; each is some twenty series. */
const CANDIDATES_MAX = 10

export function createShadowCounts(
  made: Pick<Instruments, 'shadowSteps' | 'shadowDifference' | 'shadowErrors' | 'shadowDropped'>,
): ShadowCounts {
  const candidateLabel = createBoundedLabel(CANDIDATES_MAX)
  return {
    compared: ({ bundles, shadow: { active, candidate } }) => {
      const version = candidateLabel(bundles.candidate)
      made.shadowSteps.inc({ version, active: active.verdict, candidate: candidate.verdict })
      made.shadowDifference.inc({ version }, Math.abs(candidate.probability - active.probability))
    },
    failed: (candidate, reason) => made.shadowErrors.inc({ version: candidateLabel(candidate), reason }),
    dropped: (count) => made.shadowDropped.inc({}, count),
  }
}
