import type { EventOf, Fault, LoggedEvent } from '@plimsoll/contracts'
import type { Facts, Rules } from '../rules.js'
import { rememberDeclassified } from '../specs/memory.js'
import { type SessionState, changed } from '../state/session.js'
import type { Outcome } from '../verdict/outcome.js'
import { ended, refuse, unavailable } from '../verdict/refusal.js'
import { markReceived, recentOf } from './sequence.js'

type Granted = EventOf<'declassification.granted'>

/**
 * Applies a declassification: it clears the labels that one flow spec has seen, and nothing else. For `line`, the line stops asking
 * about every step since one with sensitive data was blocked, and about pushes of files that may hold some.
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
  if (!spec && event.spec === LINE)
    return markReceived(
      { state: changed(state, { held: false, filesMayHold: false, secretWritten: false }) },
      input,
      false,
    )
  if (!spec) return refuse(state, input, unknownSpec(event), facts)
  const memory = rememberDeclassified(state.memory, spec, rules.memory)
  return markReceived({ state: changed(state, { memory }) }, input, false)
}

const LINE = 'line'

const unknownSpec = ({ sessionId, spec }: Granted): Fault => ({
  code: 'spec_unknown',
  message: `the policy of session \`${sessionId}\` has no flow spec \`${spec}\``,
})
