import type {
  HookCallback,
  HookCallbackMatcher,
  HookInput,
  HookJSONOutput,
  PreToolUseHookInput,
} from '@anthropic-ai/claude-agent-sdk'
import QuickLRU from 'quick-lru'
import { explain } from '../answer.js'
import {
  type AdapterOptions,
  type SessionSource,
  argumentsOf,
  createOpenSteps,
  sessionOf,
  stepOf,
} from './adapter.js'

export type { AdapterOptions, SessionSource } from './adapter.js'

export interface HookOptions extends AdapterOptions {
  /** Returns a tool's name in catalogue and policy. Default: Claude's name (`Bash`, `mcp__server__tool`). */
  readonly toolName?: (input: PreToolUseHookInput) => string
}

/** To be passed as `hooks`, alone or with others. */
export type Hooks = Readonly<
  Record<'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch', HookCallbackMatcher[]>
>

/** How long `onConfirm` may take, milliseconds: a hook must end at some time. */
const APPROVAL_MS = 900_000
const PREREQUISITES_MS = 60_000
/** Added for the verdict. */
const VERDICT_MS = 60_000
/** Allowed steps whose result is still awaited; beyond it the oldest is dropped. */
const OPEN_MAX = 10_000

/**
 * Hooks that propose each tool call before it runs and report its result: built-in tools and those of MCP servers, sub-agents included.
 * They only refuse: a step that may run goes on to Claude's own permissions. A hook that fails blocks its step.
 *
 * @example
 * const session = await client.startSession({ category: 'coding', task })
 * for await (const message of query({ prompt: task, options: { hooks: createHooks(session) } })) show(message)
 */
export function createHooks(source: SessionSource<PreToolUseHookInput>, options: HookOptions = {}): Hooks {
  const { toolName = ({ tool_name }) => tool_name, ...given } = options
  const { approvalMs = 0, prerequisitesMs = PREREQUISITES_MS } = given
  const open = createOpenSteps<string>(new QuickLRU({ maxSize: OPEN_MAX }))

  async function before(input: PreToolUseHookInput, signal: AbortSignal): Promise<HookJSONOutput> {
    const session = await sessionOf(source, input)
    const step = stepOf({ tool: toolName(input), input: input.tool_input, callId: input.tool_use_id })
    const answer = await session.ask(step, { ...given, prerequisitesMs, signal })
    if (!answer.mayRun) return denial(explain(answer))
    open.add(input.tool_use_id, session, answer)
    return {}
  }

  async function after(input: HookInput): Promise<HookJSONOutput> {
    if (input.hook_event_name === 'PostToolUse')
      await open.complete(input.tool_use_id, { ...ranWith(input), result: input.tool_response })
    if (input.hook_event_name === 'PostToolUseFailure')
      await open.complete(input.tool_use_id, { ...ranWith(input), outcome: 'error', result: input.error })
    // Calls without a result were refused by Claude's own permissions.
    if (input.hook_event_name === 'PostToolBatch')
      for (const call of input.tool_calls) await open.complete(call.tool_use_id, { outcome: 'error' })
    return {}
  }

  const asking: HookCallback = async (input, _id, { signal }) => {
    if (input.hook_event_name !== 'PreToolUse') return {}
    // Versions without `onFailure` run the tool if its hook throws.
    return before(input, signal).catch((error: unknown) => denial(messageOf(error)))
  }
  const timeout = Math.ceil((Math.max(approvalMs, APPROVAL_MS) + prerequisitesMs + VERDICT_MS) / 1_000)
  return {
    PreToolUse: [{ hooks: [asking], timeout, onFailure: 'block' }],
    PostToolUse: [{ hooks: [after] }],
    PostToolUseFailure: [{ hooks: [after] }],
    PostToolBatch: [{ hooks: [after] }],
  }
}

/** Other hooks and `canUseTool` can change the arguments. */
const ranWith = ({ tool_input }: { readonly tool_input: unknown }) => ({
  arguments: argumentsOf(tool_input),
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const denial = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
})
