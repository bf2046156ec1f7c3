import { type HookClient, NOTHING, type Payload, said } from '../event.js'
import { argumentsIn, needed, objectIn, textIn, valueIn } from '../payload.js'

/** Source: docs.windsurf.com, hooks of Cascade. A blocked call is exit code 2 and a text on stderr. */
export const windsurf: HookClient = {
  name: 'windsurf',
  title: 'Windsurf',
  read: (payload, given) => {
    const event = textIn(payload, 'agent_action_name') ?? given ?? ''
    const info = objectIn(payload, 'tool_info')
    const sessionOf = () => ({ session: needed(payload, 'trajectory_id'), folder: textIn(info, 'cwd') })
    if (event === 'pre_user_prompt') {
      // By the documentation, prompts have no id of the conversation: then they belong to none.
      if (textIn(payload, 'trajectory_id') === undefined) return undefined
      return { kind: 'prompted', ...sessionOf(), text: textIn(info, 'user_prompt') ?? '' }
    }
    if (event === 'post_cascade_response') return { kind: 'turn-ended', ...sessionOf() }
    const [, when, what = ''] = /^(pre|post)_(\w+)$/.exec(event) ?? []
    const call = callOf(what, info)
    if (call === undefined) return undefined
    if (when === 'pre') return { kind: 'step-proposed', ...sessionOf(), ...call, canAsk: false }
    const exitCode = info['exit_code']
    return {
      kind: 'step-completed',
      ...sessionOf(),
      ...call,
      // Documented for MCP; others have seen the output of commands.
      result: valueIn(info, 'mcp_result', 'output'),
      isError: typeof exitCode === 'number' && exitCode !== 0,
    }
  },
  reply: ({ verdict, text }, event) => {
    const stops = event?.kind === 'step-proposed' && (verdict === 'block' || verdict === 'confirm')
    return stops ? said(undefined, { stderr: `${text}\n`, exitCode: 2 }) : NOTHING
  },
  mild: new Set(['read_code', 'write_code']),
}

/** The same before and after the call, whose event may have more members. Undefined for what is no call. */
function callOf(what: string, info: Payload) {
  const { file_path, edits, command_line: command, cwd } = info
  switch (what) {
    case 'read_code':
      return { tool: what, arguments: { file_path }, isRemote: false }
    case 'write_code':
      return { tool: what, arguments: { file_path, edits }, isRemote: false }
    case 'run_command':
      return { tool: what, arguments: { command, cwd }, isRemote: false }
    case 'mcp_tool_use':
      return {
        tool: needed(info, 'mcp_tool_name'),
        arguments: argumentsIn(info, 'mcp_tool_arguments'),
        isRemote: true,
      }
    default:
      return undefined
  }
}
