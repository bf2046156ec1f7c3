import { EVENT_SCHEMA, type EventOf } from './events.js'
import { sign } from './signing.js'

type Approval = EventOf<'approval.resolved'>

/** What a human said to a question, and who publishes it. */
export interface ApprovalTold extends Pick<
  Approval,
  'id' | 'sessionId' | 'decisionId' | 'argumentsDigest' | 'expiresAt' | 'resolution' | 'by' | 'producer'
> {
  readonly reason?: string | undefined
  readonly timeMs: number
}

/** The record for the topic of events that tells, signed with the deployment's `key`, what a human said. */
export function approvalRecord(
  told: ApprovalTold,
  key: string,
): { readonly key: string; readonly value: string } {
  const { id, sessionId, decisionId, argumentsDigest, expiresAt, resolution, by, reason, timeMs } = told
  const event = sign<Approval>(
    {
      schema: EVENT_SCHEMA,
      type: 'approval.resolved',
      id,
      sessionId,
      producer: told.producer,
      // Approvals come from whoever is asked and are not numbered.
      seq: 0,
      time: timeMs,
      decisionId,
      argumentsDigest,
      expiresAt,
      resolution,
      by,
      ...(reason !== undefined && { reason }),
    },
    key,
  )
  return { key: sessionId, value: JSON.stringify(event) }
}
