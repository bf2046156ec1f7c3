import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windsurf } from './windsurf.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = { trajectory_id: 'traj-3', execution_id: 'exec-1', timestamp: '2026-11-04T09:00:00Z' }

const COMMAND = { command_line: 'terraform destroy', cwd: '/infra' }
const OF_COMMAND = {
  session: 'traj-3',
  folder: '/infra',
  tool: 'run_command',
  arguments: { command: 'terraform destroy', cwd: '/infra' },
  isRemote: false,
}

const WRITE = { file_path: '/infra/main.tf', edits: [{ old_string: '1', new_string: '2' }] }
const OF_WRITE = { session: 'traj-3', tool: 'write_code', arguments: WRITE, isRemote: false }

const READ = { file_path: '/infra/main.tf' }
const OF_READ = { session: 'traj-3', tool: 'read_code', arguments: READ, isRemote: false }

const MCP = { mcp_server_name: 'cloud', mcp_tool_name: 'delete_vm', mcp_tool_arguments: { id: 'vm-1' } }
const OF_MCP = { session: 'traj-3', tool: 'delete_vm', arguments: { id: 'vm-1' }, isRemote: true }

const event = (agent_action_name: string, tool_info: object) => ({
  ...SESSION,
  agent_action_name,
  tool_info,
})

checkReads(windsurf, {
  session: 'trajectory_id',
  samples: {
    'a shell call before it runs': {
      payload: event('pre_run_command', COMMAND),
      means: { ...OF_COMMAND, kind: 'step-proposed', canAsk: false },
    },
    'an edit before it runs': {
      payload: event('pre_write_code', WRITE),
      means: { ...OF_WRITE, kind: 'step-proposed', canAsk: false },
    },
    'a file before it is read': {
      payload: event('pre_read_code', READ),
      means: { ...OF_READ, kind: 'step-proposed', canAsk: false },
    },
    'an MCP call before it runs': {
      payload: event('pre_mcp_tool_use', MCP),
      means: { ...OF_MCP, kind: 'step-proposed', canAsk: false },
    },
    'a command that ran, without what it printed': {
      payload: event('post_run_command', COMMAND),
      means: { ...OF_COMMAND, kind: 'step-completed', result: undefined, isError: false },
    },
    'a command that failed, with more than is documented': {
      payload: event('post_run_command', { ...COMMAND, exit_code: 1, output: 'No state' }),
      means: { ...OF_COMMAND, kind: 'step-completed', result: 'No state', isError: true },
    },
    'a command that ran, with more than is documented': {
      payload: event('post_run_command', { ...COMMAND, exit_code: 0, output: 'Destroyed' }),
      means: { ...OF_COMMAND, kind: 'step-completed', result: 'Destroyed', isError: false },
    },
    'an edit that was made': {
      payload: event('post_write_code', WRITE),
      means: { ...OF_WRITE, kind: 'step-completed', result: undefined, isError: false },
    },
    'a file that was read': {
      payload: event('post_read_code', READ),
      means: { ...OF_READ, kind: 'step-completed', result: undefined, isError: false },
    },
    'the result of an MCP call': {
      payload: event('post_mcp_tool_use', { ...MCP, mcp_result: 'deleted' }),
      means: { ...OF_MCP, kind: 'step-completed', result: 'deleted', isError: false },
    },
    'the end of a turn': {
      payload: event('post_cascade_response', { response: 'Done.' }),
      means: { session: 'traj-3', kind: 'turn-ended' },
    },
    // By its documentation the id is always empty here: a denial would stop each prompt.
    'a prompt without a conversation, which does not matter': {
      payload: { ...event('pre_user_prompt', { user_prompt: 'Destroy it' }), trajectory_id: '' },
      means: undefined,
    },
    'a new worktree, which does not matter': {
      payload: event('post_setup_worktree', { worktree_path: '/infra-2' }),
      means: undefined,
    },
  },
})

test('Windsurf: a prompt with a conversation is read', () => {
  assert.deepEqual(windsurf.read(event('pre_user_prompt', { user_prompt: 'Destroy it' })), {
    kind: 'prompted',
    session: 'traj-3',
    folder: undefined,
    text: 'Destroy it',
  })
})

// The reason is what it writes on stderr.
for (const canAsk of [true, false])
  checkReplies(windsurf, proposed(canAsk), {
    allow: {},
    warn: {},
    confirm: { stderr: `${REASON}\n`, exitCode: 2 },
    block: { stderr: `${REASON}\n`, exitCode: 2 },
  })
checkOthers(windsurf, () => undefined)
