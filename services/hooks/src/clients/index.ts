import type { HookClient } from '../event.js'
import { claudeCode } from './claude-code.js'
import { cline } from './cline.js'
import { codex } from './codex.js'
import { copilot } from './copilot.js'
import { cursor } from './cursor.js'
import { gemini } from './gemini.js'
import { goose } from './goose.js'
import { opencode } from './opencode.js'
import { qwen } from './qwen.js'
import { vscode } from './vscode.js'
import { windsurf } from './windsurf.js'

/** All coding agents that have hooks for Plimsoll. A new one is a file here, a line in this list, and a row of places in `services/cli`. */
export const HOOK_CLIENTS: readonly HookClient[] = [
  claudeCode,
  codex,
  gemini,
  cursor,
  copilot,
  vscode,
  opencode,
  cline,
  windsurf,
  goose,
  qwen,
]

export const findHookClient = (name: string): HookClient | undefined =>
  HOOK_CLIENTS.find((client) => client.name === name)
