import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursor } from './cursor.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = {
  conversation_id: 'conv-5',
  generation_id: 'gen-9',
  model: 'composer-2',
  cursor_version: '3.1.0',
  workspace_roots: ['/srv/blog', '/srv/theme'],
  user_email: null,
  transcript_path: null,
}
const OF = { session: 'conv-5', folder: '/srv/blog' }

const SHELL_CALL = JSON.stringify(['gen-9', 'hugo deploy'])
const MCP = { tool_name: 'send_mail', tool_input: '{"to":"ada@example.com"}', mcp_server_name: 'mail' }
const OF_MCP = { ...OF, tool: 'send_mail', arguments: { to: 'ada@example.com' }, isRemote: true }

const WRITE = {
  tool_name: 'Write',
  tool_input: { file_path: '/srv/blog/a.md', content: '# A' },
  tool_use_id: 'tool_7',
  cwd: '/srv/blog',
}
const OF_WRITE = { ...OF, call: 'tool_7', tool: 'Write', arguments: WRITE.tool_input, isRemote: false }

const general = (hook_event_name: string, tool_name: string) => ({
  payload: { ...SESSION, hook_event_name, tool_name, tool_input: {}, tool_use_id: 'tool_8' },
  means: undefined,
})

checkReads(cursor, {
  session: 'conversation_id',
  samples: {
    'a shell call before it runs': {
      payload: {
        ...SESSION,
        hook_event_name: 'beforeShellExecution',
        command: 'hugo deploy',
        cwd: '/srv/blog/site',
        sandbox: false,
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: SHELL_CALL,
        tool: 'Shell',
        arguments: { command: 'hugo deploy', cwd: '/srv/blog/site' },
        isRemote: false,
        canAsk: true,
      },
    },
    // Without the folder: the call is the same by `call`.
    'the output of a shell call': {
      payload: {
        ...SESSION,
        hook_event_name: 'afterShellExecution',
        command: 'hugo deploy',
        output: '12 files',
        duration: 800,
        sandbox: false,
      },
      means: {
        ...OF,
        kind: 'step-completed',
        call: SHELL_CALL,
        tool: 'Shell',
        arguments: { command: 'hugo deploy' },
        isRemote: false,
        result: '12 files',
        isError: false,
      },
    },
    'a shell call without output': {
      payload: {
        ...SESSION,
        hook_event_name: 'afterShellExecution',
        command: 'hugo deploy',
        output: '',
        duration: 2,
      },
      means: {
        ...OF,
        kind: 'step-completed',
        call: SHELL_CALL,
        tool: 'Shell',
        arguments: { command: 'hugo deploy' },
        isRemote: false,
        result: '',
        isError: false,
      },
    },
    'an MCP call before it runs': {
      payload: { ...SESSION, ...MCP, hook_event_name: 'beforeMCPExecution', command: 'mail-mcp --stdio' },
      means: { ...OF_MCP, kind: 'step-proposed', canAsk: true },
    },
    'an MCP call whose arguments are no JSON': {
      payload: { ...SESSION, ...MCP, hook_event_name: 'beforeMCPExecution', tool_input: '{"to":"ada@' },
      means: { ...OF_MCP, arguments: { input: '{"to":"ada@' }, kind: 'step-proposed', canAsk: true },
    },
    'the result of an MCP call': {
      payload: {
        ...SESSION,
        ...MCP,
        hook_event_name: 'afterMCPExecution',
        result_json: '{"id":3}',
        duration: 90,
      },
      means: { ...OF_MCP, kind: 'step-completed', result: '{"id":3}', isError: false },
    },
    'an edit before it runs': {
      payload: { ...SESSION, ...WRITE, hook_event_name: 'preToolUse', agent_message: 'I write the page.' },
      means: { ...OF_WRITE, kind: 'step-proposed', canAsk: false },
    },
    'a result': {
      payload: {
        ...SESSION,
        ...WRITE,
        hook_event_name: 'postToolUse',
        tool_output: '{"ok":true}',
        duration: 4,
      },
      means: { ...OF_WRITE, kind: 'step-completed', result: '{"ok":true}', isError: false },
    },
    'a failure': {
      payload: {
        ...SESSION,
        ...WRITE,
        hook_event_name: 'postToolUseFailure',
        error_message: 'The disk is full',
        failure_type: 'error',
        is_interrupt: false,
      },
      means: { ...OF_WRITE, kind: 'step-completed', result: 'The disk is full', isError: true },
    },
    'a call that was denied and did not run': {
      payload: {
        ...SESSION,
        ...WRITE,
        hook_event_name: 'postToolUseFailure',
        error_message: REASON,
        failure_type: 'permission_denied',
      },
      means: undefined,
    },
    'a sub-agent, which is a call': {
      payload: {
        ...SESSION,
        hook_event_name: 'preToolUse',
        tool_name: 'Task',
        tool_input: { description: 'Look around' },
        tool_use_id: 'tool_9',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'tool_9',
        tool: 'Task',
        arguments: { description: 'Look around' },
        isRemote: false,
        canAsk: false,
      },
    },
    'a shell call in the general event': general('preToolUse', 'Shell'),
    'an MCP call in the general event': general('preToolUse', 'MCP:send_mail'),
    'the result of a shell call in the general event': general('postToolUse', 'Shell'),
    'a failed MCP call in the general event': general('postToolUseFailure', 'MCP:send_mail'),
    'a prompt': {
      payload: { ...SESSION, hook_event_name: 'beforeSubmitPrompt', prompt: 'Deploy', attachments: [] },
      means: { ...OF, kind: 'prompted', text: 'Deploy' },
    },
    'the end of a turn': {
      payload: { ...SESSION, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a session': {
      payload: { ...SESSION, hook_event_name: 'sessionEnd', session_id: 'conv-5', reason: 'window_close' },
      means: { ...OF, kind: 'session-ended' },
    },
    'a window that opens, which does not matter': {
      payload: { hook_event_name: 'workspaceOpen', cursor_version: '3.1.0', workspace_roots: ['/srv/blog'] },
      means: undefined,
    },
  },
})

const answered = (permission: string) => ({
  stdout: { permission, user_message: REASON, agent_message: REASON },
})
const RUNS = { stdout: { permission: 'allow' } }

checkReplies(cursor, proposed(true), {
  allow: RUNS,
  warn: RUNS,
  confirm: answered('ask'),
  block: answered('deny'),
})
// A general event takes `ask`, and the call runs.
checkReplies(cursor, proposed(false), {
  allow: RUNS,
  warn: RUNS,
  confirm: answered('deny'),
  block: answered('deny'),
})
checkOthers(cursor, (kind) => {
  if (kind === undefined) return { permission: 'allow' }
  return kind === 'prompted' ? { continue: true } : undefined
})

test('Cursor gets a text for each event that waits for one', () => {
  for (const [hook_event_name, more] of [
    ['beforeShellExecution', { command: 'ls' }],
    ['beforeMCPExecution', MCP],
    ['preToolUse', WRITE],
    ['preToolUse', { tool_name: 'Shell' }],
    ['preToolUse', { tool_name: 'MCP:send_mail' }],
    ['beforeReadFile', { file_path: '/srv/blog/a.md' }],
    ['subagentStart', { subagent_id: 'x' }],
    ['beforeSubmitPrompt', { prompt: 'Deploy' }],
  ] as const)
    for (const verdict of ['allow', 'warn', 'confirm', 'block'] as const) {
      const event = cursor.read({ ...SESSION, ...more, hook_event_name })
      assert.notEqual(cursor.reply({ verdict, text: REASON }, event).stdout, '', hook_event_name)
    }
})
