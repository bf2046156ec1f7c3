import {
  type Decision,
  type EventOf,
  type Reason,
  type Topics,
  DEAD_LETTER_HEADERS,
  PlimsollError,
  decisionSchema,
  eventSchema,
  parseJson,
} from '@plimsoll/contracts'
import { assertValid } from '@plimsoll/operations'
import type { EventLog, LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import type { Context, ExitCode } from '../../command.js'
import { inTime } from '../../deployment.js'
import { plainText } from '../../format/text.js'

/** Throws `usage_invalid`, naming each field, for an event that every monitor would refuse. */
export const assertCounts = ({ value }: OutgoingRecord): void => assertValid(eventSchema, parseJson(value))

/** The answer of the monitor to an approval: a decision, or a dead letter. */
export type MonitorAnswer =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'dead_letter'; readonly code: string; readonly message: string }

/** The decision in a record of the decisions topic, if it answers the approval `eventId`. */
export function decisionOn(eventId: string, { value }: LogRecord): MonitorAnswer | undefined {
  const { data: decision } = decisionSchema.safeParse(parseJson(value))
  return decision?.kind === 'approval' && decision.eventId === eventId
    ? { kind: 'decision', decision }
    : undefined
}

/** The code and the message in a record of the dead letters topic, if the approval `eventId` is in it. */
export function deadLetterOn(eventId: string, { value, headers }: LogRecord): MonitorAnswer | undefined {
  const event = parseJson(value)
  if (typeof event !== 'object' || event === null || !('id' in event) || event.id !== eventId)
    return undefined
  const { [DEAD_LETTER_HEADERS.code]: code = '', [DEAD_LETTER_HEADERS.message]: message = '' } = headers
  return { kind: 'dead_letter', code, message }
}

export interface AnswerWatch {
  /** The answer; undefined if none comes within `waitMs`, or the watch's signal aborts first. */
  answer(waitMs: number): Promise<MonitorAnswer | undefined>
}

/**
 * Watches for the monitor's answer to the event `eventId`, which the caller publishes afterwards: then no answer is missed. Rejects with
 * `log_unavailable` if the topics cannot be read, and with `closed` if `signal` aborts. Closing the log ends it.
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
      const end = () => settle(undefined)
      if (signal.aborted) end()
      signal.addEventListener('abort', end, { once: true })
      // Not `AbortSignal.timeout` within `AbortSignal.any`, which holds it weakly: once collected it never aborts.
      setTimeout(end, waitMs).unref()
      return settled
    },
  }
}

export type Resolution = EventOf<'approval.resolved'>['resolution']

/** What the command ends with; a failure is one line for stderr. */
export interface Verdict {
  readonly exitCode: ExitCode
  readonly text: string
  readonly failure?: string
}

/** The result of a published approval; `answer` is undefined if no monitor answered within `waitSeconds`. */
export function verdictOn(
  answer: MonitorAnswer | undefined,
  resolution: Resolution,
  waitSeconds: number,
): Verdict {
  if (!answer)
    return failed('', `published, but no monitor answered in time (${waitSeconds} s): it may still count`)
  if (answer.kind === 'dead_letter') return failed('', `${answer.code}: ${answer.message}`)
  const { decision } = answer
  const text = decisionText(decision)
  const { verdict, id } = decision
  if (verdict === 'confirm') return failed(text, `the step waits for an answer again, to decision \`${id}\``)
  if (verdict === 'block' && resolution === 'approved')
    return failed(text, 'the step stays blocked although it was approved')
  return { exitCode: 0, text }
}

const failed = (text: string, failure: string): Verdict => ({ exitCode: 1, text, failure })

function decisionText({ verdict, reasons }: Decision): string {
  const rows = [
    ['verdict', verdict] as const,
    ...reasons.map((each) => ['reason', reasonText(each)] as const),
  ]
  return rows.map(([name, value]) => `${name.padEnd(20)}  ${plainText(value)}\n`).join('')
}

function reasonText({ source, code, message, liftedBy }: Reason): string {
  return `${source}:${code}: ${message}${liftedBy === undefined ? '' : ` (lifted by ${liftedBy})`}`
}

/** Throws `usage_invalid` without a terminal. */
export async function isConfirmed(ask: Context['ask'], what: 'approve' | 'deny'): Promise<boolean> {
  if (!ask)
    throw new PlimsollError(
      'usage_invalid',
      'nothing was published: there is no terminal to ask on; `--yes` publishes without asking',
    )
  return /^\s*y(?:es)?\s*$/i.test(await ask(`${what}? [y/N] `))
}
