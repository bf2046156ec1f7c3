import type { ToolHookContext, ToolHooks } from '@mastra/core/tools'
import { PlimsollError, digestOf } from '@plimsoll/contracts'
import { StepBlocked } from '../answer.js'
import {
  type AdapterOptions,
  type SessionSource,
  argumentsOf,
  createOpenSteps,
  failedWith,
  sessionOf,
  stepOf,
} from './adapter.js'

export type { AdapterOptions, SessionSource } from './adapter.js'

/** To be passed as `hooks` to an agent, or to one of its runs. */
export type Hooks = Required<Pick<ToolHooks, 'beforeToolCall' | 'afterToolCall'>>

/**
 * Hooks of a Mastra agent that propose each tool call before it runs and report its result. A call that may not run is answered to the
 * model by an error that says why and what to do instead. Hooks passed to a run replace those of its agent.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const { text } = await agent.generate(task, { hooks: createHooks(session) })
 */
export function createHooks(source: SessionSource<ToolHookContext>, options: AdapterOptions = {}): Hooks {
  // Each call has its own context object, and a resumed call gets another.
  const open = createOpenSteps<object>(new WeakMap())

  return {
    beforeToolCall: async (hook) => {
      const { toolName: tool, input } = hook
      const { toolCallId: callId, abortSignal } = contextOf(hook)
      const session = await sessionOf(source, hook)
      const step = stepOf({ tool, input, callId })
      const proposed = digestOf(step.arguments)
      const answer = await session.ask(step, { ...options, signal: abortSignal })
      if (!answer.mayRun) throw new StepBlocked(answer)
      open.add(contextOf(hook), session, answer)
      const isChanged = digestOf(argumentsOf(input)) !== proposed
      // The verdict may arrive in the same turn as the abort.
      if (!isChanged && abortSignal?.aborted !== true) return
      await open.complete(contextOf(hook), { outcome: 'error' })
      abortSignal?.throwIfAborted()
      throw new PlimsollError(
        'approval_mismatch',
        `the input of \`${tool}\` is not the input that was proposed`,
      )
    },
    afterToolCall: async (hook) => {
      const { output, error } = hook
      await open.complete(contextOf(hook), error === undefined ? { result: output } : failedWith(error))
    },
  }
}

interface CallContext {
  readonly toolCallId?: string
  readonly abortSignal?: AbortSignal
}

/** Throws without a context: the result could not be reported. */
function contextOf({ toolName, context }: ToolHookContext): CallContext {
  if (typeof context === 'object' && context !== null) return context
  throw new TypeError(`\`${toolName}\` was called without a context`)
}
