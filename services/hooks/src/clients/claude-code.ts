import type { HookClient, Payload } from '../event.js'
import { textIn } from '../payload.js'
import {
  CLAUDE_EVENTS,
  type Dialect,
  isOfMcp,
  promptOf,
  readClaudeLike,
  replyClaudeLike,
} from './claude-like.js'

/** Modes in which no dialog may come up, so that a question could run unseen. */
const WITHOUT_DIALOG: ReadonlySet<string | undefined> = new Set(['auto', 'bypassPermissions', 'dontAsk'])

/** Prompts also come from timers, other agents and tasks that end. Versions before `source` mark the last ones in the text. */
function wordsOf(payload: Payload): string | undefined {
  const source = textIn(payload, 'source')
  const prompt = promptOf(payload)
  const isOfUser =
    source === undefined
      ? !prompt.trimStart().startsWith('<task-notification>')
      : source === 'user' || source === 'sdk'
  return isOfUser ? prompt : undefined
}

const DIALECT: Dialect = {
  events: CLAUDE_EVENTS,
  canAsk: (payload: Payload) => !WITHOUT_DIALOG.has(textIn(payload, 'permission_mode')),
  isError: (_, event) => event === 'PostToolUseFailure',
  isRemote: isOfMcp,
  wordsOf,
}

/** Source: the types of the Claude Agent SDK 0.3.332 (Claude Code 2.1.332). In mode `auto` it asks since 2.1.211, by its changelog. */
export const claudeCode: HookClient = {
  name: 'claude-code',
  title: 'Claude Code',
  read: (payload, event) => readClaudeLike(payload, event, DIALECT),
  reply: replyClaudeLike,
  mild: new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoWrite', 'TaskCreate', 'TaskGet', 'TaskUpdate', 'TaskList', 'ExitPlanMode', 'EnterPlanMode', 'AskUserQuestion', 'Skill', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit']), // prettier-ignore
}
