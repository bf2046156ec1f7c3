import { PlimsollError, type Topics } from '@plimsoll/contracts'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { deadLetterOn, decisionOn, type MonitorAnswer } from './answer.js'

/** How long it may take until the topics are read, milliseconds: Kafka lets a new group wait 3 s for more members. */
const JOIN_MS_MAX = 30_000

export interface AnswerWatch {
  /** The answer; undefined where none comes within `waitMs`, or before the watch's signal aborts. */
  answer(waitMs: number): Promise<MonitorAnswer | undefined>
}

/**
 * Watches for what the monitor makes of the approval `eventId`. Resolves when no answer to what is published after it can be missed;
 * rejects with `log_unavailable` where the topics cannot be read, and with `closed` where `signal` aborts. Closing the log ends it.
 */
export async function watchAnswer(
  log: Pick<EventLog, 'tail' | 'ping'>,
  topics: Topics,
  eventId: string,
  signal: AbortSignal,
): Promise<AnswerWatch> {
  let settle: (answer: MonitorAnswer | undefined) => void = () => {}
  const settled = new Promise<MonitorAnswer | undefined>((resolve) => (settle = resolve))
  const take = (answer: MonitorAnswer | undefined) => {
    if (answer) settle(answer)
  }
  // A tail would wait without end for a log that is away.
  await log.ping()
  await join(topics, signal, (until) => [
    log.tail(topics.decisions, (record: LogRecord) => take(decisionOn(eventId, record)), { signal: until }),
    log.tail(topics.deadLetters, (record: LogRecord) => take(deadLetterOn(eventId, record)), { signal: until }),
  ])
  return {
    answer: (waitMs) => {
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      if (over.aborted) settle(undefined)
      over.addEventListener('abort', () => settle(undefined), { once: true })
      return settled
    },
  }
}

/** Awaits the tails that `start` makes; the time that they have ends with their joining, for their signal ends them at any time. */
async function join(
  topics: Topics,
  signal: AbortSignal,
  start: (until: AbortSignal) => readonly Promise<unknown>[],
): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), JOIN_MS_MAX)
  try {
    await Promise.all(start(AbortSignal.any([signal, late.signal])))
  } catch (error) {
    if (!late.signal.aborted) throw error
    const names = `\`${topics.decisions}\` and \`${topics.deadLetters}\``
    const message = `${names} could not be read within ${JOIN_MS_MAX / 1000} s; nothing was published`
    throw new PlimsollError('log_unavailable', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
