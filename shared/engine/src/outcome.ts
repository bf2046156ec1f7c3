import {
  DECISION_SCHEMA,
  decisionId,
  type Decision,
  type DecisionKind,
  type Event,
  type EventOf,
  type Fault,
  type Reason,
  type Verdict,
} from '@plimsoll/contracts'
import { riskOf, type Prospect } from './risk.js'
import type { Facts, Rules } from './rules.js'
import type { SessionState } from './session.js'
import { ENGINE_VERSION } from './version.js'

/** An event with the time at which the log took it, milliseconds since 1970. */
export interface LoggedEvent {
  readonly event: Event
  readonly timeMs: number
}

/** What one event makes of a session. `state` is the very object that went in where nothing has changed. */
export interface Outcome {
  readonly state: SessionState | undefined
  /** The answer to publish, where somebody waits for one. */
  readonly decision?: Decision
  /** Why the event goes to the dead letters, where it does. */
  readonly fault?: Fault
}

/** The call that a decision speaks of. */
export interface CallRef {
  readonly callId: string
  readonly tool: string
  readonly argumentsDigest: string
}

export interface Judgement {
  readonly kind: DecisionKind
  readonly event: Event
  readonly call: CallRef
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
  readonly state: SessionState
  readonly prospect: Prospect
  readonly rules: Rules
  readonly facts: Facts
  readonly time: number
}

/** The decision that says `judgement`. The order of its members is part of its bytes: JSON.stringify keeps it. */
export function decisionOf(judgement: Judgement): Decision {
  const { kind, event, call, verdict, reasons, state, prospect, rules, facts, time } = judgement
  const { bundle, policy, catalogue } = rules.versions
  const decision: Decision = {
    schema: DECISION_SCHEMA,
    id: decisionId(event.sessionId, event.id, kind),
    kind,
    sessionId: event.sessionId,
    eventId: event.id,
    callId: call.callId,
    tool: call.tool,
    argumentsDigest: call.argumentsDigest,
    verdict,
    reasons: reasons as Reason[],
    risk: riskOf(state, prospect, rules),
    versions: { bundle, policy, catalogue, engine: ENGINE_VERSION },
    facts,
    step: state.steps + 1,
    time,
  }
  const alternative = alternativeOf(reasons, rules, call.tool)
  if (alternative !== undefined) decision.alternative = alternative
  if (verdict === 'confirm') decision.expiresAt = time + rules.approvalTtlMs
  return decision
}

/** What is answered to an event that could not be judged: a fault, and for a proposal a blocking decision too. */
export function refuse(state: SessionState | undefined, input: LoggedEvent, fault: Fault): Outcome {
  const { event, timeMs } = input
  if (event.type !== 'tool.proposed') return { state, fault }
  return { state, fault, decision: refusalOf(event, fault, timeMs) }
}

/** The blocking decision that tells whoever waits for `proposal` why it was not judged. Needs no session. */
export function refusalOf(
  proposal: Pick<EventOf<'tool.proposed'>, 'sessionId' | 'id' | 'callId' | 'tool' | 'argumentsDigest'>,
  fault: Fault,
  timeMs: number,
): Decision {
  return {
    schema: DECISION_SCHEMA,
    id: decisionId(proposal.sessionId, proposal.id, 'refusal'),
    kind: 'refusal',
    sessionId: proposal.sessionId,
    eventId: proposal.id,
    callId: proposal.callId,
    tool: proposal.tool,
    argumentsDigest: proposal.argumentsDigest,
    verdict: 'block',
    reasons: [{ source: 'malformed', code: fault.code, verdict: 'block', message: fault.message }],
    facts: {},
    step: 0,
    time: timeMs,
  }
}

/** The retry of an event already decided: the verdict that was recorded, nothing judged anew. */
export function repeatOf(state: SessionState, event: EventOf<'tool.proposed'>, verdict: Verdict, time: number): Decision {
  const message = 'this event was decided before; the recorded verdict stands'
  return {
    schema: DECISION_SCHEMA,
    id: decisionId(event.sessionId, event.id, 'repeat'),
    kind: 'repeat',
    sessionId: event.sessionId,
    eventId: event.id,
    callId: event.callId,
    tool: event.tool,
    argumentsDigest: event.argumentsDigest,
    verdict,
    reasons: [{ source: 'malformed', code: 'already_decided', verdict, message }],
    facts: {},
    step: state.steps,
    time,
  }
}

function alternativeOf(reasons: readonly Reason[], rules: Rules, tool: string): string | undefined {
  if (reasons.length === 0) return undefined
  const { blocklist, confirmation } = rules.tool(tool)
  for (const spec of [...blocklist, ...confirmation]) if (spec.alternative !== undefined) return spec.alternative
  return undefined
}
