import type { HookAnswer, HookEvent, HookReply, Payload } from '../event.js'
import { NOTHING, said } from '../event.js'
import { type EventKinds, argumentsIn, isObject, kindOf, needed, textIn, valueIn } from '../payload.js'

/** Where a client's payloads differ from Claude Code's. */
export interface Dialect {
  readonly events: EventKinds
  /** Whether the client asks its user when the hook says so. */
  readonly canAsk: (payload: Payload) => boolean
  /** Whether the result of a completed step is an error. */
  readonly isError: (payload: Payload, event: string) => boolean
  readonly isRemote: (tool: string, payload: Payload) => boolean
  /** What the user says in a prompt; undefined if it is not the user's. Default: `prompt`. */
  readonly wordsOf?: (payload: Payload) => string | undefined
}

/** Reads payloads in the form of Claude Code, which others have taken over: `session_id`, `hook_event_name`, `tool_name`, `tool_input`. */
export function readClaudeLike(
  payload: Payload,
  given: string | undefined,
  dialect: Dialect,
): HookEvent | undefined {
  const event = textIn(payload, 'hook_event_name', 'hookEventName') ?? given ?? ''
  const kind = kindOf(dialect.events, event)
  if (kind === undefined) return undefined
  const session = {
    session: needed(payload, 'session_id', 'sessionId'),
    folder: textIn(payload, 'cwd'),
  }
  const agent = textIn(payload, 'agent_id', 'agentId')
  if (kind === 'prompted') {
    // What starts a sub-agent was written by the agent.
    const text = agent === undefined ? (dialect.wordsOf ?? promptOf)(payload) : undefined
    return text === undefined ? undefined : { kind, ...session, text }
  }
  if (kind !== 'step-proposed' && kind !== 'step-completed') return { kind, ...session, agent }
  const tool = needed(payload, 'tool_name', 'toolName')
  const call = {
    ...session,
    agent,
    call: textIn(payload, 'tool_use_id', 'tool_call_id'),
    tool,
    arguments: argumentsIn(payload, 'tool_input', 'toolArgs'),
    isRemote: dialect.isRemote(tool, payload),
  }
  if (kind === 'step-proposed') return { kind, ...call, canAsk: dialect.canAsk(payload) }
  const result = valueIn(payload, 'tool_response', 'tool_result', 'toolResult', 'error')
  return { kind, ...call, result, isError: dialect.isError(payload, event) }
}

/** Claude Code's answer before a call. An allowed call gets none: an explicit `allow` would skip the client's own dialog. */
export function replyClaudeLike({ verdict, text }: HookAnswer, event: HookEvent | undefined): HookReply {
  if (event?.kind !== 'step-proposed' || verdict === 'allow') return NOTHING
  const hookEventName = 'PreToolUse'
  if (verdict === 'warn') return said({ hookSpecificOutput: { hookEventName, additionalContext: text } })
  return said({
    hookSpecificOutput: {
      hookEventName,
      permissionDecision: verdict === 'confirm' && event.canAsk ? 'ask' : 'deny',
      permissionDecisionReason: text,
    },
  })
}

/** Events of Claude Code that others use too. */
export const CLAUDE_EVENTS: EventKinds = {
  PreToolUse: 'step-proposed',
  PostToolUse: 'step-completed',
  PostToolUseFailure: 'step-completed',
  UserPromptSubmit: 'prompted',
  SubagentStop: 'agent-ended',
  Stop: 'turn-ended',
  SessionEnd: 'session-ended',
}

export const promptOf = (payload: Payload): string => textIn(payload, 'prompt') ?? ''

export const isOfMcp = (tool: string, payload: Payload): boolean =>
  tool.startsWith('mcp__') || isObject(payload['mcp_server'])
