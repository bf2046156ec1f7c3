import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '@plimsoll/contracts'
import type { ModelMessage, ToolSet } from 'ai'
import QuickLRU from 'quick-lru'
import { type Answer, StepBlocked, explain } from '../answer.js'
import { type ProposedStep, type Session, type StepResult } from '../session.js'
import { type AdapterOptions, type FrameworkCall, failedWith, stepOf } from './adapter.js'

export type { AdapterOptions } from './adapter.js'

/** Proposed calls that have not run yet; beyond it the oldest are dropped, and proposed again if they run. */
const CALLS_MAX = 1_024
/** How long the decision on an approval that was passed on may take by default, milliseconds. */
const APPROVED_MS = 10_000

interface SdkCall extends FrameworkCall {
  readonly callId: string
  /** Whether it runs in a later turn than the one in which it was proposed. */
  readonly isResumed?: boolean
}

type AskedCallsOptions = Pick<GuardToolsOptions, 'approve'> & AdapterOptions

type AskedCalls = ReturnType<typeof createAskedCalls>

interface Asked {
  readonly digest: string
  readonly answer: Promise<Answer>
  isShown: boolean
}

/** By session, because an application may create new adapters for the turn in which its user has answered. */
const callsBySession = new WeakMap<Session, QuickLRU<string, Asked>>()

function callsOf(session: Session): QuickLRU<string, Asked> {
  const known = callsBySession.get(session)
  const calls = known ?? new QuickLRU<string, Asked>({ maxSize: CALLS_MAX })
  if (!known) callsBySession.set(session, calls)
  return calls
}

/** The calls of one session in a framework that may ask several times before it runs a call. */
function createAskedCalls(session: Session, options: AskedCallsOptions) {
  const { approve, ...terms } = options
  const impatient = { ...terms, approvalMs: 0, prerequisitesMs: 0, onConfirm: () => undefined }
  const calls = callsOf(session)

  /** The answer before the call runs, requested once per call and input. Waits for no human and no other call unless `patiently`. */
  async function before(call: SdkCall, patiently?: 'patiently'): Promise<Answer> {
    const step = stepOf(call)
    const digest = digestOf(step.arguments)
    const known = calls.get(call.callId)
    if (known?.digest === digest) return known.answer
    const answer = session.ask(known ? proposedAgain(step) : step, patiently ? terms : impatient)
    calls.set(call.callId, { digest, answer, isShown: false })
    // Callers get the rejection; a failed proposal does not count as one.
    answer.catch(() => calls.delete(call.callId))
    return answer
  }

  /**
   * The answer to run the call by: the proposal's, after everything that it waits for. A call with another input is proposed again; a
   * user's approval of the first input does not count for it.
   */
  async function toRun(call: SdkCall, signal: AbortSignal | undefined): Promise<Answer> {
    const step = stepOf(call)
    const known = calls.get(call.callId)
    calls.delete(call.callId)
    const ask = (asked: ProposedStep) => session.ask(asked, { ...terms, signal })
    if (!known) return ask(step)
    if (known.digest !== digestOf(step.arguments)) return ask(proposedAgain(step))
    const answer = await known.answer
    if (answer.mayRun && call.isResumed !== true) return answer
    if (answer.mayRun) {
      // The session may have changed since. The first proposal ran nothing.
      await session.complete(answer, { outcome: 'error' })
      return ask(proposedAgain(step))
    }
    if (answer.verdict !== 'confirm') return isFinal(answer) ? answer : ask(step)
    // It takes up the request that waits.
    if (!known.isShown || !approve) return ask(proposedAgain(step))
    await approve(answer)
    return session.resolution(answer, { timeoutMs: terms.approvalMs ?? APPROVED_MS, signal })
  }

  return {
    before,
    /** Notes that the framework asks its user about the call. */
    shown: (callId: string): void => {
      const asked = calls.get(callId)
      if (asked) asked.isShown = true
    },
    toRun,
  }
}

