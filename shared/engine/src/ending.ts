import type { Event } from '@plimsoll/contracts'
import { alertOf } from './alert.js'
import type { JudgeContext, Outcome } from './outcome.js'
import type { SessionState } from './session.js'
import { owedObligations } from './specs/owed.js'

/** `state` at its end. An end cannot be refused: what is owed then is told. */
export function endSession(state: SessionState, event: Event, ground: JudgeContext): Outcome {
  const ended = { ...state, ended: true, calls: [] }
  const owed = owedObligations(state.memory, ground.rules.memory)
  if (owed.length === 0) return { state: ended }
  return { state: ended, decision: alertOf(state, event, owed, 'unpaid', ground) }
}
