import { type HookClient, NOTHING, type Payload, said } from '../event.js'
import { type EventKinds, argumentsIn, firstFolder, kindOf, needed, textIn, valueIn } from '../payload.js'

const EVENTS: EventKinds = {
  beforeSubmitPrompt: 'prompted',
  beforeShellExecution: 'step-proposed',
  beforeMCPExecution: 'step-proposed',
  preToolUse: 'step-proposed',
  afterShellExecution: 'step-completed',
  afterMCPExecution: 'step-completed',
  postToolUse: 'step-completed',
  postToolUseFailure: 'step-completed',
  stop: 'turn-ended',
  sessionEnd: 'session-ended',
}

/** Shell and MCP calls come twice: in events of their own, which can ask, and in the general ones, which have the id of the call. */
const OF_OWN_EVENTS = /^(?:Shell$|MCP:|mcp)/

/** Source: cursor.com/docs/hooks, 2026. An empty answer under `failClosed` counts as a failure, so each gets one. */
export const cursor: HookClient = {
  name: 'cursor',
  title: 'Cursor',
  read: (payload, given) => {
    const event = textIn(payload, 'hook_event_name') ?? given ?? ''
    const kind = kindOf(EVENTS, event)
    if (kind === undefined) return undefined
    const session = {
      session: needed(payload, 'conversation_id'),
      folder: firstFolder(payload['workspace_roots']) ?? textIn(payload, 'cwd'),
    }
    if (kind === 'prompted') return { kind, ...session, text: textIn(payload, 'prompt') ?? '' }
    if (kind !== 'step-proposed' && kind !== 'step-completed') return { kind, ...session }
    const call = callOf(event, payload)
    if (call === undefined) return undefined
    if (kind === 'step-proposed') return { kind, ...session, ...call, canAsk: event !== 'preToolUse' }
    const result = valueIn(payload, 'output', 'result_json', 'tool_output', 'error_message')
    return { kind, ...session, ...call, result, isError: event === 'postToolUseFailure' }
  },
  reply: ({ verdict, text }, event) => {
    if (event?.kind === 'prompted') return said({ continue: true })
    // Of a call that another event asks about.
    if (event === undefined) return said({ permission: 'allow' })
    if (event.kind !== 'step-proposed') return NOTHING
    if (verdict === 'allow' || verdict === 'warn') return said({ permission: 'allow' })
    // Where it cannot ask, a call runs after `ask`.
    const permission = verdict === 'confirm' && event.canAsk ? 'ask' : 'deny'
    return said({ permission, user_message: text, agent_message: text })
  },
  mild: new Set(['Read', 'Grep', 'Write', 'Glob', 'TodoWrite']),
}

/** The call of an event; undefined if another event reports it, or if it was refused and did not run. */
function callOf(event: string, payload: Payload) {
  if (event.endsWith('ShellExecution')) {
    const command = needed(payload, 'command')
    const cwd = textIn(payload, 'cwd')
    return {
      // The event after the call has neither its id nor its folder.
      call: JSON.stringify([textIn(payload, 'generation_id') ?? '', command]),
      tool: 'Shell',
      arguments: cwd === undefined ? { command } : { command, cwd },
      isRemote: false,
    }
  }
  const tool = needed(payload, 'tool_name')
  const call = { tool, arguments: argumentsIn(payload, 'tool_input') }
  if (event.endsWith('MCPExecution')) return { ...call, isRemote: true }
  if (OF_OWN_EVENTS.test(tool) || textIn(payload, 'failure_type') === 'permission_denied') return undefined
  return { ...call, call: textIn(payload, 'tool_use_id'), isRemote: false }
}