/** Whether only another step could get another answer. A step that waits for a call is proposed again. */
const isFinal = ({ verdict, decision }: Answer): boolean =>
  verdict === 'block' && (decision?.waitFor ?? []).length === 0

/** A second proposal of one call needs another id: the first may still be open. */
function proposedAgain(step: ProposedStep): ProposedStep {
  const { callId: _, ...rest } = step
  return rest
}

interface CallInMessages {
  readonly toolCallId: string
  readonly messages?: readonly ModelMessage[]
}

/**
 * Whether the call is of an earlier turn, so that its user was asked meanwhile: the SDK asks once more before it runs. What the user was
 * shown is recorded when the call is new, because a history from a browser proves nothing.
 */
const isInHistory = ({ toolCallId, messages = [] }: CallInMessages): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some((part) => isCall(part, toolCallId)))

const isCall = (part: unknown, id: string): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'tool-call' &&
  'toolCallId' in part &&
  part.toolCallId === id

/**
 * A private copy of a call's input, so that what is proposed is what runs; `input` itself if it holds values that cannot be copied, such as
 * functions or class instances. Not frozen: tools may fill in defaults.
 */
function ownCopyOf<T>(input: T): T {
  try {
    const copy = structuredClone(input)
    return isDeepStrictEqual(copy, input) ? copy : input
  } catch {
    return input
  }
}

/** The options of a tool's `execute` that are read; all of them are passed on. */
interface ExecuteOptions {
  readonly toolCallId: string
  readonly messages?: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal
}

type Execute = (input: unknown, options: ExecuteOptions) => unknown

interface PerformedTool {
  readonly name: string
  readonly description: string | undefined
  readonly execute: Execute
}

/**
 * `execute` guarded: it runs with the input that was proposed, and its result is reported. Rejects with `StepBlocked` if the call may not
 * run. Streamed results stay streamed.
 */
function performerOf(session: Session, calls: AskedCalls, tool: PerformedTool): Execute {
  const { name, description, execute } = tool

  async function* perform(input: unknown, options: ExecuteOptions): AsyncGenerator<unknown, unknown> {
    const own = ownCopyOf(input)
    const isResumed = isInHistory(options)
    const call = { callId: options.toolCallId, tool: name, input: own, description, isResumed }
    const answer = await calls.toRun(call, options.abortSignal)
    if (!answer.mayRun) throw new StepBlocked(answer)
    // The outcome if the reader stops before the end of a stream.
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
      reported = failedWith(error)
      throw error
    } finally {
      // A step that cannot be reported keeps its result and counts as the worst of its labels.
      session.complete(answer, reported).catch(() => {})
    }
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

export interface GuardToolsOptions extends AdapterOptions {
  /**
   * With it, a `confirm` is shown to the application's user in the SDK's own way (a `tool-approval-request`, answered by a
   * `tool-approval-response`). Called once that user has approved, to approve the decision with `guard.approve` or as the deployment signs
   * approvals. Without it the call waits for the deployment's approvers.
   */
  readonly approve?: (answer: Answer) => Promise<unknown>
}

/** Settings of `generateText`, `streamText` and agents of the SDK. */
export interface GuardedTools<T> {
  readonly tools: T
  /** Used by version 7. Version 6 uses the tools alone, so a blocked call is a tool error instead of a denial. */
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
 * `tools` of the Vercel AI SDK, 6 and 7, that are proposed to `session` before they run and report their results. Spread the result into
 * the settings of `generateText`, `streamText` or an agent. Tools that the model's provider runs are not covered. A tool without `execute`,
 * which the application's client runs, is proposed, but its result is not reported.
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
  session.addTools(byName.keys())
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
  // It may be a function of a context that is unknown here.
  const description = typeof tool.description === 'string' ? tool.description : undefined

  async function approval(input: unknown, options: ExecuteOptions): Promise<ApprovalStatus> {
    const { toolCallId } = options
    const call: SdkCall = { callId: toolCallId, tool: name, input, description }
    // The SDK does not ask again before the application's client runs a tool.
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
