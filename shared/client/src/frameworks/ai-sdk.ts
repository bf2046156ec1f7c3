import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '@plimsoll/contracts'
import type { ModelMessage, ToolSet } from 'ai'
import {
  type Answer,
  type ProposedStep,
  type Session,
  type StepResult,
  StepBlocked,
  explain,
} from '../session.js'
import { createRecent } from './claude-agent.js'
import { type AdapterOptions, argumentsOf, callIdOf } from './mastra.js'

/** Beyond so many calls that were asked about and did not run, the oldest are forgotten, and asked about again if they run after all. */
const CALLS_MAX = 1_024

/** A call as its framework names it. */
export interface FrameworkCall {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  readonly description?: string | undefined
  /** Whether it runs in a later turn than that in which it was asked about. */
  readonly isResumed?: boolean
}

export interface AskedCallsOptions extends AdapterOptions {
  /**
   * Has the answer's `confirm` approved, for anyone who uses the framework's own way to ask its user has approved the call. Where it is
   * left out the deployment's approvers are waited for.
   */
  readonly approve?: ((answer: Answer) => Promise<unknown>) | undefined
}

/** The calls of one session in a framework that asks before a call runs, perhaps more than once, and then runs it. */
export interface AskedCalls {
  /**
   * The answer before the call runs, asked for once for the same call with the same input. Waits for no human and for no other call,
   * unless `patiently`.
   */
  before(call: FrameworkCall, patiently?: 'patiently'): Promise<Answer>
  /** Notes that the framework asks its user whether the call may run. */
  shown(callId: string): void
  /**
   * The answer to run the call by: what was asked before it, once those it waits for have answered. A call whose input is not what
   * was asked about is asked about again, and what a user said to the other input counts for nothing.
   */
  toRun(call: FrameworkCall, signal: AbortSignal | undefined): Promise<Answer>
}

interface Asked {
  readonly digest: string
  readonly answer: Promise<Answer>
  isShown: boolean
}

/** By the session, for an application may begin its next turn, in which its user has answered, with adapters of its own. */
const callsBySession = new WeakMap<Session, Map<string, Asked>>()

function callsOf(session: Session): Map<string, Asked> {
  const known = callsBySession.get(session)
  const calls = known ?? createRecent<string, Asked>(CALLS_MAX)
  if (!known) callsBySession.set(session, calls)
  return calls
}

export function createAskedCalls(session: Session, options: AskedCallsOptions): AskedCalls {
  const { approve, ...terms } = options
  const impatient = { ...terms, approvalMs: 0, prerequisitesMs: 0 }
  const calls = callsOf(session)

  async function before(call: FrameworkCall, patiently?: 'patiently'): Promise<Answer> {
    const step = stepOf(call)
    const digest = digestOf(step.arguments)
    const known = calls.get(call.callId)
    if (known?.digest === digest) return known.answer
    const answer = session.ask(known ? proposedAgain(step) : step, patiently ? terms : impatient)
    calls.set(call.callId, { digest, answer, isShown: false })
    // Anyone who waits for it is told; a question that failed is none.
    answer.catch(() => calls.delete(call.callId))
    return answer
  }

  async function toRun(call: FrameworkCall, signal: AbortSignal | undefined): Promise<Answer> {
    const step = stepOf(call)
    const known = calls.get(call.callId)
    calls.delete(call.callId)
    const askAnew = (asked: ProposedStep) => session.ask(asked, { ...terms, signal })
    if (!known) return askAnew(step)
    if (known.digest !== digestOf(step.arguments)) return askAnew(proposedAgain(step))
    const answer = await known.answer
    if (answer.mayRun && call.isResumed !== true) return answer
    if (answer.mayRun) {
      // Much may have been done since, and the session may be over. The first proposal ran nothing.
      await session.complete(answer, { outcome: 'error' })
      return askAnew(proposedAgain(step))
    }
    if (answer.verdict === 'confirm') return received(answer, known.isShown, signal)
    return isFinal(answer) ? answer : askAnew(step)
  }

  async function received(asked: Answer, isShown: boolean, signal: AbortSignal | undefined): Promise<Answer> {
    if (isShown && approve) await approve(asked)
    return session.resolution(asked, { timeoutMs: terms.approvalMs, signal })
  }

  return {
    before,
    shown: (callId) => {
      const asked = calls.get(callId)
      if (asked) asked.isShown = true
    },
    toRun,
  }
}

/** Whether nothing but another step would change the answer. What has to wait for another call is asked about again. */
export const isFinal = ({ verdict, decision }: Answer): boolean =>
  verdict === 'block' && (decision?.waitFor ?? []).length === 0

/** A second question about one call of the framework: the id is that of the first, which may still be open. */
function proposedAgain(step: ProposedStep): ProposedStep {
  const { callId: _, ...rest } = step
  return rest
}

const stepOf = ({ callId, tool, input, description }: FrameworkCall): ProposedStep => ({
  tool,
  arguments: argumentsOf(input),
  ...callIdOf(callId),
  ...(description !== undefined && { description }),
})

export interface CallInMessages {
  readonly toolCallId: string
  readonly messages?: readonly ModelMessage[]
}

/**
 * Whether the call is one of a turn before, whose user was asked about it since: the SDK asks once more before it runs it. What a user
 * was shown is known from when the call was new; a history that comes from a browser proves nothing.
 */
export const isInHistory = ({ toolCallId, messages = [] }: CallInMessages): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some((part) => isCall(part, toolCallId)))

const isCall = (part: unknown, id: string): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'tool-call' &&
  'toolCallId' in part &&
  part.toolCallId === id

