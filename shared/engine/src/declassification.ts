import type { EventOf, Fault, LoggedEvent } from '@plimsoll/contracts'
import { refuse, unavailable, type Outcome } from './outcome.js'
import type { Facts, Rules } from './rules.js'
import { heard, recentOf } from './sequence.js'
import type { SessionState } from './session.js'
import { rememberDeclassified } from './specs/remember.js'

type Granted = EventOf<'declassification.granted'>

/**
 * What a human grants: the labels that one flow spec has seen come in are gone; of all other specs, and of the session, nothing changes. For
 * `line` it is the line that stops asking about every step since one was blocked with sensitive data in it.
 */
export function declassify(
  state: SessionState,
  event: Granted,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (recentOf(state, input.hash)) return { state }
  if (state.ended) return refuse(state, input, ended(event), facts)
  if (!rules) return unavailable(state, input, facts)
  const spec = rules.memory.flows.find(({ id }) => id === event.spec)
  if (!spec && event.spec === LINE) return heard({ state: { ...state, held: false } }, input, false)
  if (!spec) return refuse(state, input, unknown(event), facts)
  const memory = rememberDeclassified(state.memory, spec, rules.memory)
  return heard({ state: { ...state, memory } }, input, false)
}

const LINE = 'line'

const ended = ({ sessionId }: Granted): Fault => ({
  code: 'session_ended',
  message: `session \`${sessionId}\` has ended`,
})

const unknown = ({ sessionId, spec }: Granted): Fault => ({
  code: 'spec_unknown',
  message: `the policy of session \`${sessionId}\` has no flow spec \`${spec}\``,
})
