import type {
  Decision,
  DecisionKind,
  Event,
  EventOf,
  Fault,
  LoggedEvent,
  Reason,
  Verdict,
} from '@plimsoll/contracts'
import { DECISION_SCHEMA } from '../labels/words.js'
import { type Facts, NO_FACTS } from '../rules.js'
import { type SessionState, changed } from '../state/session.js'
import { tenantOf } from '../tenant.js'
import { alternativeOfKind } from './alternatives.js'
import { modeOf } from './mode.js'
import { type JudgeContext, type Outcome, idOf } from './outcome.js'

type Proposal = EventOf<'step.proposed'>

/** The current verdict of a recorded decision; for `confirm` with the expiry of its approval request. */
export interface CurrentVerdict {
  readonly verdict: Verdict
  readonly expiresAt?: number
}

/** The outcome of an event that cannot be judged: a fault, and for a proposal a blocking decision. */
export function refuse(
  state: SessionState | undefined,
  input: LoggedEvent,
  fault: Fault,
  facts: Facts = NO_FACTS,
): Outcome {
  const { event, timeMs } = input
  if (event.type !== 'step.proposed') return { state, fault }
  return { state, fault, decision: refusalOf(event, fault, timeMs, facts) }
}

/** The outcome of an event whose session is pinned to unavailable versions: nothing changes, and it can be sent again. */
export function unavailable(state: SessionState | undefined, input: LoggedEvent, facts: Facts): Outcome {
  const message = `the versions that session \`${input.event.sessionId}\` is pinned to are not at hand`
  return refuse(state, input, { code: 'version_unavailable', message }, facts)
}

type Refusable = Pick<Proposal, 'sessionId' | 'id' | 'callId' | 'tool' | 'argumentsDigest'>

/** The blocking decision on a `proposal` that was not judged. Needs no session; of `facts` only the mode counts. */
export function refusalOf(
  proposal: Refusable,
  fault: Fault,
  timeMs: number,
  facts: Facts = NO_FACTS,
): Decision {
  const { code, message, expectedSeq } = fault
  const reason = { source: 'malformed', code, verdict: 'block', message } as const
  return decisionWithoutRules('refusal', proposal, reason, {
    mode: modeOf(facts),
    step: 0,
    time: timeMs,
    expectedSeq,
  })
}

/** The answer to the retry of a decided event: the current verdict, without judging again. */
export function repeatOf(
  state: SessionState,
  event: EventOf<'step.proposed'>,
  { verdict, expiresAt }: CurrentVerdict,
  { facts, time }: Pick<JudgeContext, 'facts' | 'time'>,
): Decision {
  const message = 'this event was decided before; the recorded verdict stands'
  const reason = { source: 'malformed', code: 'already_decided', verdict, message } as const
  // A pending request is enforced in any mode.
  const mode = expiresAt === undefined ? modeOf(facts) : 'enforce'
  return decisionWithoutRules('repeat', event, reason, { mode, step: state.steps, time, expiresAt })
}

/** A decision with one reason that no rules gave. The order of its members is part of its bytes. */
function decisionWithoutRules(
  kind: DecisionKind,
  proposal: Refusable,
  reason: Reason,
  given: Pick<Decision, 'mode' | 'step' | 'time'> & {
    readonly expectedSeq?: number | undefined
    readonly expiresAt?: number | undefined
  },
): Decision {
  const { verdict } = reason
  const alternative = alternativeOfKind({ verdict, reasons: [reason] })
  return {
    schema: DECISION_SCHEMA,
    id: idOf(proposal, kind),
    kind,
    sessionId: proposal.sessionId,
    tenant: tenantOf(proposal.sessionId),
    mode: given.mode,
    eventId: proposal.id,
    callId: proposal.callId,
    tool: proposal.tool,
    argumentsDigest: proposal.argumentsDigest,
    verdict,
    reasons: [reason],
    ...(alternative !== undefined && { alternative }),
    ...(given.expectedSeq !== undefined && { expectedSeq: given.expectedSeq }),
    facts: {},
    step: given.step,
    time: given.time,
    ...(given.expiresAt !== undefined && { expiresAt: given.expiresAt }),
  }
}

/** Refuses a proposal without judging it, and counts it as blocked. */
export function refuseProposal(
  state: SessionState,
  proposal: Proposal,
  fault: Fault,
  { facts, time }: JudgeContext,
): Outcome {
  const decision = refusalOf(proposal, fault, time, facts)
  return { state: changed(state, { blocked: state.blocked + 1 }), fault, decision }
}

export const ended = ({ sessionId }: Event): Fault => ({
  code: 'session_ended',
  message: `session \`${sessionId}\` has ended`,
})
