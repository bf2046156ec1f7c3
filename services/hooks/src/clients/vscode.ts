import { type HookClient } from '../event.js'
import { CLAUDE_EVENTS, type Dialect, readClaudeLike, replyClaudeLike } from './claude-like.js'

const DIALECT: Dialect = {
  events: CLAUDE_EVENTS,
  canAsk: () => true,
  isError: () => false,
  // The form of names of MCP tools is not documented.
  isRemote: (tool) => tool.startsWith('mcp_'),
}

/** The local agent of VS Code, whose members mix two spellings. Source: docs/agents/reference/hooks-reference.md of VS Code, 2026. */
export const vscode: HookClient = {
  name: 'vscode',
  title: 'VS Code',
  read: (payload, event) => readClaudeLike(payload, event, DIALECT),
  reply: replyClaudeLike,
  mild: new Set(['read_file', 'list_dir', 'file_search', 'grep_search', 'semantic_search', 'get_errors', 'manage_todo_list', 'create_file', 'replace_string_in_file', 'insert_edit_into_file', 'apply_patch', 'editFiles']), // prettier-ignore
}
