import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { HookClient, HookEvent, Payload } from '../event.js'
import { HOOK_CLIENTS } from './index.js'

/** What a client documents: calls before and after they run, of the agent and, where there is such a form, of a sub-agent. */
interface Documented {
  readonly before: readonly Payload[]
  readonly after: readonly Payload[]
  readonly ofSubAgent?: Payload
  /** For clients that do not send the event's name. */
  readonly events?: readonly [before: string, after: string]
}

const BASH = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 't' }
const PRE = { session_id: 's', hook_event_name: 'PreToolUse', ...BASH }
const POST = { session_id: 's', hook_event_name: 'PostToolUse', ...BASH, tool_response: 'made' }
const CLAUDE_LIKE: Documented = { before: [PRE], after: [POST], ofSubAgent: { ...PRE, agent_id: 'a' } }

const ofCursor = (hook_event_name: string, more: Payload) => ({
  conversation_id: 's',
  hook_event_name,
  ...more,
})
const ofWindsurf = (agent_action_name: string, tool_info: Payload) => ({
  trajectory_id: 's',
  agent_action_name,
  tool_info,
})
const ofCline = (hookName: string, member: string, more: Payload) => ({
  taskId: 's',
  hookName,
  [member]: { toolName: 'run_commands', parameters: {}, ...more },
})
const MCP = { mcp_tool_name: 'build', mcp_tool_arguments: {} }

const DOCUMENTED: Readonly<Record<string, Documented>> = {
  'claude-code': CLAUDE_LIKE,
  codex: CLAUDE_LIKE,
  qwen: CLAUDE_LIKE,
  gemini: {
    before: [{ ...PRE, hook_event_name: 'BeforeTool' }],
    after: [{ ...POST, hook_event_name: 'AfterTool', tool_response: { llmContent: 'made' } }],
  },
  cursor: {
    before: [
      ofCursor('beforeShellExecution', { command: 'make', cwd: '/w' }),
      ofCursor('beforeMCPExecution', { tool_name: 'build', tool_input: '{}' }),
      ofCursor('preToolUse', { tool_name: 'Write', tool_input: {} }),
    ],
    after: [
      ofCursor('afterShellExecution', { command: 'make', output: 'made' }),
      ofCursor('afterMCPExecution', { tool_name: 'build', tool_input: '{}', result_json: '{}' }),
      ofCursor('postToolUse', { tool_name: 'Write', tool_input: {}, tool_output: '{}' }),
    ],
  },
  copilot: {
    before: [{ sessionId: 's', toolName: 'bash', toolArgs: {} }],
    after: [{ sessionId: 's', toolName: 'bash', toolArgs: {}, toolResult: { resultType: 'success' } }],
    events: ['preToolUse', 'postToolUse'],
  },
  vscode: {
    before: [{ sessionId: 's', hookEventName: 'PreToolUse', ...BASH }],
    after: [{ sessionId: 's', hookEventName: 'PostToolUse', ...BASH, tool_response: 'made' }],
  },
  opencode: {
    before: [{ sessionID: 's', event: 'tool.execute.before', tool: 'bash', args: {} }],
    after: [{ sessionID: 's', event: 'tool.execute.after', tool: 'bash', args: {}, output: 'made' }],
    ofSubAgent: { sessionID: 'a', rootID: 's', event: 'tool.execute.before', tool: 'bash', args: {} },
  },
  cline: {
    before: [ofCline('PreToolUse', 'preToolUse', {})],
    after: [ofCline('PostToolUse', 'postToolUse', { result: 'made', success: true })],
  },
  windsurf: {
    before: [
      ofWindsurf('pre_run_command', { command_line: 'make' }),
      ofWindsurf('pre_mcp_tool_use', MCP),
      ofWindsurf('pre_write_code', { file_path: 'a', edits: [] }),
    ],
    after: [
      ofWindsurf('post_run_command', { command_line: 'make' }),
      ofWindsurf('post_mcp_tool_use', { ...MCP, mcp_result: 'made' }),
      ofWindsurf('post_write_code', { file_path: 'a', edits: [] }),
    ],
  },
  goose: {
    before: [{ session_id: 's', event: 'PreToolUse', tool_name: 'developer__shell' }],
    after: [{ session_id: 's', event: 'PostToolUse', tool_name: 'developer__shell', tool_output: 'made' }],
  },
}

const page = readFileSync(new URL('../../../../docs/reference/coding-agents.md', import.meta.url), 'utf8')

/** The cells of the table by column, row by row. */
const rows = (() => {
  const [head = [], , ...body] = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  return body.map((cells) => new Map(head.map((name, at) => [name, cells[at] ?? ''])))
})()

function read<K extends HookEvent['kind']>(client: HookClient, kind: K, payload: Payload, event?: string) {
  const found = client.read(payload, event)
  assert.equal(found?.kind, kind)
  return found as Extract<HookEvent, { readonly kind: K }>
}

/** `yes` for all, `no` for none; else the cell names which. */
function assertCell(cell: string | undefined, each: readonly boolean[]): void {
  assert.ok(each.length > 0)
  if (each.every(Boolean)) assert.equal(cell, 'yes')
  else if (!each.some(Boolean)) assert.equal(cell, 'no')
  else assert.doesNotMatch(cell ?? '', /^(?:yes|no|)$/)
}

test('the page has one row for each agent, in the order of the list', () => {
  assert.deepEqual(
    rows.map((row) => row.get('Agent')),
    HOOK_CLIENTS.map(({ title }) => title),
  )
  for (const row of rows) assert.ok([...row.values()].every((cell) => cell !== ''))
})

for (const client of HOOK_CLIENTS)
  test(`the row of ${client.title} says what its adapter does`, () => {
    const row = rows.find((cells) => cells.get('Agent') === client.title)
    const documented = DOCUMENTED[client.name]
    assert.ok(row && documented)
    const { before, after, ofSubAgent, events: [pre, post] = [] } = documented
    const asks = before.map((payload) => read(client, 'step-proposed', payload, pre).canAsk)
    assertCell(row.get('Asks'), asks)
    const results = after.map((payload) => read(client, 'step-completed', payload, post).result)
    assertCell(
      row.get('Results'),
      results.map((result) => result !== undefined),
    )
    const agent = ofSubAgent && read(client, 'step-proposed', ofSubAgent, pre).agent
    assertCell(row.get('Sub-agents'), [agent !== undefined])
  })
