import type { ClaimedLabels } from '@plimsoll/contracts'
import type { NaiveProposal } from './naive-history.js'
import type { NaiveLabels } from './naive-labels.js'

/** Where values were seen: in trusted or in untrusted results. */
export function createValueReading() {
  const seen = new Map<string, Set<string>>()
  const sources = new Map<string, boolean>()
  return {
    /** A call that may still return a result. */
    opened({ trust }: NaiveLabels, { callId }: NaiveProposal, isLabelled: boolean): void {
      sources.set(callId, trust === 'untrusted' || !isLabelled)
    },
    read(callId: string, values: readonly string[] = [], claimed: ClaimedLabels = {}): void {
      const isUntrusted = sources.get(callId) === true || claimed.trust === 'untrusted'
      for (const value of values)
        seen.set(value, (seen.get(value) ?? new Set()).add(isUntrusted ? 'untrusted' : 'trusted'))
    },
    /** Whether values are reported and all occur in trusted results. */
    isTrusted: (values: readonly string[] = []): boolean =>
      values.length > 0 && values.every((value) => seen.get(value)?.has('trusted')),
  }
}
