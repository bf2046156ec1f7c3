import { sign, type Decision, type EventOf } from '@plimsoll/contracts'
import { SIGNING_KEY } from './signing-key.js'

type Approval = EventOf<'approval.resolved'>

/** Ada's signed approval of the request in `decision`; given members override the defaults. */
export function approvalOf(decision: Decision, over: Partial<Approval> = {}, key = SIGNING_KEY): Approval {
  return sign<Approval>(
    {
      schema: 1,
      id: `approval-${decision.callId}`,
      sessionId: decision.sessionId,
      producer: 'approver',
      seq: 0,
      time: 0,
      type: 'approval.resolved',
      decisionId: decision.id,
      argumentsDigest: decision.argumentsDigest,
      expiresAt: decision.expiresAt ?? 0,
      resolution: 'approved',
      by: 'ada',
      ...over,
    },
    key,
  )
}
