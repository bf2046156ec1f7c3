import { PlimsollError, type Topics } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import { deadLetterOf, decisionOn, type MonitorAnswer } from './answer.js'

/** How long it may take until the topics are read, milliseconds: Kafka lets a new group wait 3 s for more members. */
const JOIN_MS_MAX = 30_000

export interface AnswerWatch {
  /** The answer; undefined where none comes within `waitMs`, or before `signal` aborts. */
  answer(waitMs: number): Promise<MonitorAnswer | undefined>
}

/**
 * Watches for what the monitor makes of the approval `eventId`. Resolves when no answer to what is published after it can be missed;
 * rejects with `log_unavailable` where the topics cannot be read. Closing the log ends it.
 */
export async function watchAnswer(
  log: Pick<EventLog, 'tail' | 'ping'>,
  topics: Topics,
  eventId: string,
  signal: AbortSignal,
): Promise<AnswerWatch> {
  let found: (answer: MonitorAnswer | undefined) => void = () => {}
  const seen = new Promise<MonitorAnswer | undefined>((resolve) => (found = resolve))
  const takeFrom = (read: typeof decisionOn) => (record: Parameters<typeof decisionOn>[1]) => {
    const answer = read(eventId, record)
    if (answer) found(answer)
  }
  // A tail would wait for a log that is away without end.
  await log.ping()
  const joining = AbortSignal.timeout(JOIN_MS_MAX)
  const tails = [
    tailUntil(joining, signal, (until) => log.tail(topics.decisions, takeFrom(decisionOn), until)),
    tailUntil(joining, signal, (until) => log.tail(topics.deadLetters, takeFrom(deadLetterOf), until)),
  ]
  await joined(Promise.all(tails), joining, topics)
  return {
    answer: async (waitMs) => {
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      over.addEventListener('abort', () => found(undefined), { once: true })
      if (over.aborted) found(undefined)
      return seen
    },
  }
}

/** The signal of a tail ends it for good, so that the time to join must not count once it has joined. */
async function tailUntil<T>(
  joining: AbortSignal,
  signal: AbortSignal,
  tail: (until: AbortSignal) => Promise<T>,
): Promise<void> {
  const abort = new AbortController()
  const end = () => abort.abort()
  const causes = [joining, signal]
  for (const cause of causes) cause.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    await tail(abort.signal)
  } finally {
    for (const cause of causes) cause.removeEventListener('abort', end)
  }
}

async function joined(tails: Promise<unknown>, joining: AbortSignal, topics: Topics): Promise<void> {
  try {
    await tails
  } catch (error) {
    if (!joining.aborted) throw error
    const message = `\`${topics.decisions}\` and \`${topics.deadLetters}\` could not be read within ${JOIN_MS_MAX / 1000} s; nothing was published`
    throw new PlimsollError('log_unavailable', message, { cause: error })
  }
}
