import { randomUUID } from 'node:crypto'
import {
  type ApprovalScope,
  type ErrorCode,
  type Topics,
  DEAD_LETTER_HEADERS,
  ERRORS,
  PlimsollError,
  approvalRecord,
  parseJson,
} from '@plimsoll/contracts'
import type { Clock, EventLog, LogRecord } from '@plimsoll/runtime'
import type { Answered } from '../api.js'
import type { ApprovalAnswer, Question } from '../shapes.js'
import type { ReadStore, StoredQuestion } from '../store/read-store.js'

/** Longest wait for the decision on an answer, milliseconds. */
const DECISION_MS_MAX = 10_000
/** Longest wait for the event of an answer that was first, milliseconds. */
const ANSWER_MS_MAX = 2_000

/** Another answer was first. */
export class AnsweredBefore extends PlimsollError {
  readonly answered: ApprovalAnswer | undefined

  constructor(decisionId: string, answered: ApprovalAnswer | undefined) {
    const who = answered
      ? `\`${answered.by}\` has ${answered.resolution} it`
      : 'it waits for no answer any more'
    super('approval_unknown', `decision \`${decisionId}\`: ${who}`)
    this.answered = answered
  }
}

export interface AnswerRecord {
  readonly resolution: 'approved' | 'denied'
  readonly reason?: string | undefined
  readonly scope?: ApprovalScope | undefined
  /** Approves although not all arguments are shown. */
  readonly unseen?: boolean | undefined
}

export interface AnswersOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly topics: Pick<Topics, 'events'>
  readonly store: ReadStore
  /** Undefined: questions are shown and cannot be answered here. */
  readonly signingKey: string | undefined
  readonly clock: Clock
  /** Default: 10 s. */
  readonly decisionMsMax?: number
}

interface Waiting {
  readonly eventId: string
  readonly answer: ApprovalAnswer
  readonly settle: (refusal?: PlimsollError) => void
}

export type Answers = ReturnType<typeof createAnswers>

/** Answers questions with signed events, one at a time each, and waits for the monitor's decision. */
export function createAnswers(options: AnswersOptions) {
  const { log, topics, store, signingKey, clock, decisionMsMax = DECISION_MS_MAX } = options
  /** Answers without a decision, by the question's decision id. */
  const waiting = new Map<string, Waiting>()
  /** Called when more of the log has been taken in. */
  const applied = new Set<() => void>()

  async function answer(found: StoredQuestion, by: string, given: AnswerRecord): Promise<Answered> {
    const { question } = found
    const { decisionId } = question
    if (found.closed) throw new AnsweredBefore(decisionId, found.closed.by.answer)
    const before = waiting.get(decisionId)
    if (before) throw new AnsweredBefore(decisionId, before.answer)
    assertAnswerable(question, given, clock.now())
    if (signingKey === undefined)
      throw new PlimsollError('forbidden', 'this console has no signing key: set `PLIMSOLL_SIGNING_KEY`')
    const eventId = `approval-${randomUUID()}`
    const { resolution, reason, scope = 'once' } = given
    const made: ApprovalAnswer = {
      resolution,
      by,
      at: clock.now(),
      scope,
      ...(reason !== undefined && { reason }),
    }
    const decided = waitFor(decisionId, eventId, made)
    try {
      const { sessionId, argumentsDigest, expiresAt } = question
      const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
      const event = { ...asked, id: eventId, producer: 'plimsoll-console', timeMs: made.at }
      await log.produce(topics.events, [
        approvalRecord({ ...event, resolution, reason, by, ...(scope !== 'once' && { scope }) }, signingKey),
      ])
      await decided
    } finally {
      waiting.get(decisionId)?.settle()
    }
    return resultOf(await closedQuestion(decisionId, eventId), eventId, made)
  }

  /** The question, with the answer that closed it: the decision may be read before the answer's event, which is in another topic. */
  async function closedQuestion(decisionId: string, eventId: string): Promise<StoredQuestion | undefined> {
    const late = AbortSignal.timeout(ANSWER_MS_MAX)
    for (;;) {
      const found = await store.question(decisionId)
      const by = found?.closed?.by
      if (!by || by.eventId === eventId || by.answer || late.aborted) return found
      await new Promise<void>((resolve) => {
        applied.add(resolve)
        late.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  /** Resolves when the question is closed or the time is over; rejects if the monitors refuse the answer. */
  function waitFor(decisionId: string, eventId: string, given: ApprovalAnswer): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (refusal?: PlimsollError): void => {
        clearTimeout(timer)
        waiting.delete(decisionId)
        if (refusal) reject(refusal)
        else resolve()
      }
      const timer = setTimeout(settle, decisionMsMax)
      waiting.set(decisionId, { eventId, answer: given, settle })
    })
  }

  return {
    answer,
    /** More of the log has been taken in; it closed these questions. */
    applied: (closed: Iterable<string>): void => {
      for (const id of closed) waiting.get(id)?.settle()
      for (const resolve of applied) resolve()
      applied.clear()
    },
    /** Takes a record of the dead letters: an answer that the monitors refused. */
    receiveDeadLetter: (record: LogRecord): void => {
      if (waiting.size === 0) return
      const event = parseJson(record.value)
      if (typeof event !== 'object' || event === null || !('id' in event)) return
      for (const each of waiting.values()) if (each.eventId === event.id) each.settle(refusalIn(record))
    },
  }
}

function refusalIn({ headers }: LogRecord): PlimsollError {
  const { [DEAD_LETTER_HEADERS.code]: code = '', [DEAD_LETTER_HEADERS.message]: message = '' } = headers
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'approval_mismatch'
  return new PlimsollError(known, message === '' ? 'the monitors refused the answer' : message)
}

function assertAnswerable(question: Question, given: AnswerRecord, nowMs: number): void {
  const { decisionId, expiresAt, scopes, tool } = question
  const { resolution, scope = 'once', reason, unseen = false } = given
  if (expiresAt <= nowMs)
    throw new PlimsollError(
      'approval_expired',
      `decision \`${decisionId}\` has expired: the agent may propose the step again`,
    )
  if (resolution === 'denied') {
    if (reason === undefined || reason.trim() === '')
      throw new PlimsollError('schema_invalid', 'reason: say why you deny it: the agent gets the reason')
    return
  }
  if (!scopes.includes(scope))
    throw new PlimsollError(
      'schema_invalid',
      `scope: the policy permits only ${scopes.map((each) => `\`${each}\``).join(', ')} for decision \`${decisionId}\``,
    )
  if (!question.arguments.isWhole && !unseen)
    throw new PlimsollError(
      'arguments_unseen',
      `you cannot see here all that \`${tool}\` would do: of its arguments, ${question.arguments.problem ?? 'some are not shown'}. Deny it, or say that you approve it unseen`,
    )
}

function resultOf(found: StoredQuestion | undefined, eventId: string, answer: ApprovalAnswer): Answered {
  const closed = found?.closed
  if (!closed) return { answer }
  const { by } = closed
  if (by.eventId !== eventId) throw new AnsweredBefore(found.question.decisionId, by.answer)
  return { answer, ...(by.verdict && { verdict: by.verdict }) }
}
