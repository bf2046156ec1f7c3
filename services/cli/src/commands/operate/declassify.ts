import { randomUUID } from 'node:crypto'
import {
  type Event,
  type EventOf,
  EVENT_SCHEMA,
  PlimsollError,
  hashOfEvent,
  sign,
  topicsOf,
} from '@plimsoll/contracts'
import { recentOf } from '@plimsoll/engine'
import { type StoredSession, findSession } from '@plimsoll/operations'
import { type SessionStore, checkKafkaSettings, parseConfig, pause, redisSettings } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { assertCounts } from '../../approve/check-record.js'
import { type AnswerWatch, type MonitorAnswer, watchAnswer } from './watch-answer.js'
import { defineCommand, environmentOf , requiredText } from '../../command.js'
import { plainText } from '../../format/text.js'
import { within } from '../../deployment.js'
import { signedSettings, waitOption } from '../../deployment.js'

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
      // As with approvals: anyone who grants is not numbered.
      seq: 0,
      time: timeMs,
      spec,
      by,
      reason,
    },
    key,
  )
}

const settings = { ...signedSettings, ...redisSettings }

export const declassify = defineCommand({
  name: 'declassify',
  summary:
    'declassifies data for a flow spec, so that the spec no longer blocks it; or ends that the line asks about each step',
  description: 'Publishes a signed event into the session’s log. What the session has read so far counts no more for this one spec; what it reads from then on does, and every other spec, the line and the forward risk judge as before. Waits until a monitor has taken it, and fails where it was set aside: the policy that the session is pinned to has no such flow spec. With `--spec line` the line stops asking about each step that may send anything, as it does once a step was blocked with sensitive data in it; what the session has read stays sensitive.',
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
  async run({ spec, by, reason, wait }, [sessionId = ''], { env, stdout, stderr, signal }) {
    const config = parseConfig(settings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const id = `declassification-${randomUUID()}`
    const event = grantedEvent({ id, sessionId, spec, by, reason, timeMs: Date.now() }, config.signingKey)
    const record = { key: sessionId, value: JSON.stringify(event) }
    assertCounts(record)
    return within(async (onRelease) => {
      const store = createRedisStore({ url: config.redisUrl, prefix: config.topicPrefix })
      onRelease(() => store.close())
      assertOpen(await findSession(store, sessionId), sessionId)
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const topics = topicsOf(config.topicPrefix)
      const watch = await watchAnswer(log, topics, id, signal)
      await log.produce(topics.events, [record])
      const failure = failureOf(await outcomeOf(store, watch, event, wait * 1000, signal), wait)
      if (failure !== undefined) {
        stderr.write(`plimsoll: ${plainText(failure)}\n`)
        return 1
      }
      stdout.write(`${plainText(`${sessionId}: declassified for ${spec} by ${by}`)}\n`)
      return 0
    })
  },
})

function assertOpen(session: StoredSession | undefined, id: string): void {
  if (!session) throw new PlimsollError('session_state_lost', `session \`${id}\` has no record`)
  if (session.state.ended) throw new PlimsollError('session_ended', `session \`${id}\` has ended`)
}

const POLL_MS = 200

/** `taken` once the session's record has heard of `event`; else the dead letter, or nothing in time. */
async function outcomeOf(
  store: Pick<SessionStore, 'load'>,
  watch: AnswerWatch,
  event: Event,
  waitMs: number,
  signal: AbortSignal,
): Promise<MonitorAnswer | 'taken' | undefined> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const taken = async (): Promise<'taken' | undefined> => {
    while (!until.aborted) {
      const session = await findSession(store, event.sessionId)
      if (session && recentOf(session.state, hashOfEvent(event))) return 'taken'
      await pause(POLL_MS, until)
    }
    return undefined
  }
  const looking = taken()
  try {
    return await Promise.race([watch.answer(waitMs), looking])
  } finally {
    over.abort()
    await looking
  }
}

function failureOf(answer: MonitorAnswer | 'taken' | undefined, waitSeconds: number): string | undefined {
  if (answer === 'taken') return undefined
  if (answer?.kind === 'dead_letter') return `${answer.code}: ${answer.message}`
  return `published, but no monitor took it in time (${waitSeconds} s): it may still count`
}
