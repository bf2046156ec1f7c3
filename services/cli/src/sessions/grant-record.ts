import { EVENT_SCHEMA, sign, type EventOf } from '@plimsoll/contracts'

type Granted = EventOf<'declassification.granted'>

export interface Grant extends Pick<Granted, 'id' | 'sessionId' | 'spec' | 'by' | 'reason'> {
  readonly timeMs: number
}

/** The event, signed with `key`, by which a human lets go what a flow spec has seen come in. */
export function grantedEvent({ id, sessionId, spec, by, reason, timeMs }: Grant, key: string): Granted {
  return sign<Granted>(
    {
      schema: EVENT_SCHEMA,
      type: 'declassification.granted',
      id,
      sessionId,
      producer: 'plimsoll-cli',
      // As with approvals: whoever grants is not numbered.
      seq: 0,
      time: timeMs,
      spec,
      by,
      reason,
    },
    key,
  )
}
