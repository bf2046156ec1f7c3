import { type HookClient, NOTHING, said } from '../event.js'
import { type EventKinds, argumentsIn, kindOf, needed, textIn, valueIn } from '../payload.js'

const EVENTS: EventKinds = {
  PreToolUse: 'step-proposed',
  PostToolUse: 'step-completed',
  PostToolUseFailure: 'step-completed',
  UserPromptSubmit: 'prompted',
  Stop: 'turn-ended',
  SessionEnd: 'session-ended',
}

/** Source: documentation/docs/guides/context-engineering/hooks.md and crates/goose/src/hooks of goose 1.38. Sub-agents send no events. */
export const goose: HookClient = {
  name: 'goose',
  title: 'goose',
  read: (payload, given) => {
    const event = textIn(payload, 'event') ?? given ?? ''
    const kind = kindOf(EVENTS, event)
    if (kind === undefined) return undefined
    const session = { session: needed(payload, 'session_id'), folder: textIn(payload, 'working_dir') }
    if (kind === 'prompted') return { kind, ...session, text: textIn(payload, 'message') ?? '' }
    if (kind !== 'step-proposed' && kind !== 'step-completed') return { kind, ...session }
    const tool = needed(payload, 'tool_name')
    const step = {
      ...session,
      call: textIn(payload, 'tool_call_id'),
      tool,
      arguments: argumentsIn(payload, 'tool_input'),
      isRemote: tool.includes('__') && !tool.startsWith('developer__'),
    }
    if (kind === 'step-proposed') return { kind, ...step, canAsk: false }
    const isError = event === 'PostToolUseFailure'
    return { kind, ...step, result: valueIn(payload, 'tool_output'), isError }
  },
  reply: ({ verdict, text }, event) =>
    event?.kind === 'step-proposed' && (verdict === 'block' || verdict === 'confirm')
      ? said({ decision: 'block', reason: text })
      : NOTHING,
  mild: new Set(['developer__tree', 'developer__read_image', 'developer__write', 'developer__edit', 'developer__text_editor']), // prettier-ignore
}
