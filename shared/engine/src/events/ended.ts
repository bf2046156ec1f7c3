import type { Event } from '@plimsoll/contracts'
import { owedObligations } from '../specs/status.js'
import { type SessionState, changed } from '../state/session.js'
import { alertOf } from '../verdict/alert.js'
import type { JudgeContext, Outcome } from '../verdict/outcome.js'

/** `state` at its end. An end cannot be refused, so open obligations become an alert. */
export function endSession(state: SessionState, event: Event, context: JudgeContext): Outcome {
  const ended = changed(state, { ended: true, calls: [] })
  const owed = owedObligations(state.memory, context.rules.memory)
  if (owed.length === 0) return { state: ended }
  return { state: ended, decision: alertOf(state, event, owed, 'unpaid', context) }
}
