import { approvalRecord } from '@plimsoll/contracts'
import type { SubmitReview } from '@plimsoll/fleet'
import type { EventLog } from '@plimsoll/runtime'

/** Publishes what a simulated human says to a question, signed with `signingKey`. */
export function createReviewer(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): SubmitReview {
  return async ({ id: decisionId, eventId, sessionId, argumentsDigest, expiresAt = 0 }, review) => {
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const told = {
      ...review,
      ...asked,
      id: `${eventId}.review`,
      producer: 'plimsoll-cli',
      timeMs: Date.now(),
    }
    await log.produce(eventsTopic, [approvalRecord(told, signingKey)])
  }
}
