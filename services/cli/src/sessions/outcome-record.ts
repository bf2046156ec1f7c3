import { EVENT_SCHEMA, sign, type EventOf } from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'

type Labelled = EventOf<'session.labelled'>

export interface OutcomeTold extends Pick<Labelled, 'id' | 'sessionId' | 'violated' | 'by'> {
  readonly callId?: string | undefined
  readonly reason?: string | undefined
  readonly timeMs: number
}

/** The record for the events topic that tells, signed with `key`, what really happened in a session. */
export function outcomeRecord(told: OutcomeTold, key: string): OutgoingRecord {
  const { id, sessionId, violated, by, callId, reason, timeMs } = told
  const event = sign<Labelled>(
    {
      schema: EVENT_SCHEMA,
      type: 'session.labelled',
      id,
      sessionId,
      producer: 'plimsoll-cli',
      // As with approvals: whoever looked is not numbered.
      seq: 0,
      time: timeMs,
      violated,
      by,
      ...(callId !== undefined && { callId }),
      ...(reason !== undefined && { reason }),
    },
    key,
  )
  return { key: sessionId, value: JSON.stringify(event) }
}
