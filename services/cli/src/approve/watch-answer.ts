import type { Topics } from '@plimsoll/contracts'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { inTime } from '../pipeline/in-time.js'
import { deadLetterOn, decisionOn, type MonitorAnswer } from './answer.js'

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
  await inTime(signal, [topics.decisions, topics.deadLetters], (until) =>
    Promise.all([
      log.tail(topics.decisions, (record: LogRecord) => take(decisionOn(eventId, record)), { signal: until }),
      log.tail(topics.deadLetters, (record: LogRecord) => take(deadLetterOn(eventId, record)), {
        signal: until,
      }),
    ]),
  )
  return {
    answer: (waitMs) => {
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      if (over.aborted) settle(undefined)
      over.addEventListener('abort', () => settle(undefined), { once: true })
      return settled
    },
  }
}
