import { type Arguments, frozenArguments } from '../frozen.js'
import type { OpenCalls, OverTerms } from '../pending/open-calls.js'
import {
  type Answer,
  type AskOptions,
  type Execute,
  type ProposedStep,
  type RunOptions,
  type Session,
  type StepResult,
  type WaitOptions,
  StepBlocked,
} from '../session.js'
import { shielded } from '../transport/trace.js'

/** How long calls that must be over first may take where nothing else is said, milliseconds. */
const PREREQUISITES_MS = 60_000

export interface RunnerOptions extends Pick<Session, 'propose' | 'resolution' | 'complete'> {
  readonly calls: Pick<OpenCalls, 'isFull' | 'release' | 'whenOver' | 'whenRoom'>
  readonly now: () => number
  /** Gives up a confirmation that nobody here waits for any more: whatever the human says comes too late. */
  readonly withdraw: (callId: string) => void
  /** Told of each step that ran and whose completion cannot be told. Does not throw. */
  readonly onUnreported: (answer: Answer, error: unknown) => void
}

/** What a session does with a step from the question to its completion. */
export function createRunner(options: RunnerOptions): Pick<Session, 'ask' | 'run'> {
  const { propose, resolution, complete, calls, now, withdraw, onUnreported } = options

  async function ask(step: ProposedStep, terms: AskOptions = {}): Promise<Answer> {
    const { timeoutMs, approvalMs, prerequisitesMs = PREREQUISITES_MS, signal } = terms
    const deadline = now() + prerequisitesMs
    for (let attempt = 0; ; attempt++) {
      // Where there is room it is proposed at once, before anything that is asked for later.
      if (calls.isFull()) await calls.whenRoom({ timeoutMs: deadline - now(), signal, attempt })
      const asked = await propose(step, { timeoutMs, signal }).finally(calls.release)
      const answer = await received(asked, { timeoutMs: approvalMs, signal }, terms.onConfirm)
      if (answer.mayRun || answer.verdict !== 'block') return answer
      if (!(await mayAskAgain(answer, { timeoutMs: deadline - now(), signal, attempt }))) return answer
    }
  }

  /** Waits for whatever is in the way of a blocked step and goes by itself: calls that must be over first, or too many that are open. */
  async function mayAskAgain({ decision }: Answer, terms: OverTerms): Promise<boolean> {
    const { waitFor = [], reasons = [] } = decision ?? {}
    if (waitFor.length > 0) return calls.whenOver(waitFor, terms)
    return reasons.some(({ code }) => code === 'too_many_open_calls') && calls.whenRoom(terms)
  }

  /** What the human says, where one is asked. */
  async function received(
    asked: Answer,
    terms: WaitOptions,
    onConfirm: AskOptions['onConfirm'],
  ): Promise<Answer> {
    if (asked.verdict !== 'confirm' || asked.mayRun) return asked
    shielded('onConfirm', onConfirm)(asked)
    if (terms.timeoutMs === 0) return asked
    try {
      return await resolution(asked, terms)
    } catch (error) {
      withdraw(asked.callId)
      throw error
    }
  }

  async function run<T>(step: ProposedStep, execute: Execute<T>, terms: RunOptions<T> = {}): Promise<T> {
    const values = frozenArguments(step.tool, step.arguments)
    const answer = await ask({ ...step, arguments: values }, terms)
    if (!answer.mayRun) {
      if (answer.verdict === 'confirm') withdraw(answer.callId)
      throw new StepBlocked(answer)
    }
    // The verdict may have come in the same turn as the abort: what is not begun is not to begin.
    if (terms.signal?.aborted) {
      report(answer, { outcome: 'error' })
      terms.signal.throwIfAborted()
    }
    return executed(answer, values, execute, terms)
  }

  async function executed<T>(
    answer: Answer,
    values: Arguments,
    execute: Execute<T>,
    terms: RunOptions<T>,
  ): Promise<T> {
    let value: T
    try {
      value = await execute(values, { answer, signal: terms.signal })
    } catch (error) {
      report(answer, { outcome: 'error', arguments: values, result: errorText(error) })
      throw error
    }
    try {
      report(answer, { result: value, ...terms.report?.(value), arguments: values })
    } catch (error) {
      onUnreported(answer, error)
    }
    return value
  }

  /** What was done is done: that it cannot be told must not take its result away. */
  function report(answer: Answer, result: StepResult): void {
    complete(answer, result).catch((error: unknown) => onUnreported(answer, error))
  }

  return { ask, run }
}

/** What a failed step says: a tool's errors may hold what it has read. */
const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
