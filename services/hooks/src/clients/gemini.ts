import { type HookClient, said } from '../event.js'
import { isObject, objectIn, valueIn } from '../payload.js'
import { type Dialect, promptOf, readClaudeLike } from './claude-like.js'

/** After it stand the texts of the files that the prompt mentions. */
const FILES = '\n--- Content from referenced files ---'

const DIALECT: Dialect = {
  events: {
    BeforeTool: 'step-proposed',
    AfterTool: 'step-completed',
    BeforeAgent: 'prompted',
    AfterAgent: 'turn-ended',
    SessionEnd: 'session-ended',
  },
  // Its code knows `ask`, its documentation does not: it could be allowed.
  canAsk: () => false,
  isError: (payload) => valueIn(objectIn(payload, 'tool_response'), 'error') !== undefined,
  isRemote: (tool, payload) => tool.startsWith('mcp_') || isObject(payload['mcp_context']),
  wordsOf: (payload) => promptOf(payload).split(FILES, 1)[0],
}

/** Source: docs/hooks/reference.md and packages/core/src/hooks of Gemini CLI 0.56. It sends no id of a call. */
export const gemini: HookClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  read: (payload, event) => readClaudeLike(payload, event, DIALECT),
  reply: ({ verdict, text }, event) => {
    if (event?.kind !== 'step-proposed') return said({})
    if (verdict === 'allow') return said({})
    if (verdict === 'warn') return said({ systemMessage: text })
    return said({ decision: 'deny', reason: text })
  },
  mild: new Set(['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content', 'write_todos', 'ask_user', 'activate_skill', 'enter_plan_mode', 'exit_plan_mode', 'update_topic', 'complete_task', 'write_file', 'replace']), // prettier-ignore
}
