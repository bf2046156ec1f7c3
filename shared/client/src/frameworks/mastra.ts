import type { ToolHookContext, ToolHooks } from '@mastra/core/tools'
import { digestOf, PlimsollError } from '@plimsoll/contracts'
import { StepBlocked } from '../explanation.js'
import { createOpenSteps } from './open-steps.js'
import { argumentsOf, callIdOf, sessionOf, type AdapterOptions, type SessionSource } from './step.js'

export type { AdapterOptions, SessionSource } from './step.js'

/** To be given as `hooks` to an agent, or to one of its runs. */
export type Hooks = Required<Pick<ToolHooks, 'beforeToolCall' | 'afterToolCall'>>

/**
 * Hooks of a Mastra agent that ask before each of its tools runs, wherever it comes from, and tell what came of it. A call that may not
 * run is answered to the model by an error that says why and what would do instead. Hooks given to a run take the place of its agent's.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const { text } = await agent.generate(task, { hooks: createHooks(session) })
 */
export function createHooks(source: SessionSource<ToolHookContext>, options: AdapterOptions = {}): Hooks {
  // By the call's context: each call has its own, and a call that is resumed has another.
  const open = createOpenSteps<object>(new WeakMap())

  return {
    beforeToolCall: async (hook) => {
      const { toolName, input } = hook
      const { toolCallId, abortSignal } = contextOf(hook)
      const session = await sessionOf(source, hook)
      const step = { tool: toolName, arguments: argumentsOf(input), ...callIdOf(toolCallId) }
      const asked = digestOf(step.arguments)
      const answer = await session.ask(step, { ...options, signal: abortSignal })
      if (!answer.mayRun) throw new StepBlocked(answer)
      open.add(contextOf(hook), session, answer)
      const isChanged = digestOf(argumentsOf(input)) !== asked
      // The verdict may have come in the same turn as the abort.
      if (!isChanged && abortSignal?.aborted !== true) return
      await open.complete(contextOf(hook), { outcome: 'error' })
      abortSignal?.throwIfAborted()
      throw new PlimsollError(
        'approval_mismatch',
        `the input of \`${toolName}\` is another than was asked about`,
      )
    },
    afterToolCall: async (hook) => {
      const { output, error } = hook
      const told = error === undefined ? { result: output } : { outcome: 'error' as const, ...textOf(error) }
      await open.complete(contextOf(hook), told)
    },
  }
}

interface CallContext {
  readonly toolCallId?: string
  readonly abortSignal?: AbortSignal
}

/** Throws where there is none: whatever ran so could not be told of. */
function contextOf({ toolName, context }: ToolHookContext): CallContext {
  if (typeof context === 'object' && context !== null) return context
  throw new TypeError(`\`${toolName}\` was called without a context`)
}

const textOf = (error: unknown) => (error instanceof Error ? { result: error.message } : {})
