import type { EventOf } from '@plimsoll/contracts'
import { refusalOf, type Ground, type Outcome } from './outcome.js'
import type { SessionState } from './session.js'

type Proposal = EventOf<'step.proposed'>

/** Refuses a proposal whose call may still run. */
export function conflict(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const message = `call \`${proposal.callId}\` is already open or waits for an approval`
  return faulty(state, proposal, { code: 'call_conflict', message }, ground)
}

/** An approval names a decision by its id: two steps that wait under one id could not be told apart. */
export function ambiguity(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const message = `another call waits for an approval under the event id \`${proposal.id}\``
  return faulty(state, proposal, { code: 'call_conflict', message }, ground)
}

/** Refuses a proposal for which there is no place. */
export function overflow(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const message = 'the session has as many open calls as it may have'
  return faulty(state, proposal, { code: 'too_many_open_calls', message }, ground)
}

function faulty(
  state: SessionState,
  proposal: Proposal,
  fault: NonNullable<Outcome['fault']>,
  { facts, time }: Ground,
): Outcome {
  return {
    state: { ...state, blocked: state.blocked + 1 },
    fault,
    decision: refusalOf(proposal, fault, time, facts),
  }
}
