import { randomUUID } from 'node:crypto'
import { EVENT_SCHEMA, PlimsollError, sign, type EventOf } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { Approve } from './approver.js'

type Approval = EventOf<'approval.resolved'>

/** Publishes what a user says, signed with the deployment's key, for the monitors to judge the step once more. */
export function createSignedApprover(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): Approve {
  return async ({ decision, callId }, { resolution, by, reason }) => {
    if (!decision) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { id: decisionId, sessionId, argumentsDigest, expiresAt = 0 } = decision
    const event = sign<Approval>(
      {
        schema: EVENT_SCHEMA,
        type: 'approval.resolved',
        id: `approval-${randomUUID()}`,
        sessionId,
        producer: 'plimsoll-gateway',
        // Approvals come from whoever is asked and are not numbered.
        seq: 0,
        time: Date.now(),
        decisionId,
        argumentsDigest,
        expiresAt,
        resolution,
        by,
        ...(reason !== undefined && { reason }),
      },
      signingKey,
    )
    await log.produce(eventsTopic, [{ key: sessionId, value: JSON.stringify(event) }])
  }
}
