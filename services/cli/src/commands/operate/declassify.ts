import { randomUUID } from 'node:crypto'
import {
  type Event,
  type EventOf,
  EVENT_SCHEMA,
  PlimsollError,
  eventSchema,
  hashOfEvent,
  sign,
} from '@plimsoll/contracts'
import { recentOf } from '@plimsoll/engine'
import { assertValid, findSession } from '@plimsoll/operations'
import { type SessionStore, pause, redisSettings } from '@plimsoll/runtime'
import {
  type Context,
  type ExitCode,
  defineCommand,
  environmentOf,
  flag,
  requiredText,
  text,
} from '../../command.js'
import { configOf, openLog, openStore, signedSettings, waitOption, within } from '../../deployment.js'
import { plainText } from '../../format/text.js'
import { type AnswerWatch, type MonitorAnswer, watchAnswer } from './watch-answer.js'

/** What every signed event of an operator has; `seq` is 0, as in approvals: operators are not numbered. */
const envelope = (kind: string, sessionId: string) =>
  ({
    schema: EVENT_SCHEMA,
    id: `${kind}-${randomUUID()}`,
    sessionId,
    producer: 'plimsoll-cli',
    seq: 0,
    time: Date.now(),
  }) as const

const settings = { ...signedSettings, ...redisSettings }

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
  environment: environmentOf(settings),
  examples: [
    [
      "s-1 --spec no-customer-data-out --by ines --reason 'the customer asked for their file'",
      'the file may go out',
    ],
  ],
  async run({ spec, by, reason, wait }, [sessionId = ''], context) {
    const config = configOf(settings, context.env)
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
  environment: environmentOf(settings),
  examples: [['s-1 approval-7f0c --by ines', 'the next step like it asks again']],
  async run({ by, reason, wait }, [sessionId = '', approval = ''], context) {
    const revoked = {
      ...envelope('revocation', sessionId),
      type: 'approval.revoked',
      approval,
      by,
      ...(reason !== undefined && { reason }),
    } as const
    const event = sign<EventOf<'approval.revoked'>>(revoked, configOf(settings, context.env).signingKey)
    assertValid(eventSchema, event)
    return publishApart(event, wait, context, `${sessionId}: ${approval} revoked by ${by}`)
  },
})

/** Publishes a signed event of a session that has not ended, and waits until a monitor has applied it. */
async function publishApart(
  event: Event,
  waitSeconds: number,
  { env, stdout, stderr, signal }: Context,
  done: string,
): Promise<ExitCode> {
  const config = configOf(settings, env)
  const { sessionId } = event
  return within(async (onRelease) => {
    const store = openStore(config, onRelease)
    const session = await findSession(store, sessionId)
    if (!session) throw new PlimsollError('session_state_lost', `session \`${sessionId}\` has no record`)
    if (session.state.ended) throw new PlimsollError('session_ended', `session \`${sessionId}\` has ended`)
    const { log, topics } = openLog(config, onRelease)
    const watch = await watchAnswer(log, topics, event.id, signal)
    await log.produce(topics.events, [{ key: sessionId, value: JSON.stringify(event) }])
    const outcome = await outcomeOf(store, watch, event, waitSeconds * 1000, signal)
    const failure = failureOf(outcome, waitSeconds)
    if (failure !== undefined) {
      stderr.write(`plimsoll: ${plainText(failure)}\n`)
      return 1
    }
    stdout.write(`${plainText(done)}\n`)
    return 0
  })
}

const POLL_MS = 200

/** `applied` once the session's record contains `event`; else the dead letter, or undefined after `waitMs`. */
async function outcomeOf(
  store: Pick<SessionStore, 'load'>,
  watch: AnswerWatch,
  event: Event,
  waitMs: number,
  signal: AbortSignal,
): Promise<MonitorAnswer | 'applied' | undefined> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const poll = async (): Promise<'applied' | undefined> => {
    while (!until.aborted) {
      const session = await findSession(store, event.sessionId)
      if (session && recentOf(session.state, hashOfEvent(event))) return 'applied'
      await pause(POLL_MS, until)
    }
    return undefined
  }
  const applied = poll()
  try {
    return await Promise.race([watch.answer(waitMs), applied])
  } finally {
    over.abort()
    await applied
  }
}

function failureOf(answer: MonitorAnswer | 'applied' | undefined, waitSeconds: number): string | undefined {
  if (answer === 'applied') return undefined
  if (answer?.kind === 'dead_letter') return `${answer.code}: ${answer.message}`
  return `published, but no monitor applied it in time (${waitSeconds} s): it may still count`
}

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
