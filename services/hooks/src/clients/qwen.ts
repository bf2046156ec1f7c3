import type { HookClient } from '../event.js'
import { textIn } from '../payload.js'
import { CLAUDE_EVENTS, type Dialect, isOfMcp, readClaudeLike, replyClaudeLike } from './claude-like.js'

const DIALECT: Dialect = {
  events: CLAUDE_EVENTS,
  // In `yolo` no dialog may come up.
  canAsk: (payload) => textIn(payload, 'permission_mode') !== 'yolo',
  isError: (_, event) => event === 'PostToolUseFailure',
  isRemote: isOfMcp,
  // `prompt` is also what tools returned. Only its terminal marks what the user wrote.
  wordsOf: (payload) => textIn(payload, 'submitted_prompt'),
}

/** Source: docs/users/features/hooks.md of Qwen Code, 2026. */
export const qwen: HookClient = {
  name: 'qwen',
  title: 'Qwen Code',
  read: (payload, event) => readClaudeLike(payload, event, DIALECT),
  reply: replyClaudeLike,
  mild: new Set(['read_file', 'list_directory', 'glob', 'grep_search', 'lsp', 'skill', 'todo_write', 'task_create', 'task_get', 'task_list', 'task_update', 'ask_user_question', 'exit_plan_mode', 'write_file', 'edit', 'replace']), // prettier-ignore
}
