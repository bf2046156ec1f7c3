import { type HookClient, NOTHING, said } from '../event.js'
import { CLAUDE_EVENTS, type Dialect, isOfMcp, readClaudeLike, replyClaudeLike } from './claude-like.js'

const DIALECT: Dialect = {
  events: CLAUDE_EVENTS,
  // It takes `ask` for an error, and the call runs.
  canAsk: () => false,
  isError: () => false,
  isRemote: isOfMcp,
}

/**
 * Codex refuses members that it does not know, and then the call runs: the answer holds no others. Source: codex-rs/hooks, output_parser.rs
 * and pre_tool_use.rs.
 */
export const codex: HookClient = {
  name: 'codex',
  title: 'Codex',
  read: (payload, event) => readClaudeLike(payload, event, DIALECT),
  reply: (answer, event) => {
    if (event?.kind !== 'step-proposed' || answer.verdict === 'allow') return NOTHING
    if (answer.verdict === 'warn') return said({ systemMessage: answer.text })
    return replyClaudeLike({ ...answer, verdict: 'block' }, event)
  },
  mild: new Set(['apply_patch', 'update_plan', 'view_image']),
}
