import { randomUUID } from 'node:crypto'
import { type Event, EVENT_SCHEMA, PlimsollError, hashOfEvent } from '@plimsoll/contracts'
import { recentOf } from '@plimsoll/engine'
import { findSession } from '@plimsoll/operations'
import { type SessionStore, pause, redisSettings } from '@plimsoll/runtime'
import type { Context, ExitCode } from '../../command.js'
import { configOf, openLog, openStore, signedSettings, within } from '../../deployment.js'
import { plainText } from '../../format/text.js'
import { type AnswerWatch, type MonitorAnswer, watchAnswer } from './watch-answer.js'

/** What every signed event of an operator has; `seq` is 0, as in approvals: operators are not numbered. */
export const envelope = (kind: string, sessionId: string) =>
  ({
    schema: EVENT_SCHEMA,
    id: `${kind}-${randomUUID()}`,
    sessionId,
    producer: 'plimsoll-cli',
    seq: 0,
    time: Date.now(),
  }) as const

/** Settings of a command that publishes a signed event and reads the session's record. */
export const sessionSettings = { ...signedSettings, ...redisSettings }

/** Publishes a signed event of a session that has not ended, and waits until a monitor has applied it. */
export async function publishApart(
  event: Event,
  waitSeconds: number,
  { env, stdout, stderr, signal }: Context,
  done: string,
): Promise<ExitCode> {
  const config = configOf(sessionSettings, env)
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
