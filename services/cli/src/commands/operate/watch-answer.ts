import { type Decision, type Topics, DEAD_LETTER_HEADERS, decisionSchema } from '@plimsoll/contracts'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { inTime } from '../../deployment.js'

/** What the monitor made of an approval: a decision, or a dead letter. */
export type MonitorAnswer =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'dead_letter'; readonly code: string; readonly message: string }

/** The decision in `record`, of the decisions topic, where it answers the approval `eventId`. */
export function decisionOn(eventId: string, { value }: LogRecord): MonitorAnswer | undefined {
  const { data: decision } = decisionSchema.safeParse(parseJson(value))
  return decision?.kind === 'approval' && decision.eventId === eventId
    ? { kind: 'decision', decision }
    : undefined
}

/** What `record`, of the dead letters topic, tells where it is the approval `eventId`. */
export function deadLetterOn(eventId: string, { value, headers }: LogRecord): MonitorAnswer | undefined {
  const event = parseJson(value)
  if (typeof event !== 'object' || event === null || !('id' in event) || event.id !== eventId)
    return undefined
  const { [DEAD_LETTER_HEADERS.code]: code = '', [DEAD_LETTER_HEADERS.message]: message = '' } = headers
  return { kind: 'dead_letter', code, message }
}

/** Anyone may have written there: what is no JSON is no answer. */
function parseJson(value: Buffer | null): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

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
