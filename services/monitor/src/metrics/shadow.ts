import type { ShadowCounts } from '../shadow/index.js'
import { type Instruments, createBoundedLabel } from './specs.js'

/** Candidates that a process tells apart; each is some twenty series. */
const CANDIDATES_MAX = 10

/** Specs and other sources that are told apart. */
const CAUSES_MAX = 100

export function createShadowCounts(
  made: Pick<
    Instruments,
    | 'shadowSteps'
    | 'shadowDifference'
    | 'shadowCauses'
    | 'shadowErrors'
    | 'shadowSkipped'
    | 'shadowReleased'
    | 'shadowSessions'
    | 'shadowDropped'
  >,
): ShadowCounts {
  const candidateLabel = createBoundedLabel(CANDIDATES_MAX)
  const causeLabel = createBoundedLabel(CAUSES_MAX)
  return {
    compared: ({ name, shadow: { active, candidate }, change }) => {
      const version = candidateLabel(name)
      made.shadowSteps.inc({ version, active: active.verdict, candidate: candidate.verdict })
      made.shadowDifference.inc({ version }, Math.abs(candidate.probability - active.probability))
      if (!change) return
      for (const { source, code, how } of change.causes)
        made.shadowCauses.inc({ version, cause: causeLabel(`${source}:${code}`), how, change: change.kind })
    },
    failed: (candidate, reason) => made.shadowErrors.inc({ version: candidateLabel(candidate), reason }),
    skipped: (candidate) => made.shadowSkipped.inc({ version: candidateLabel(candidate) }),
    released: () => made.shadowReleased.inc({}),
    sessions: (sessions) => made.shadowSessions.set({}, sessions),
    dropped: (count) => made.shadowDropped.inc({}, count),
  }
}
