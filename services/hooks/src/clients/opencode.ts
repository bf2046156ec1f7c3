import { type HookClient, said } from '../event.js'
import { type EventKinds, argumentsIn, kindOf, needed, textIn, valueIn } from '../payload.js'

/** Tools that OpenCode brings along; others are of MCP servers or plugins. */
const OWN: ReadonlySet<string> = new Set(['bash', 'edit', 'write', 'read', 'grep', 'glob', 'list', 'lsp', 'apply_patch', 'patch', 'skill', 'todowrite', 'todoread', 'webfetch', 'websearch', 'question', 'task']) // prettier-ignore

const EVENTS: EventKinds = {
  'tool.execute.before': 'step-proposed',
  'tool.execute.after': 'step-completed',
  'chat.message': 'prompted',
  'session.idle': 'turn-ended',
  'session.deleted': 'session-ended',
}

/**
 * OpenCode runs plugins in its own process: the plugin that `plimsoll hook install` writes sends each event to this hook, and throws where
 * the answer stops the call. A sub-agent has a session of its own; the plugin adds the user's session as `rootID`. Source:
 * @opencode-ai/plugin 1.18.
 */
export const opencode: HookClient = {
  name: 'opencode',
  title: 'OpenCode',
  read: (payload, given) => {
    const kind = kindOf(EVENTS, textIn(payload, 'event') ?? given ?? '')
    if (kind === undefined) return undefined
    const own = needed(payload, 'sessionID')
    const root = textIn(payload, 'rootID') ?? own
    const agent = root === own ? undefined : own
    const session = { session: root, folder: textIn(payload, 'directory') }
    if (kind === 'prompted') {
      // What starts a sub-agent was written by the agent.
      return agent === undefined ? { kind, ...session, text: textIn(payload, 'text') ?? '' } : undefined
    }
    if (kind !== 'step-proposed' && kind !== 'step-completed')
      return agent === undefined ? { kind, ...session } : { kind: 'agent-ended', ...session, agent }
    const tool = needed(payload, 'tool')
    const step = {
      ...session,
      agent,
      call: textIn(payload, 'callID'),
      tool,
      arguments: argumentsIn(payload, 'args'),
      isRemote: !OWN.has(tool),
    }
    if (kind === 'step-proposed') return { kind, ...step, canAsk: false }
    return { kind, ...step, result: valueIn(payload, 'output'), isError: false }
  },
  reply: ({ verdict, text }, event) =>
    event?.kind === 'step-proposed' && (verdict === 'block' || verdict === 'confirm')
      ? said({ stop: text })
      : said({}),
  mild: new Set(['read', 'grep', 'glob', 'list', 'lsp', 'skill', 'todowrite', 'todoread', 'question', 'edit', 'write', 'apply_patch', 'patch']), // prettier-ignore
}
