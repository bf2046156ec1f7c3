import { type EventOf, eventSchema, sign } from '@plimsoll/contracts'
import { assertValid } from '@plimsoll/operations'
import { defineCommand, environmentOf, requiredText, text } from '../../command.js'
import { configOf, waitOption } from '../../deployment.js'
import { envelope, publishApart, sessionSettings } from './signed-event.js'

/** The approvals for sessions are in their records: `plimsoll sessions show` lists them. */
export const approvalsRevoke = defineCommand({
  name: 'approvals revoke',
  summary: 'takes back an approval for a session',
  description:
    'Publishes a signed event into the log of the session: the approval lifts nothing from then on. `plimsoll sessions show` lists the approvals of a session, and decisions name them (`approval:ID`). Waits until a monitor has applied it. In `plimsoll mcp --decide here` an approval ends with the session.',
  operands: [
    ['<SESSION_ID>', 'the id of the session'],
    ['<APPROVAL_ID>', 'the id of the approval'],
  ],
  options: {
    by: requiredText('NAME', 'who revokes it'),
    reason: text('TEXT', 'why, for the record'),
    ...waitOption,
  },
  environment: environmentOf(sessionSettings),
  examples: [['s-1 approval-7f0c --by ines', 'the next step like it asks again']],
  async run({ by, reason, wait }, [sessionId = '', approval = ''], context) {
    const revoked = {
      ...envelope('revocation', sessionId),
      type: 'approval.revoked',
      approval,
      by,
      ...(reason !== undefined && { reason }),
    } as const
    const event = sign<EventOf<'approval.revoked'>>(
      revoked,
      configOf(sessionSettings, context.env).signingKey,
    )
    assertValid(eventSchema, event)
    return publishApart(event, wait, context, `${sessionId}: ${approval} revoked by ${by}`)
  },
})
