import type { ModelMessage, ToolSet } from 'ai'
import { explain } from '../explanation.js'
import type { Answer, Session } from '../session.js'
import { createAskedCalls, isFinal, type AskedCalls, type FrameworkCall } from './asked-calls.js'
import { isInHistory } from './history.js'
import { performerOf, type Execute, type ExecuteOptions } from './performer.js'
import type { AdapterOptions } from './step.js'

export type { AdapterOptions } from './step.js'

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
