import { handoverOf } from '../observe/handover.js'
import { frozenArguments } from '../observe/observe-texts.js'
import type { Approvals } from '../pending/approvals.js'
import type { OpenCalls, OpenCallTerms } from '../pending/open-calls.js'
import { type Answer, StepBlocked, isWaiting } from '../answer.js'
import type {
  Approval,
  AskOptions,
  Execute,
  OnConfirm,
  ProposedStep,
  RunOptions,
  Session,
  StepResult,
} from '../session.js'
import type { Counters } from '../transport/receiver.js'
import { warnOf } from '../transport/trace.js'
import { handleRejections } from '../wait.js'

/** Whether an approval request ended without an answer. */
const isExpired = ({ by, decision }: Answer): boolean =>
  by === 'fail_closed' || (decision?.reasons ?? []).some(({ code }) => code === 'approval_expired')

/** `answer` with the reasons of `asked` if both are of one decision: those name what the step does something to. */
function withNames(asked: Answer, answer: Answer): Answer {
  const { decision } = answer
  if (!decision || decision.id !== asked.decision?.id) return answer
  return { ...answer, decision: { ...decision, reasons: asked.decision.reasons } }
}

type Human = (asked: Answer, terms: AskOptions) => Promise<Answer>

/** Asks the human whom `onConfirm` reaches, then waits for those who answer elsewhere. */
function createHuman({ resolution, approve, onConfirm: byDefault }: SessionParts): Human {
  async function pass(asked: Answer, onConfirm: OnConfirm): Promise<void> {
    try {
      const reply = await onConfirm(asked)
      if (reply === undefined) return
      if (!approve) throw new TypeError(`its reply is not used here: ${NOT_SIGNED}`)
      approve(asked, typeof reply === 'string' ? { resolution: reply, by: 'onConfirm' } : reply)
    } catch (error) {
      warnOf('onConfirm', error)
    }
  }

  /** The answer that came while `onConfirm` was asking; undefined if it gave none. */
  async function answerDuring(asked: Answer, onConfirm: OnConfirm, signal: AbortSignal | undefined) {
    const silence = new AbortController()
    const wait = resolution(asked, { signal: anyOf(signal, silence.signal) })
    const replied = pass(asked, onConfirm).then(() => undefined)
    try {
      return await Promise.race([wait, replied])
    } finally {
      silence.abort()
    }
  }

  return async (asked, { onConfirm = byDefault, approvalMs = 0, signal }) => {
    const known = await resolution(asked, { timeoutMs: 0, signal })
    if (!isWaiting(known)) return known
    const answer = onConfirm && (await answerDuring(asked, onConfirm, signal))
    return answer ?? resolution(asked, { timeoutMs: approvalMs, signal })
  }
}

const NOT_SIGNED = 'approvals of this client are signed elsewhere, for example by `plimsoll approve`'

const anyOf = (given: AbortSignal | undefined, own: AbortSignal): AbortSignal =>
  given ? AbortSignal.any([given, own]) : own

/** How long `ask` waits for open calls by default, milliseconds. */
const PREREQUISITES_MS = 60_000

export interface SessionParts extends Omit<Session, 'ask' | 'run'> {
  readonly calls: OpenCalls
  readonly approvals: Approvals
  readonly counters: Counters
  readonly now: () => number
  /** The digest of a step's arguments. A gateway makes another one for its decisions. */
  readonly digestOf: (step: ProposedStep) => string
  /** Passes on a human's answer; undefined where approvals are signed elsewhere. */
  readonly approve: ((asked: Answer, approval: Approval) => void) | undefined
  /** The default of `ask`. */
  readonly onConfirm: OnConfirm | undefined
}