/**
 * A copy of a call's input that nobody else can reach, so that what is asked about is what runs; `input` itself where it holds what
 * cannot be copied alike, such as functions or objects of a class. Not frozen, for tools may fill in what their input leaves out.
 */
export function ownCopyOf<T>(input: T): T {
  try {
    const copy = structuredClone(input)
    return isDeepStrictEqual(copy, input) ? copy : input
  } catch {
    return input
  }
}

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
    // Anyone who stops reading a stream half way has not had all of it.
    let reported: StepResult = { outcome: 'error' }
    try {
      options.abortSignal?.throwIfAborted()
      const output = execute(own, options)
      let last: unknown
      if (isAsyncIterable(output)) for await (last of output) yield last
      else last = await output
      reported = { result: last }
      return last
    } catch (error) {
      reported = { outcome: 'error', ...(error instanceof Error && { result: error.message }) }
      throw error
    } finally {
      report(answer, reported)
    }
  }

  /** What was done is done: that it cannot be told takes its result from nobody, and it counts as its declared worst. */
  function report(answer: Answer, result: StepResult): void {
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

export type { AdapterOptions } from './mastra.js'

export interface GuardToolsOptions extends AdapterOptions {
  /**
   * With it a `confirm` is put to the application's user in the SDK's own way (a `tool-approval-request`, answered by a
   * `tool-approval-response`), and this is called once that user has approved: it has the decision approved, with `guard.approve` or
   * as the deployment signs approvals. Where it is left out the call waits for the deployment's approvers.
   */
  readonly approve?: (answer: Answer) => Promise<unknown>
}

/** What `generateText`, `streamText` and agents of the SDK take. */
export interface GuardedTools<T> {
  readonly tools: T
  /** Of major 7; 6 goes by the tools alone, where a blocked call is a tool's error rather than a denial. */
  readonly toolApproval: (options: ApprovalOptions) => Promise<ApprovalStatus>
}

export interface ApprovalOptions {
  readonly toolCall: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
    readonly providerExecuted?: boolean | undefined
  }
  readonly messages: readonly ModelMessage[]
}

export type ApprovalStatus =
  | undefined
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'user-approval'; readonly reason?: string }

type NeedsApproval = (input: unknown, options: object) => boolean | PromiseLike<boolean>

/**
 * `tools` of the Vercel AI SDK, 6 and 7, that ask `session` before they run and tell it what came of them: spread the result into the
 * settings of `generateText`, `streamText` or an agent. Tools that the model's provider runs itself are not seen. Of a tool without
 * `execute`, which the application's client runs, its call is asked about and its result is not seen.
 *
 * @example
 * const session = await client.startSession({ category: 'research_comms', task })
 * const { text } = await generateText({ model, prompt: task, stopWhen: isStepCount(20), ...guardTools(session, tools) })
 */
export function guardTools<T extends ToolSet>(
  session: Session,
  tools: T,
  options: GuardToolsOptions = {},
): GuardedTools<T> {
  const calls = createAskedCalls(session, options)
  const guarded = Object.entries(tools).map(([name, tool]): [string, GuardedTool] => [
    name,
    guardedTool({ name, tool, session, calls, asksUsers: options.approve !== undefined }),
  ])
  const byName = new Map(guarded)
  return {
    tools: Object.fromEntries(guarded.map(([name, { tool }]) => [name, tool])) as T,
    toolApproval: async ({ toolCall, messages }) => {
      const { toolCallId, toolName, input, providerExecuted } = toolCall
      if (providerExecuted === true) return undefined
      return byName.get(toolName)?.approval(input, { toolCallId, messages })
    },
  }
}

interface GuardedTool {
  readonly tool: ToolSet[string]
  readonly approval: (input: unknown, options: ExecuteOptions) => Promise<ApprovalStatus>
}

interface ToolToGuard {
  readonly name: string
  readonly tool: ToolSet[string]
  readonly session: Session
  readonly calls: AskedCalls
  readonly asksUsers: boolean
}

function guardedTool({ name, tool, session, calls, asksUsers }: ToolToGuard): GuardedTool {
  const { execute, needsApproval } = tool
  // Some give a function of their context, which is not known here.
  const description = typeof tool.description === 'string' ? tool.description : undefined

  async function approval(input: unknown, options: ExecuteOptions): Promise<ApprovalStatus> {
    const { toolCallId } = options
    const call: FrameworkCall = { callId: toolCallId, tool: name, input, description }
    // Nobody asks again before the application's client runs a tool.
    const answer = await (execute ? calls.before(call) : calls.before(call, 'patiently'))
    if (!answer.mayRun && (!execute || isFinal(answer))) return { type: 'denied', reason: explain(answer) }
    if (!answer.mayRun && answer.verdict === 'confirm' && asksUsers) {
      if (!isInHistory(options)) calls.shown(toolCallId)
      return { type: 'user-approval', reason: explain(answer) }
    }
    const isAsked =
      typeof needsApproval === 'function' ? (needsApproval as NeedsApproval)(input, options) : needsApproval
    return (await isAsked) === true ? { type: 'user-approval' } : undefined
  }

  if (!execute) return { tool, approval }
  const performer = { name, description, execute: (execute as Execute).bind(tool) }
  const isAsked = async (input: unknown, options: ExecuteOptions) =>
    (await approval(input, options))?.type === 'user-approval'
  const asking = asksUsers || needsApproval !== undefined ? { needsApproval: isAsked } : {}
  return { tool: { ...tool, execute: performerOf(session, calls, performer), ...asking }, approval }
}
