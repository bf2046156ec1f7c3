/** What all framework adapters share. */
import { idSchema } from '@plimsoll/contracts'
import type { Answer } from '../answer.js'
import type { AskOptions, ProposedStep, Session, StepResult } from '../session.js'

/** The session of all tool calls, or a function that finds it if one agent serves many. */
export type SessionSource<Call> = Session | ((call: Call) => Session | Promise<Session>)

export const sessionOf = <Call>(source: SessionSource<Call>, call: Call): Session | Promise<Session> =>
  typeof source === 'function' ? source(call) : source

/** How long an adapter waits, and what is called when a human is needed. */
export type AdapterOptions = Pick<AskOptions, 'timeoutMs' | 'approvalMs' | 'prerequisitesMs' | 'onConfirm'>

/** A tool call in a framework's terms. */
export interface FrameworkCall {
  readonly tool: string
  readonly input: unknown
  /** Kept as the step's id if it is valid: models and providers invent these ids. */
  readonly callId?: string | undefined
  readonly description?: unknown
}

export function stepOf({ tool, input, callId, description }: FrameworkCall): ProposedStep {
  return {
    tool,
    arguments: argumentsOf(input),
    ...(callId !== undefined && idSchema.safeParse(callId).success && { callId }),
    ...(typeof description === 'string' && { description }),
  }
}

/** A tool's arguments. A value that is not an object, such as text that is not JSON, becomes the argument `input`. */
export function argumentsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Readonly<Record<string, unknown>>) : { input: value }
}

/** The report of a tool that threw `error`. */
export const failedWith = (error: unknown): StepResult => ({
  outcome: 'error',
  result: error instanceof Error ? error.message : error,
})

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

/** Steps that were allowed and not completed yet, by the framework's key of the call. */
export function createOpenSteps<Key>(steps: Store<Key>) {
  return {
    has: (key: Key) => steps.has(key),
    add: (key: Key, session: Session, answer: Answer): void =>
      void steps.set(key, { session, answer, outcome: 'ok' }),
    /** Notes that a step failed, whatever text the framework makes of the error. */
    failed: (key: Key): void => {
      const step = steps.get(key)
      if (step) step.outcome = 'error'
    },
    /** Reports a step's result. Never rejects: a step that cannot be reported counts as the worst of its labels. */
    complete: async (key: Key, result: StepResult): Promise<void> => {
      const step = steps.get(key)
      if (!step) return
      steps.delete(key)
      await step.session.complete(step.answer, { outcome: step.outcome, ...result }).catch(() => {})
    },
  }
}
