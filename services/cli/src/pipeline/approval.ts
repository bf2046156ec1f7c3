import { EVENT_SCHEMA, sign, type EventOf } from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'

type Approval = EventOf<'approval.resolved'>

export interface ApprovalTold extends Pick<
  Approval,
  'id' | 'sessionId' | 'decisionId' | 'argumentsDigest' | 'expiresAt' | 'resolution' | 'by'
> {
  readonly reason?: string | undefined
  readonly timeMs: number
}

/** The record for the events topic that tells, signed with `key`, what a human said. */
export function approvalRecord(told: ApprovalTold, key: string): OutgoingRecord {
  const { id, sessionId, decisionId, argumentsDigest, expiresAt, resolution, by, reason, timeMs } = told
  const event = sign<Approval>(
    {
      schema: EVENT_SCHEMA,
      type: 'approval.resolved',
      id,
      sessionId,
      producer: 'plimsoll-cli',
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
