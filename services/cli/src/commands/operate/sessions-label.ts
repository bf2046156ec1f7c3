import { type EventOf, PlimsollError, eventSchema, sign } from '@plimsoll/contracts'
import { assertValid } from '@plimsoll/operations'
import { defineCommand, environmentOf, flag, requiredText, text } from '../../command.js'
import { configOf, openLog, signedSettings, within } from '../../deployment.js'
import { envelope } from './signed-event.js'

export const sessionsLabel = defineCommand({
  name: 'sessions label',
  summary: 'records what really happened in a session, for `fit --topic`',
  description:
    'Publishes a signed event into the log of the session. It changes no verdict: a fit to the log takes it as the truth. A later label replaces an earlier one. A fit leaves out a harmful session without a named step.',
  operands: [['<SESSION_ID>', 'the id of the session']],
  options: {
    safe: flag('it did no harm'),
    violated: flag('it did harm'),
    call: text('CALL_ID', 'with `--violated`: the step that did it, by its call id in `sessions show`'),
    by: requiredText('NAME', 'who labels it'),
    reason: text('TEXT', 'why, for the record'),
  },
  environment: environmentOf(signedSettings),
  examples: [
    ['s-1 --safe --by ines', 'ines looked, and nothing was wrong'],
    ["s-2 --violated --call c-7 --by ines --reason 'sent the list to a stranger'", 'this step did it'],
  ],
  async run({ safe, violated, call: callId, by, reason }, [sessionId = ''], { env, stdout, stderr }) {
    if (safe === violated) throw new PlimsollError('usage_invalid', 'give one of `--safe` and `--violated`')
    if (safe && callId !== undefined)
      throw new PlimsollError('usage_invalid', '`--call` names the step that did harm: it needs `--violated`')
    const config = configOf(signedSettings, env)
    const optional = { ...(callId !== undefined && { callId }), ...(reason !== undefined && { reason }) }
    const labelled = {
      ...envelope('outcome', sessionId),
      type: 'session.labelled',
      violated,
      by,
      ...optional,
    } as const
    const event = sign<EventOf<'session.labelled'>>(labelled, config.signingKey)
    assertValid(eventSchema, event)
    await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      await log.produce(topics.events, [{ key: sessionId, value: JSON.stringify(event) }])
    })
    const harm = `did harm${callId === undefined ? '' : ` by ${callId}`}`
    stdout.write(`${sessionId}: ${violated ? harm : 'did no harm'}, says ${by}\n`)
    if (violated && callId === undefined)
      stderr.write('plimsoll: without `--call` the harmful step is unknown: a fit leaves the session out\n')
    return 0
  },
})
