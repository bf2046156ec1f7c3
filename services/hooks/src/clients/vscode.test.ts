import { vscode } from './vscode.js'
import {
  CLAUDE_WARNING,
  checkOthers,
  checkReads,
  checkReplies,
  claudeReply,
  proposed,
} from './check-client.js'

const SESSION = {
  timestamp: '2026-11-03T08:00:00.000Z',
  cwd: '/home/lin/app',
  sessionId: 'vs-12',
  transcript_path: '/home/lin/.config/Code/vs-12.json',
}
const OF = { session: 'vs-12', folder: '/home/lin/app' }

const TERMINAL = {
  tool_name: 'runTerminalCommand',
  tool_input: { command: 'docker system prune -af', explanation: 'Free the disk', isBackground: false },
  tool_use_id: 'tool-31',
}
const OF_TERMINAL = {
  ...OF,
  call: 'tool-31',
  tool: 'runTerminalCommand',
  arguments: TERMINAL.tool_input,
  isRemote: false,
}

const EDIT = { filePath: '/home/lin/app/a.ts', oldString: 'a', newString: 'b' }

checkReads(vscode, {
  session: 'sessionId',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...TERMINAL, hookEventName: 'PreToolUse' },
      means: { ...OF_TERMINAL, kind: 'step-proposed', canAsk: true },
    },
    'the spelling of Claude Code': {
      payload: { cwd: '/home/lin/app', ...TERMINAL, session_id: 'vs-12', hook_event_name: 'PreToolUse' },
      means: { ...OF_TERMINAL, kind: 'step-proposed', canAsk: true },
    },
    'an edit before it runs': {
      payload: {
        ...SESSION,
        hookEventName: 'PreToolUse',
        tool_name: 'replace_string_in_file',
        tool_input: EDIT,
        tool_use_id: 'tool-32',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'tool-32',
        tool: 'replace_string_in_file',
        arguments: EDIT,
        isRemote: false,
        canAsk: true,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        hookEventName: 'PreToolUse',
        tool_name: 'mcp_tickets_close',
        tool_input: { id: 8 },
        tool_use_id: 'tool-33',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'tool-33',
        tool: 'mcp_tickets_close',
        arguments: { id: 8 },
        isRemote: true,
        canAsk: true,
      },
    },
    'a result': {
      payload: { ...SESSION, ...TERMINAL, hookEventName: 'PostToolUse', tool_response: 'Reclaimed 4 GB' },
      means: { ...OF_TERMINAL, kind: 'step-completed', result: 'Reclaimed 4 GB', isError: false },
    },
    'a completed call without its result': {
      payload: { ...SESSION, ...TERMINAL, hookEventName: 'PostToolUse' },
      means: { ...OF_TERMINAL, kind: 'step-completed', result: undefined, isError: false },
    },
    'a prompt': {
      payload: { ...SESSION, hookEventName: 'UserPromptSubmit', prompt: 'Free the disk' },
      means: { ...OF, kind: 'prompted', text: 'Free the disk' },
    },
    'the end of a turn': {
      payload: { ...SESSION, hookEventName: 'Stop', stop_hook_active: false },
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a sub-agent': {
      payload: {
        ...SESSION,
        hookEventName: 'SubagentStop',
        agent_id: 'subagent-2',
        agent_type: 'Plan',
        stop_hook_active: false,
      },
      means: { ...OF, kind: 'agent-ended', agent: 'subagent-2' },
    },
    'the start of a sub-agent, which does not matter': {
      payload: { ...SESSION, hookEventName: 'SubagentStart', agent_id: 'subagent-2', agent_type: 'Plan' },
      means: undefined,
    },
    'the end of a session, which it does not send': {
      payload: { ...SESSION, hookEventName: 'SessionEnd' },
      means: { ...OF, kind: 'session-ended' },
    },
  },
})

checkReplies(vscode, proposed(true), {
  allow: {},
  warn: CLAUDE_WARNING,
  confirm: claudeReply('ask'),
  block: claudeReply('deny'),
})
checkReplies(vscode, proposed(false), {
  allow: {},
  warn: CLAUDE_WARNING,
  confirm: claudeReply('deny'),
  block: claudeReply('deny'),
})
checkOthers(vscode, () => undefined)
