import type { EventOf, Fault } from '@plimsoll/contracts'
import { refuse, unavailable, type LoggedEvent, type Outcome } from './outcome.js'
import type { Facts, Rules } from './rules.js'
import { recentOf } from './sequence.js'
import type { SessionState } from './session.js'

type Granted = EventOf<'declassification.granted'>

/** What a human grants: the labels that one flow spec has seen come in are gone; of all other specs, and of the session, nothing changes. */
export function declassify(
  state: SessionState,
  event: Granted,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (recentOf(state, event)) return { state }
  if (state.ended) return refuse(state, input, ended(event), facts)
  if (!rules) return unavailable(state, input, facts)
  return refuse(state, input, unknown(event), facts)
}

const ended = ({ sessionId }: Granted): Fault => ({
  code: 'session_ended',
  message: `session \`${sessionId}\` has ended`,
})

const unknown = ({ sessionId, spec }: Granted): Fault => ({
  code: 'spec_unknown',
  message: `the policy of session \`${sessionId}\` has no flow spec \`${spec}\``,
})