/** The session that callers hold: `ask` and `run` on top of `propose`, `resolution` and `complete`. */
export function createSession(options: SessionParts): Session {
  const { calls, approvals, counters, now, digestOf, approve: _, onConfirm: __, ...parts } = options
  const { propose, complete } = parts
  const human = createHuman(options)
  /** What a step is asked for again by: its arguments and its claims. */
  const keyOf = (step: ProposedStep): string => JSON.stringify([digestOf(step), step.labels, step.evidence])

  async function ask(step: ProposedStep, terms: AskOptions = {}): Promise<Answer> {
    const earlier = await askedBefore(step, terms)
    if (earlier) return earlier
    const { timeoutMs, prerequisitesMs = PREREQUISITES_MS, signal } = terms
    const deadline = now() + prerequisitesMs
    for (let attempt = 0; ; attempt++) {
      // With room the step is proposed at once, before anything asked later.
      if (calls.isFull()) await calls.whenRoom({ timeoutMs: deadline - now(), signal, attempt })
      const asked = await propose(step, { timeoutMs, signal }).finally(calls.release)
      const answer = await resolved(asked, step, terms)
      if (answer.mayRun || answer.verdict !== 'block') return answer
      if (!(await mayAskAgain(answer, { timeoutMs: deadline - now(), signal, attempt }))) return answer
    }
  }

  /** The answer of the same step that was left waiting for a human; undefined if there is none, or it has expired. */
  async function askedBefore(step: ProposedStep, terms: AskOptions): Promise<Answer | undefined> {
    const relative = step.relative && handoverOf(step.relative)
    let key: string | undefined
    const waiting = approvals.take(step.tool, () => (key ??= keyOf(step)), relative)
    if (!waiting) return undefined
    calls.opened(waiting.callId)
    const answer = await resolved(waiting, step, terms)
    return isExpired(answer) ? undefined : answer
  }

  /**
   * Waits for what blocks a step only for now: calls that must be over first, or too many open calls. Not for calls that were left
   * waiting for a human.
   */
  async function mayAskAgain({ decision }: Answer, terms: OpenCallTerms): Promise<boolean> {
    const { waitFor = [], reasons = [] } = decision ?? {}
    if (waitFor.length > 0) return !waitFor.some(approvals.isLeft) && calls.whenOver(waitFor, terms)
    if (!reasons.some(({ code }) => code === 'too_many_open_calls')) return false
    return !(calls.isEmpty() && approvals.areLeft()) && calls.whenRoom(terms)
  }

  /** The answer after a human has answered, as far as `terms` wait for one. A step that still waits can be asked for again. */
  async function resolved(asked: Answer, step: ProposedStep, terms: AskOptions): Promise<Answer> {
    if (!isWaiting(asked)) return asked
    let answer = asked
    try {
      answer = withNames(asked, await human(asked, terms))
      return answer
    } finally {
      // Also if the signal aborts.
      if (isWaiting(answer)) {
        approvals.leave(answer.callId, keyOf(step))
        calls.over(answer.callId)
      }
    }
  }

  async function run<T>(step: ProposedStep, execute: Execute<T>, terms: RunOptions<T> = {}): Promise<T> {
    const values = frozenArguments(step.tool, step.arguments)
    const answer = await ask({ ...step, arguments: values }, terms)
    if (!answer.mayRun) throw new StepBlocked(answer)
    // The verdict may arrive in the same turn as the abort.
    if (terms.signal?.aborted) {
      report(answer, { outcome: 'error' })
      terms.signal.throwIfAborted()
    }
    let value: T
    try {
      value = await execute(values, { answer, signal: terms.signal })
    } catch (error) {
      // A tool's error may contain what it has read.
      const result = error instanceof Error ? error.message : String(error)
      report(answer, { outcome: 'error', arguments: values, result })
      throw error
    }
    try {
      report(answer, { result: value, ...terms.report?.(value), arguments: values })
    } catch {
      counters.unreported++
    }
    return value
  }

  /** The step has run, so a failure to report it must not lose its result. */
  function report(answer: Answer, result: StepResult): void {
    complete(answer, result).catch(() => void counters.unreported++)
  }

  return handleRejections({ ...parts, ask, run })
}
