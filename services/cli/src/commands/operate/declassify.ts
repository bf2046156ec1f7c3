import { type EventOf, eventSchema, sign } from '@plimsoll/contracts'
import { assertValid } from '@plimsoll/operations'
import { defineCommand, environmentOf, requiredText } from '../../command.js'
import { configOf, waitOption } from '../../deployment.js'
import { envelope, publishApart, sessionSettings } from './signed-event.js'

export const declassify = defineCommand({
  name: 'declassify',
  summary: 'declassifies data, so that a flow spec no longer blocks it',
  description:
    'Publishes a signed event into the log of the session. What the session has read so far no longer counts for this one spec. What it reads later does, and every other rule judges as before. With `--spec line` the line stops asking about each step that may send anything, as it does after a step with sensitive data was blocked. Waits until a monitor has applied it, and fails if the policy of the session has no such flow spec.',
  operands: [['<SESSION_ID>', 'the id of the session']],
  options: {
    spec: requiredText('ID', 'the flow spec, as decisions name it, or `line`'),
    by: requiredText('NAME', 'who grants it'),
    reason: requiredText('TEXT', 'why, for the record'),
    ...waitOption,
  },
  environment: environmentOf(sessionSettings),
  examples: [
    [
      "s-1 --spec no-customer-data-out --by ines --reason 'the customer asked for their file'",
      'the file may go out',
    ],
  ],
  async run({ spec, by, reason, wait }, [sessionId = ''], context) {
    const config = configOf(sessionSettings, context.env)
    const granted = {
      ...envelope('declassification', sessionId),
      type: 'declassification.granted',
      spec,
      by,
      reason,
    } as const
    const event = sign<EventOf<'declassification.granted'>>(granted, config.signingKey)
    assertValid(eventSchema, event)
    return publishApart(event, wait, context, `${sessionId}: declassified for ${spec} by ${by}`)
  },
})
