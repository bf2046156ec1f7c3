import { claudeCode } from './claude-code.js'
import {
  CLAUDE_WARNING,
  checkOthers,
  checkReads,
  checkReplies,
  claudeReply,
  proposed,
} from './check-client.js'

const SESSION = {
  session_id: '0b6f-main',
  transcript_path: '/home/mia/.claude/projects/shop/0b6f-main.jsonl',
  cwd: '/home/mia/shop',
  permission_mode: 'default',
}
const OF = { session: '0b6f-main', folder: '/home/mia/shop' }

const BASH = {
  tool_name: 'Bash',
  tool_input: { command: 'npm run migrate', description: 'Migrate the database' },
  tool_use_id: 'toolu_11',
}
const OF_BASH = { ...OF, call: 'toolu_11', tool: 'Bash', arguments: BASH.tool_input, isRemote: false }

const before = (permission_mode: string) => ({
  payload: { ...SESSION, ...BASH, permission_mode, hook_event_name: 'PreToolUse' },
  means: {
    ...OF_BASH,
    kind: 'step-proposed' as const,
    canAsk: !['auto', 'bypassPermissions', 'dontAsk'].includes(permission_mode),
  },
})

const prompt = (source: string | undefined, text = 'Rename the column') => ({
  payload: {
    ...SESSION,
    hook_event_name: 'UserPromptSubmit',
    prompt: text,
    ...(source !== undefined && { source }),
  },
  means: { ...OF, kind: 'prompted' as const, text },
})

const EDIT = { file_path: '/home/mia/shop/a.ts', old_string: 'let', new_string: 'const', replace_all: false }

checkReads(claudeCode, {
  session: 'session_id',
  samples: {
    'a shell call before it runs': before('default'),
    'a shell call in mode auto': before('auto'),
    'a shell call in mode acceptEdits': before('acceptEdits'),
    'a shell call in mode plan': before('plan'),
    'a shell call in a mode without dialogs': before('bypassPermissions'),
    'a shell call in mode dontAsk': before('dontAsk'),
    'an edit before it runs': {
      payload: {
        ...SESSION,
        hook_event_name: 'PreToolUse',
        tool_name: 'Edit',
        tool_input: EDIT,
        tool_use_id: 'toolu_12',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'toolu_12',
        tool: 'Edit',
        arguments: EDIT,
        isRemote: false,
        canAsk: true,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        hook_event_name: 'PreToolUse',
        tool_name: 'mcp__issues__close',
        tool_input: { number: 7 },
        tool_use_id: 'toolu_13',
        mcp_server: { name: 'issues', source: 'project' },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'toolu_13',
        tool: 'mcp__issues__close',
        arguments: { number: 7 },
        isRemote: true,
        canAsk: true,
      },
    },
    'a call of a sub-agent': {
      payload: {
        ...SESSION,
        ...BASH,
        hook_event_name: 'PreToolUse',
        agent_id: 'agent-3',
        agent_type: 'Explore',
      },
      means: { ...OF_BASH, agent: 'agent-3', kind: 'step-proposed', canAsk: true },
    },
    'a result': {
      payload: {
        ...SESSION,
        ...BASH,
        hook_event_name: 'PostToolUse',
        tool_response: { stdout: '3 rows', stderr: '', interrupted: false },
        duration_ms: 410,
      },
      means: {
        ...OF_BASH,
        kind: 'step-completed',
        result: { stdout: '3 rows', stderr: '', interrupted: false },
        isError: false,
      },
    },
    'a failure': {
      payload: {
        ...SESSION,
        ...BASH,
        hook_event_name: 'PostToolUseFailure',
        error: 'Exit code 1',
        is_interrupt: false,
      },
      means: { ...OF_BASH, kind: 'step-completed', result: 'Exit code 1', isError: true },
    },
    'a completed call without its result': {
      payload: { ...SESSION, ...BASH, hook_event_name: 'PostToolUse' },
      means: { ...OF_BASH, kind: 'step-completed', result: undefined, isError: false },
    },
    'a prompt of older versions': prompt(undefined),
    'a prompt of the user': prompt('user'),
    'a prompt of a program': prompt('sdk'),
    'a notification of older versions': {
      ...prompt(undefined, '<task-notification>\n<result>delete all</result>'),
      means: undefined,
    },
    'a message of the machine': { ...prompt('system'), means: undefined },
    'a wake-up that the agent has set': { ...prompt('schedule_wakeup'), means: undefined },
    'a loop': { ...prompt('loop_wakeup'), means: undefined },
    'what starts a sub-agent': {
      payload: { ...prompt('user').payload, agent_id: 'agent-3' },
      means: undefined,
    },
    'the end of a turn': {
      payload: { ...SESSION, hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] },
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a sub-agent': {
      payload: {
        ...SESSION,
        hook_event_name: 'SubagentStop',
        agent_id: 'agent-3',
        agent_type: 'Explore',
        agent_transcript_path: '/home/mia/.claude/projects/shop/agent-3.jsonl',
        stop_hook_active: false,
      },
      means: { ...OF, kind: 'agent-ended', agent: 'agent-3' },
    },
    'the end of a session': {
      payload: { ...SESSION, hook_event_name: 'SessionEnd', reason: 'logout' },
      means: { ...OF, kind: 'session-ended' },
    },
    'its start, which does not matter': {
      payload: { ...SESSION, hook_event_name: 'SessionStart', source: 'startup' },
      means: undefined,
    },
  },
})

checkReplies(claudeCode, proposed(true), {
  allow: {},
  warn: CLAUDE_WARNING,
  confirm: claudeReply('ask'),
  block: claudeReply('deny'),
})
checkReplies(claudeCode, proposed(false), {
  allow: {},
  warn: CLAUDE_WARNING,
  confirm: claudeReply('deny'),
  block: claudeReply('deny'),
})
checkOthers(claudeCode, () => undefined)
