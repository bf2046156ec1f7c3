import type { SubmitReview } from '@plimsoll/fleet'
import type { EventLog } from '@plimsoll/runtime'
import { approvalRecord } from './approval.js'

/** Publishes what a simulated human says to a question, signed with `signingKey`. */
export function createReviewer(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): SubmitReview {
  return async ({ id: decisionId, eventId, sessionId, argumentsDigest, expiresAt = 0 }, review) => {
    const told = { ...review, id: `${eventId}.review`, sessionId, decisionId, argumentsDigest, expiresAt }
    await log.produce(eventsTopic, [approvalRecord({ ...told, timeMs: Date.now() }, signingKey)])
  }
}
