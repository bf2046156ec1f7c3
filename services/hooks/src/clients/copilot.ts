import { type HookClient, NOTHING, type Payload, said } from '../event.js'
import { objectIn, textIn } from '../payload.js'
import { type Dialect, readClaudeLike } from './claude-like.js'

const outcomeOf = (payload: Payload): string =>
  textIn(objectIn(payload, 'toolResult'), 'resultType') ?? 'success'

/** Outcomes of calls that did not run. */
const REFUSED: ReadonlySet<string> = new Set(['rejected', 'denied'])

const DIALECT: Dialect = {
  events: {
    preToolUse: 'step-proposed',
    postToolUse: 'step-completed',
    postToolUseFailure: 'step-completed',
    userPromptSubmitted: 'prompted',
    agentStop: 'turn-ended',
    sessionEnd: 'session-ended',
  },
  canAsk: () => true,
  isError: (payload, event) => event === 'postToolUseFailure' || outcomeOf(payload) !== 'success',
  // Not documented: tools of MCP servers are `server-tool`, its own have no hyphen.
  isRemote: (tool) => tool.includes('-'),
}

/**
 * GitHub Copilot's command line. It does not send the event's name, so the hook's command carries it. A time-out lets a call run. Source:
 * content/copilot/reference/hooks-reference.md of github/docs, 2026.
 */
export const copilot: HookClient = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  read: (payload, event) =>
    REFUSED.has(outcomeOf(payload)) ? undefined : readClaudeLike(payload, event, DIALECT),
  reply: ({ verdict, text }, event) => {
    if (event?.kind !== 'step-proposed' || verdict === 'allow' || verdict === 'warn') return NOTHING
    return said({
      permissionDecision: verdict === 'confirm' && event.canAsk ? 'ask' : 'deny',
      permissionDecisionReason: text,
    })
  },
  mild: new Set(['view', 'grep', 'rg', 'glob', 'ask_user', 'update_todo', 'create', 'edit', 'str_replace_editor', 'apply_patch']), // prettier-ignore
}
