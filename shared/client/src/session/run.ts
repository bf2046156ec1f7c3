import { randomBytes } from 'node:crypto'
import { createArgumentDigest } from '@plimsoll/contracts'
import { frozenArguments } from '../observe/observe-texts.js'
import type { Approvals } from '../pending/approvals.js'
import type { OpenCalls, OpenCallTerms } from '../pending/open-calls.js'
import { type Answer, StepBlocked, isWaiting } from '../answer.js'
import {
  type AskOptions,
  type Execute,
  type ProposedStep,
  type RunOptions,
  type Session,
  type StepResult,
  type WaitOptions,
} from '../session.js'
import type { Counters } from '../transport/receiver.js'
import { shielded } from '../transport/trace.js'
import { handleRejections } from '../wait.js'

/** Approval requests that are left open, of a session: the engine lets at most 32 calls wait. */
const LEFT_MAX = 32

/** Approval requests that no call waits for, by tool and arguments. Each is taken once, because an approval is for one call. */
function createLeftRequests() {
  const requests = new Map<string, Answer>()
  const digestOf = createArgumentDigest(randomBytes(32))

  return {
    of: (tool: string, values: Readonly<Record<string, unknown>>) => {
      const key = digestOf([tool, values])
      return {
        take: (): Answer | undefined => {
          const answer = requests.get(key)
          requests.delete(key)
          return answer
        },
        leave: (answer: Answer): void => {
          const [oldest] = requests.keys()
          if (oldest !== undefined && requests.size >= LEFT_MAX) requests.delete(oldest)
          requests.set(key, answer)
        },
      }
    },
  }
}

/** Whether an approval request ended without an answer. */
const isExpired = ({ by, decision }: Answer): boolean =>
  by === 'fail_closed' || (decision?.reasons ?? []).some(({ code }) => code === 'approval_expired')

/** How long `ask` waits for open calls by default, milliseconds. */
const PREREQUISITES_MS = 60_000

export interface SessionParts extends Omit<Session, 'ask' | 'run'> {
  readonly calls: OpenCalls
  readonly approvals: Approvals
  readonly counters: Counters
  readonly now: () => number
}

/** The session that callers hold: `ask` and `run` on top of `propose`, `resolution` and `complete`. */
export function createSession({ calls, approvals, counters, now, ...parts }: SessionParts): Session {
  const { propose, resolution, complete } = parts

  const left = createLeftRequests()

  async function ask(step: ProposedStep, terms: AskOptions = {}): Promise<Answer> {
    if (terms.resume !== true) return askOnce(step, terms, ({ callId }) => approvals.withdraw(callId))
    const request = left.of(step.tool, frozenArguments(step.tool, step.arguments))
    const asked = request.take()
    if (!asked) return kept(await askOnce(step, terms, request.leave))
    try {
      const answer = await resolution(asked, { timeoutMs: terms.approvalMs, signal: terms.signal })
      return kept(isExpired(answer) ? await askOnce(step, terms, request.leave) : answer)
    } catch (error) {
      request.leave(asked)
      throw error
    }

    function kept(answer: Answer): Answer {
      if (isWaiting(answer)) request.leave(answer)
      return answer
    }
  }

  async function askOnce(
    step: ProposedStep,
    terms: AskOptions,
    giveUp: (asked: Answer) => void,
  ): Promise<Answer> {
    const { timeoutMs, approvalMs, prerequisitesMs = PREREQUISITES_MS, signal } = terms
    const deadline = now() + prerequisitesMs
    for (let attempt = 0; ; attempt++) {
      // With room the step is proposed at once, before anything asked later.
      if (calls.isFull()) await calls.whenRoom({ timeoutMs: deadline - now(), signal, attempt })
      const asked = await propose(step, { timeoutMs, signal }).finally(calls.release)
      const waits = { timeoutMs: approvalMs, signal, giveUp }
      const answer = await resolved(asked, waits, terms.onConfirm)
      if (answer.mayRun || answer.verdict !== 'block') return answer
      if (!(await mayAskAgain(answer, { timeoutMs: deadline - now(), signal, attempt }))) return answer
    }
  }

  /** Waits for what blocks a step only for now: calls that must be over first, or too many open calls. */
  async function mayAskAgain({ decision }: Answer, terms: OpenCallTerms): Promise<boolean> {
    const { waitFor = [], reasons = [] } = decision ?? {}
    if (waitFor.length > 0) return calls.whenOver(waitFor, terms)
    return reasons.some(({ code }) => code === 'too_many_open_calls') && calls.whenRoom(terms)
  }

  async function resolved(
    asked: Answer,
    { giveUp, ...terms }: WaitOptions & { readonly giveUp: (asked: Answer) => void },
    onConfirm: AskOptions['onConfirm'],
  ): Promise<Answer> {
    if (asked.verdict !== 'confirm' || asked.mayRun) return asked
    shielded('onConfirm', onConfirm)(asked)
    if (terms.timeoutMs === 0) return asked
    try {
      return await resolution(asked, terms)
    } catch (error) {
      giveUp(asked)
      throw error
    }
  }

  async function run<T>(step: ProposedStep, execute: Execute<T>, terms: RunOptions<T> = {}): Promise<T> {
    const values = frozenArguments(step.tool, step.arguments)
    const answer = await ask({ ...step, arguments: values }, terms)
    if (!answer.mayRun) {
      if (answer.verdict === 'confirm' && terms.resume !== true) approvals.withdraw(answer.callId)
      throw new StepBlocked(answer)
    }
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
