import { randomUUID } from 'node:crypto'
import { type EventOf, EVENT_SCHEMA, PlimsollError, sign, topicsOf } from '@plimsoll/contracts'
import { type OutgoingRecord, checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { assertCounts } from '../../approve/check-record.js'
import { defineCommand, environmentOf , flag, requiredText, text } from '../../command.js'
import { within } from '../../deployment.js'
import { signedSettings } from '../../deployment.js'

type Labelled = EventOf<'session.labelled'>

export interface OutcomeRecord extends Pick<Labelled, 'id' | 'sessionId' | 'violated' | 'by'> {
  readonly callId?: string | undefined
  readonly reason?: string | undefined
  readonly timeMs: number
}

/** The record for the events topic that tells, signed with `key`, what really happened in a session. */
export function outcomeRecord(reported: OutcomeRecord, key: string): OutgoingRecord {
  const { id, sessionId, violated, by, callId, reason, timeMs } = reported
  const event = sign<Labelled>(
    {
      schema: EVENT_SCHEMA,
      type: 'session.labelled',
      id,
      sessionId,
      producer: 'plimsoll-cli',
      // As with approvals: anyone who looked is not numbered.
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

export const sessionsLabel = defineCommand({
  name: 'sessions label',
  summary: 'says of a session what really happened, for `fit --topic`',
  description: 'Publishes a signed event into the session’s log. It changes no verdict: a fit to the log takes it for the truth. What is said later of the same session replaces earlier labels. A harmful session without a named step is left out of a fit.',
  operands: [['<SESSION_ID>', 'the id of the session']],
  options: {
    safe: flag('it did no harm'),
    violated: flag('it did harm'),
    call: text('CALL_ID', 'with `--violated`: the step that did it, by its call id in `sessions show`'),
    by: requiredText('NAME', 'who looked'),
    reason: text('TEXT', 'why, for the record'),
  },
  environment: environmentOf(signedSettings),
  examples: [
    ['s-1 --safe --by ines', 'somebody looked, and nothing was wrong'],
    ["s-2 --violated --call c-7 --by ines --reason 'sent the list to a stranger'", 'this step did it'],
  ],
  async run({ safe, violated, call: callId, by, reason }, [sessionId = ''], { env, stdout, stderr }) {
    if (safe === violated)
      throw new PlimsollError('usage_invalid', 'one of `--safe` and `--violated` is wanted')
    if (safe && callId !== undefined)
      throw new PlimsollError(
        'usage_invalid',
        '`--call` names the step that did harm: it goes with `--violated`',
      )
    const config = parseConfig(signedSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const id = `outcome-${randomUUID()}`
    const reported = { id, sessionId, violated, callId, by, reason, timeMs: Date.now() }
    const record = outcomeRecord(reported, config.signingKey)
    assertCounts(record)
    await within(async (onRelease) => {
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      await log.produce(topicsOf(config.topicPrefix).events, [record])
    })
    stdout.write(
      `${sessionId}: ${violated ? `did harm${callId === undefined ? '' : ` by ${callId}`}` : 'did no harm'}, says ${by}\n`,
    )
    if (violated && callId === undefined)
      stderr.write('plimsoll: without `--call` the harmful step is unknown: a fit leaves the session out\n')
    return 0
  },
})
