import type { ModelMessage } from 'ai'
import { StepBlocked } from '../explanation.js'
import type { Answer, Session, StepResult } from '../session.js'
import type { AskedCalls } from './asked-calls.js'
import { isInHistory } from './history.js'
import { ownCopyOf } from './own-copy.js'

/** What is read of what a tool is run with; all of it is passed on. */
export interface ExecuteOptions {
  readonly toolCallId: string
  readonly messages?: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal
}

export type Execute = (input: unknown, options: ExecuteOptions) => unknown

export interface PerformedTool {
  readonly name: string
  readonly description: string | undefined
  readonly execute: Execute
}

/**
 * `execute` as it runs once its call may: with the input that was asked about, and telling what came of it. Rejects with `StepBlocked`
 * where the call may not run. What streams its results streams them still.
 */
export function performerOf(session: Session, calls: AskedCalls, tool: PerformedTool): Execute {
  const { name, description, execute } = tool

  async function* perform(input: unknown, options: ExecuteOptions): AsyncGenerator<unknown, unknown> {
    const own = ownCopyOf(input)
    const isResumed = isInHistory(options)
    const call = { callId: options.toolCallId, tool: name, input: own, description, isResumed }
    const answer = await calls.toRun(call, options.abortSignal)
    if (!answer.mayRun) throw new StepBlocked(answer)
    // Whoever stops reading a stream half way has not had all of it.
    let told: StepResult = { outcome: 'error' }
    try {
      options.abortSignal?.throwIfAborted()
      const output = execute(own, options)
      let last: unknown
      if (isAsyncIterable(output)) for await (last of output) yield last
      else last = await output
      told = { result: last }
      return last
    } catch (error) {
      told = { outcome: 'error', ...(error instanceof Error && { result: error.message }) }
      throw error
    } finally {
      tell(answer, told)
    }
  }

  /** What was done is done: that it cannot be told takes its result from nobody, and it counts as its declared worst. */
  function tell(answer: Answer, result: StepResult): void {
    session.complete(answer, result).catch(() => {})
  }

  if (isGenerator(execute)) return perform
  return async (input, options) => {
    const performing = perform(input, options)
    for (;;) {
      const { done, value } = await performing.next()
      if (done === true) return value
    }
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const isGenerator = (execute: Execute) =>
  Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
