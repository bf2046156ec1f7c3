import { type Topics, PlimsollError } from '@plimsoll/contracts'
import { appealDecision } from '@plimsoll/operations'
import type { Clock, EventLog } from '@plimsoll/runtime'
import type { AppealRequest, Appealed } from '../api.js'
import type { ReadStore } from '../store/read-store.js'

export interface AppealsOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly store: Pick<ReadStore, 'decisionOffset'>
  /** Undefined: nobody can appeal here. */
  readonly signingKey: string | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Records that the decision on a step was wrong, as `plimsoll appeal` does. */
export type AppealStep = (decisionId: string, given: AppealRequest, by: string) => Promise<Appealed>

export function createAppealStep(options: AppealsOptions): AppealStep {
  const { log, topics, store, signingKey, clock, signal } = options
  return async (decisionId, { expected, reason }, by) => {
    if (signingKey === undefined)
      throw new PlimsollError('forbidden', 'this console has no signing key: set `PLIMSOLL_SIGNING_KEY`')
    const place = { log, topics, signingKey, producer: 'plimsoll-console', now: () => clock.now() }
    const offset = await store.decisionOffset(decisionId)
    // Else all that the partition keeps would be read, for any text that somebody sends.
    if (offset === undefined) throw unknownDecision(decisionId)
    const event = await appealDecision(
      place,
      decisionId,
      { by, expected, reason },
      { signal, offset: BigInt(offset) },
    )
    return {
      appeal: {
        expected: event.expected,
        by,
        at: event.time,
        ...(event.reason !== undefined && { reason: event.reason }),
      },
    }
  }
}

export const unknownDecision = (decisionId: string): PlimsollError =>
  new PlimsollError('approval_unknown', `no decision \`${decisionId.slice(0, 400)}\` on a step is known here`)
