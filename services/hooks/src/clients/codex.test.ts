import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codex } from './codex.js'
import { REASON, checkOthers, checkReads, checkReplies, claudeReply, proposed } from './check-client.js'

const SESSION = {
  session_id: '019a-root',
  turn_id: 'turn-2',
  transcript_path: null,
  cwd: '/srv/api',
  model: 'gpt-5.5-codex',
  permission_mode: 'default',
}
const OF = { session: '019a-root', folder: '/srv/api' }

const BASH = { tool_name: 'Bash', tool_input: { command: 'cargo publish' }, tool_use_id: 'call_1' }
const OF_BASH = { ...OF, call: 'call_1', tool: 'Bash', arguments: BASH.tool_input, isRemote: false }
const SUB = { agent_id: '019a-child', agent_type: 'worker' }

const PATCH = { command: '*** Begin Patch\n*** Add File: notes.md\n+hello\n*** End Patch' }

checkReads(codex, {
  session: 'session_id',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...BASH, hook_event_name: 'PreToolUse' },
      means: { ...OF_BASH, kind: 'step-proposed', canAsk: false },
    },
    'a patch before it is applied': {
      payload: {
        ...SESSION,
        hook_event_name: 'PreToolUse',
        tool_name: 'apply_patch',
        tool_input: PATCH,
        tool_use_id: 'call_2',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call_2',
        tool: 'apply_patch',
        arguments: PATCH,
        isRemote: false,
        canAsk: false,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        hook_event_name: 'PreToolUse',
        tool_name: 'mcp__wiki__write_page',
        tool_input: { page: 'Home' },
        tool_use_id: 'call_3',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call_3',
        tool: 'mcp__wiki__write_page',
        arguments: { page: 'Home' },
        isRemote: true,
        canAsk: false,
      },
    },
    'a call whose arguments are a text': {
      payload: {
        ...SESSION,
        hook_event_name: 'PreToolUse',
        tool_name: 'run_script',
        tool_input: 'drop table orders',
        tool_use_id: 'call_4',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call_4',
        tool: 'run_script',
        arguments: { input: 'drop table orders' },
        isRemote: false,
        canAsk: false,
      },
    },
    'a call of a sub-agent': {
      payload: { ...SESSION, ...BASH, ...SUB, hook_event_name: 'PreToolUse' },
      means: { ...OF_BASH, agent: '019a-child', kind: 'step-proposed', canAsk: false },
    },
    'a result': {
      payload: {
        ...SESSION,
        ...BASH,
        hook_event_name: 'PostToolUse',
        tool_response: { exit_code: 0, output: 'Uploaded' },
      },
      means: {
        ...OF_BASH,
        kind: 'step-completed',
        result: { exit_code: 0, output: 'Uploaded' },
        isError: false,
      },
    },
    'a result of a command that failed, in the same event': {
      payload: { ...SESSION, ...BASH, hook_event_name: 'PostToolUse', tool_response: 'error: not logged in' },
      means: { ...OF_BASH, kind: 'step-completed', result: 'error: not logged in', isError: false },
    },
    'a prompt': {
      payload: { ...SESSION, hook_event_name: 'UserPromptSubmit', prompt: 'Publish the crate' },
      means: { ...OF, kind: 'prompted', text: 'Publish the crate' },
    },
    'what starts a sub-agent': {
      payload: { ...SESSION, ...SUB, hook_event_name: 'UserPromptSubmit', prompt: 'Delete old tags' },
      means: undefined,
    },
    'the end of a turn': {
      payload: {
        ...SESSION,
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: 'Done.',
      },
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a sub-agent': {
      payload: { ...SESSION, ...SUB, hook_event_name: 'SubagentStop', stop_hook_active: false },
      means: { ...OF, kind: 'agent-ended', agent: '019a-child' },
    },
    'the end of a session': {
      payload: { ...SESSION, hook_event_name: 'SessionEnd' },
      means: { ...OF, kind: 'session-ended' },
    },
    'a request of its own dialog, which does not matter': {
      payload: {
        ...SESSION,
        hook_event_name: 'PermissionRequest',
        tool_name: 'Bash',
        tool_input: { command: 'cargo publish' },
      },
      means: undefined,
    },
  },
})

for (const canAsk of [true, false])
  checkReplies(codex, proposed(canAsk), {
    allow: {},
    warn: { stdout: { systemMessage: REASON } },
    confirm: claudeReply('deny'),
    block: claudeReply('deny'),
  })
checkOthers(codex, () => undefined)

/** What it takes before a call. It refuses other members, and a member of a call that it does not support: then the call runs. */
const TOP = new Set(['systemMessage', 'hookSpecificOutput'])
const SPECIFIC = new Set(['hookEventName', 'permissionDecision', 'permissionDecisionReason'])

test('Codex gets only members that it knows, and no decision but a denial with a reason', () => {
  for (const verdict of ['warn', 'confirm', 'block'] as const) {
    const answer = JSON.parse(codex.reply({ verdict, text: REASON }, proposed(true)).stdout) as {
      hookSpecificOutput?: Record<string, unknown>
    }
    assert.deepEqual(
      Object.keys(answer).filter((name) => !TOP.has(name)),
      [],
    )
    const specific = answer.hookSpecificOutput
    if (specific === undefined) continue
    assert.deepEqual(
      Object.keys(specific).filter((name) => !SPECIFIC.has(name)),
      [],
    )
    assert.equal(specific['permissionDecision'], 'deny')
    assert.notEqual(specific['permissionDecisionReason'], '')
  }
})
