import type { ToolHookContext, ToolHooks } from '@mastra/core/tools'
import { PlimsollError, digestOf, idSchema } from '@plimsoll/contracts'
import { type Answer, type AskOptions, type Session, type StepResult, StepBlocked } from '../session.js'

/** Steps that were let run and of which nothing has been heard since, by what the framework knows them by. */
export interface OpenSteps<Key> {
  has(key: Key): boolean
  add(key: Key, session: Session, answer: Answer): void
  /** Notes that a step failed, whatever text its framework makes of that. */
  failed(key: Key): void
  /**
   * Tells what came of a step. Never rejects: what was done is done, and a step that cannot be told of counts as its declared worst.
   */
  complete(key: Key, result: StepResult): Promise<void>
}

interface OpenStep {
  readonly session: Session
  readonly answer: Answer
  outcome: 'ok' | 'error'
}

interface Store<Key> {
  has(key: Key): boolean
  get(key: Key): OpenStep | undefined
  set(key: Key, step: OpenStep): unknown
  delete(key: Key): boolean
}

export function createOpenSteps<Key>(steps: Store<Key>): OpenSteps<Key> {
  return {
    has: (key) => steps.has(key),
    add: (key, session, answer) => void steps.set(key, { session, answer, outcome: 'ok' }),
    failed: (key) => {
      const step = steps.get(key)
      if (step) step.outcome = 'error'
    },
    complete: async (key, result) => {
      const step = steps.get(key)
      if (!step) return
      steps.delete(key)
      await step.session.complete(step.answer, { outcome: step.outcome, ...result }).catch(() => {})
    },
  }
}

/** The session that tool calls belong to, or how to find it where one agent serves many. */
export type SessionSource<Call> = Session | ((call: Call) => Session | Promise<Session>)

export const sessionOf = <Call>(source: SessionSource<Call>, call: Call): Session | Promise<Session> =>
  typeof source === 'function' ? source(call) : source

/** How long an adapter waits, and who is told that a human is asked. */
export type AdapterOptions = Pick<AskOptions, 'timeoutMs' | 'approvalMs' | 'prerequisitesMs' | 'onConfirm'>

/** The framework's id of a call, where it can be one of ours: models and providers make them up. */
export function callIdOf(id: string | undefined): { readonly callId?: string } {
  return id !== undefined && idSchema.safeParse(id).success ? { callId: id } : {}
}

/** What a tool is called with. What is no object, such as text that is no JSON, becomes the argument `input`. */
export function argumentsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Readonly<Record<string, unknown>>) : { input: value }
}

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
        `the input of \`${toolName}\` is not the input that was proposed`,
      )
    },
    afterToolCall: async (hook) => {
      const { output, error } = hook
      const reported =
        error === undefined ? { result: output } : { outcome: 'error' as const, ...textOf(error) }
      await open.complete(contextOf(hook), reported)
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
