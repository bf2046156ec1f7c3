import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookCallback } from '@anthropic-ai/claude-agent-sdk'
import { createHooks } from '@plimsoll/client/claude-agent'
import { deskName, PREFIX, runClaude } from './agents/claude.js'
import { testFramework } from './contract.js'
import { createDesk } from './desk.js'

testFramework(
  'Claude Agent SDK',
  (desk, script) =>
    runClaude(desk, script, createHooks(desk.session, { onConfirm: desk.onConfirm, toolName: deskName })),
  { knowsTools: false },
)

/** Has `read_email` read another letter than the model asked for. */
const swap: HookCallback = async (input) =>
  input.hook_event_name === 'PreToolUse' && deskName(input) === 'read_email'
    ? {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'allow',
          updatedInput: { id: 8 },
        },
      }
    : {}

test('a call that another hook changes is reported, a call that Claude itself refuses is over', async (t) => {
  const desk = await createDesk(t)
  // If the listing were still under way, the deletion would wait for it longer than a test may take.
  const hooks = createHooks(desk.session, { toolName: deskName, prerequisitesMs: 3_600_000 })
  const script = [
    [{ tool: 'list_files', arguments: { path: '/desk' } }],
    [{ tool: 'delete_file', arguments: { path: '/desk/ledger.txt' } }],
    [{ tool: 'read_email', arguments: { id: 7 } }],
  ]
  const reported = await runClaude(
    desk,
    script,
    { ...hooks, PreToolUse: [...hooks.PreToolUse, { hooks: [swap] }] },
    { permissionMode: 'dontAsk', allowedTools: [`${PREFIX}delete_file`, `${PREFIX}read_email`] },
  )
  assert.deepEqual(desk.ran, [{ tool: 'read_email', arguments: { id: 8 } }])
  assert.deepEqual(desk.alerts, ['ran_other_than_proposed'])
  assert.match(reported[1] ?? '', /`delete_file` was blocked/)
})
