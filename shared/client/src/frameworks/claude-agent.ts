import type {
  HookCallback,
  HookCallbackMatcher,
  HookInput,
  HookJSONOutput,
  PreToolUseHookInput,
} from '@anthropic-ai/claude-agent-sdk'
import { explain } from '../session.js'
import {
  type AdapterOptions,
  type SessionSource,
  argumentsOf,
  callIdOf,
  createOpenSteps,
  sessionOf,
} from './mastra.js'

/** A map that forgets its oldest entry rather than hold more than `max`. */
export function createRecent<Key, Value>(max: number): Map<Key, Value> {
  const entries = new Map<Key, Value>()
  const set = entries.set.bind(entries)
  entries.set = (key, value) => {
    const [oldest] = entries.keys()
    if (entries.size >= max && oldest !== undefined && !entries.has(key)) entries.delete(oldest)
    return set(key, value)
  }
  return entries
}

export type { AdapterOptions, SessionSource } from './mastra.js'

export interface HookOptions extends AdapterOptions {
  /** The name that catalogue and policy know a tool by; as Claude names it (`Bash`, `mcp__server__tool`) where it is left out. */
  readonly toolName?: (input: PreToolUseHookInput) => string
}

/** To be given as `hooks`, or added to others. */
export type Hooks = Readonly<
  Record<'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch', HookCallbackMatcher[]>
>

/** How long a human may take, milliseconds: a hook has to end at some time. */
const APPROVAL_MS = 900_000
const PREREQUISITES_MS = 60_000
/** For a verdict, over and above. */
const VERDICT_MS = 60_000
/** Beyond so many steps that were let run and never heard of again, the oldest is forgotten. */
const OPEN_MAX = 10_000

/**
 * Hooks that ask before each tool runs and tell what came of it, built-in tools and those of MCP servers alike, sub-agents' too. They
 * only ever refuse: a step that may run goes on to Claude's own permissions. A hook that fails blocks its step.
 *
 * @example
 * const session = await client.startSession({ category: 'coding', task })
 * for await (const message of query({ prompt: task, options: { hooks: createHooks(session) } })) show(message)
 */
export function createHooks(source: SessionSource<PreToolUseHookInput>, options: HookOptions = {}): Hooks {
  const { toolName = ({ tool_name }) => tool_name, ...given } = options
  const { approvalMs = APPROVAL_MS, prerequisitesMs = PREREQUISITES_MS } = given
  const open = createOpenSteps<string>(createRecent(OPEN_MAX))

  async function before(input: PreToolUseHookInput, signal: AbortSignal): Promise<HookJSONOutput> {
    const session = await sessionOf(source, input)
    const step = {
      tool: toolName(input),
      arguments: argumentsOf(input.tool_input),
      ...callIdOf(input.tool_use_id),
    }
    const answer = await session.ask(step, { ...given, approvalMs, prerequisitesMs, signal })
    if (!answer.mayRun) return denial(explain(answer))
    open.add(input.tool_use_id, session, answer)
    return {}
  }

  async function after(input: HookInput): Promise<HookJSONOutput> {
    if (input.hook_event_name === 'PostToolUse')
      await open.complete(input.tool_use_id, { ...ranWith(input), result: input.tool_response })
    if (input.hook_event_name === 'PostToolUseFailure')
      await open.complete(input.tool_use_id, { ...ranWith(input), outcome: 'error', result: input.error })
    // What is over now and was told of by neither was refused by Claude's own permissions.
    if (input.hook_event_name === 'PostToolBatch')
      for (const call of input.tool_calls) await open.complete(call.tool_use_id, { outcome: 'error' })
    return {}
  }

  const asking: HookCallback = async (input, _id, { signal }) => {
    if (input.hook_event_name !== 'PreToolUse') return {}
    // Versions that do not know `onFailure` run the tool of a hook that throws.
    return before(input, signal).catch((error: unknown) => denial(messageOf(error)))
  }
  const timeout = Math.ceil((approvalMs + prerequisitesMs + VERDICT_MS) / 1_000)
  return {
    PreToolUse: [{ hooks: [asking], timeout, onFailure: 'block' }],
    PostToolUse: [{ hooks: [after] }],
    PostToolUseFailure: [{ hooks: [after] }],
    PostToolBatch: [{ hooks: [after] }],
  }
}

/** Other hooks, and the application's `canUseTool`, can change what a tool runs with. */
const ranWith = ({ tool_input }: { readonly tool_input: unknown }) => ({
  arguments: argumentsOf(tool_input),
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const denial = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
})
