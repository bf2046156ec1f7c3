import { randomUUID } from 'node:crypto'
import { approvalRecord, PlimsollError } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { Approve } from './approver.js'

/** Publishes what a user says, signed with the deployment's key, for the monitors to judge the step once more. */
export function createSignedApprover(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): Approve {
  return async ({ decision, callId }, said) => {
    if (!decision) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { id: decisionId, sessionId, argumentsDigest, expiresAt = 0 } = decision
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const id = `approval-${randomUUID()}`
    const told = { ...asked, ...said, id, producer: 'plimsoll-gateway', timeMs: Date.now() }
    await log.produce(eventsTopic, [approvalRecord(told, signingKey)])
  }
}
