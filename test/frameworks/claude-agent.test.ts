import { createHooks } from '@plimsoll/client/claude-agent'
import { deskName, runClaude } from './claude.js'
import { testFramework } from './contract.js'

testFramework('Claude Agent SDK', (desk, script) =>
  runClaude(desk, script, createHooks(desk.session, { onConfirm: desk.onConfirm, toolName: deskName })),
)
