import type {
  Decision,
  DecisionKind,
  Event,
  EventOf,
  Evidence,
  Fault,
  LoggedEvent,
  Mode,
  Reason,
  Signals,
  Verdict,
} from '@plimsoll/contracts'
import { DECISION_SCHEMA } from '../labels/words.js'
import type { Matches } from '../provenance/matches.js'
import { type StepRisk, provenanceOf, riskOf } from '../risk/risk.js'
import { type Facts, type Rules, NO_FACTS } from '../rules.js'
import { WHOLENESS } from '../spec-rule.js'
import type { SessionState } from '../state/session.js'
import { type AlternativeStep, alternativeOfKind } from './alternatives.js'

const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/

/**
 * The tenant in a session's id; equal to the contracts' `tenantOf`, as a test checks. Source:
 * docs/decisions/20261122-tenants-and-quotas.md.
 */
export function tenantOf(sessionId: string): string {
  const end = sessionId.indexOf('~')
  if (end < 1) return 'default'
  const name = sessionId.slice(0, end)
  return TENANT.test(name) ? name : 'default'
}

/** The engine's version: raised whenever the same events and rules can give another decision. */
export const ENGINE_VERSION = '3'

/** The outcome of one event. `state` is the same object as before if nothing has changed. */
export interface Outcome {
  readonly state: SessionState | undefined
  /** The decision to publish, if any. */
  readonly decision?: Decision
  /** Why the event goes to the dead letters, if it does. */
  readonly fault?: Fault
}

/** The call of a decision. */
export interface StepRef {
  readonly callId: string
  readonly tool: string
  readonly argumentsDigest: string
}

/** The current verdict of a recorded decision; for `confirm` with the expiry of its approval request. */
export interface CurrentVerdict {
  readonly verdict: Verdict
  readonly expiresAt?: number
}

/** The inputs of a judgement besides the session's state: its pinned rules, the facts, the log's time. */
export interface JudgeContext {
  readonly rules: Rules
  readonly facts: Facts
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface Judgement {
  readonly kind: DecisionKind
  readonly event: Event
  readonly call: StepRef
  readonly reasons: Reason[]
  readonly verdict: Verdict
  readonly state: SessionState
  readonly stepRisk: StepRisk
  readonly evidence: Evidence
  /** Undefined if the step reported no fingerprints. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  /** Calls that the proposal only has to wait for. */
  readonly waitFor: readonly string[] | undefined
}

/** The decision for `judgement`. The order of its members is part of its bytes: JSON.stringify keeps it. */
export function decisionOf(judgement: Judgement, { rules, facts, time }: JudgeContext): Decision {
  const {
    kind,
    event,
    call,
    verdict,
    reasons,
    state,
    stepRisk: prospect,
    evidence,
    matches,
    waitFor,
  } = judgement
  const { bundle, policy, catalogue } = rules.versions
  const decision: Decision = {
    schema: DECISION_SCHEMA,
    id: idOf(event, kind),
    kind,
    sessionId: event.sessionId,
    tenant: tenantOf(event.sessionId),
    mode: modeOf(facts),
    eventId: event.id,
    callId: call.callId,
    tool: call.tool,
    argumentsDigest: call.argumentsDigest,
    verdict,
    reasons,
    risk: riskOf(state, prospect, rules),
    versions: { bundle, policy, catalogue, engine: ENGINE_VERSION },
    facts: recordedFacts(facts),
    step: state.steps + 1,
    time,
  }
  if (decision.risk && matches) {
    decision.risk.evidence = evidence
    decision.risk.provenance = provenanceOf(matches)
  }
  if (state.memory[0] === WHOLENESS.seeded) decision.memory = 'seeded'
  const alternative = alternativeOf(judgement, rules)
  if (alternative !== undefined) decision.alternative = alternative
  if (waitFor) decision.waitFor = [...waitFor]
  if (verdict === 'confirm' && decision.mode === 'enforce') decision.expiresAt = time + rules.approvalTtlMs
  return decision
}

/** The effective mode: a stop is enforced in observe mode too. */
export const modeOf = ({ mode, stop }: Facts): Mode => (stop ? 'enforce' : mode)

/** The facts that a decision records; the mode has its own member. */
function recordedFacts({ stop, readings }: Facts): Record<string, unknown> {
  return stop ? { ...readings, stop } : { ...readings }
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

/** The blocking decision on a `proposal` that was not judged. Needs no session; of `facts` only the mode counts. */
export function refusalOf(
  proposal: Pick<EventOf<'step.proposed'>, 'sessionId' | 'id' | 'callId' | 'tool' | 'argumentsDigest'>,
  fault: Fault,
  timeMs: number,
  facts: Facts = NO_FACTS,
): Decision {
  const reasons: Reason[] = [
    { source: 'malformed', code: fault.code, verdict: 'block', message: fault.message },
  ]
  return {
    schema: DECISION_SCHEMA,
    id: idOf(proposal, 'refusal'),
    kind: 'refusal',
    sessionId: proposal.sessionId,
    tenant: tenantOf(proposal.sessionId),
    mode: modeOf(facts),
    eventId: proposal.id,
    callId: proposal.callId,
    tool: proposal.tool,
    argumentsDigest: proposal.argumentsDigest,
    verdict: 'block',
    reasons,
    ...alternativeMember({ verdict: 'block', reasons }),
    ...(fault.expectedSeq !== undefined && { expectedSeq: fault.expectedSeq }),
    facts: {},
    step: 0,
    time: timeMs,
  }
}

/** The answer to the retry of a decided event: the current verdict, without judging again. */
export function repeatOf(
  state: SessionState,
  event: EventOf<'step.proposed'>,
  { verdict, expiresAt }: CurrentVerdict,
  { facts, time }: Pick<JudgeContext, 'facts' | 'time'>,
): Decision {
  const message = 'this event was decided before; the recorded verdict stands'
  const reasons: Reason[] = [{ source: 'malformed', code: 'already_decided', verdict, message }]
  return {
    schema: DECISION_SCHEMA,
    id: idOf(event, 'repeat'),
    kind: 'repeat',
    sessionId: event.sessionId,
    tenant: tenantOf(event.sessionId),
    // A pending request is enforced in any mode.
    mode: expiresAt === undefined ? modeOf(facts) : 'enforce',
    eventId: event.id,
    callId: event.callId,
    tool: event.tool,
    argumentsDigest: event.argumentsDigest,
    verdict,
    reasons,
    ...alternativeMember({ verdict, reasons }),
    facts: {},
    step: state.steps,
    time,
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

/** The safer alternative: of the first matching spec that names one, else by the kind of step. */
function alternativeOf(judgement: Judgement, rules: Rules): string | undefined {
  if (judgement.verdict === 'allow') return undefined
  return alternativeOfSpec(rules, judgement) ?? alternativeOfKind(judgement)
}

function alternativeOfSpec(rules: Rules, { call, reasons }: Judgement): string | undefined {
  const { blocklist, mustlist, confirmation } = rules.tool(call.tool)
  const speaking = new Set(reasons.flatMap(({ code, liftedBy }) => (liftedBy === undefined ? [code] : [])))
  return [...blocklist, ...mustlist, ...confirmation].find(
    ({ id, alternative }) => alternative !== undefined && speaking.has(id),
  )?.alternative
}

/** The versions member of a decision without rules. */
function alternativeMember(step: AlternativeStep): Pick<Decision, 'alternative'> {
  const alternative = alternativeOfKind(step)
  return alternative === undefined ? {} : { alternative }
}

/** The id of the decision of `kind` that answers an event. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function idOf({ sessionId, id }: Pick<Event, 'sessionId' | 'id'>, kind: DecisionKind): string {
  return `${sessionId}#${id}#${kind}`
}

type Proposal = EventOf<'step.proposed'>

/** Refuses a proposal whose call may still run. */
export function conflict(state: SessionState, proposal: Proposal, context: JudgeContext): Outcome {
  const message = `call \`${proposal.callId}\` is already open or waits for an approval`
  return faulty(state, proposal, { code: 'call_conflict', message }, context)
}

/** An approval names a decision by its id, so two pending steps must not share one. */
export function ambiguity(state: SessionState, proposal: Proposal, context: JudgeContext): Outcome {
  const message = `another call waits for an approval under the event id \`${proposal.id}\``
  return faulty(state, proposal, { code: 'call_conflict', message }, context)
}

/** Refuses a proposal if no call is free. */
export function overflow(state: SessionState, proposal: Proposal, context: JudgeContext): Outcome {
  const message = 'the session has as many open calls as it may have'
  return faulty(state, proposal, { code: 'too_many_open_calls', message }, context)
}

function faulty(
  state: SessionState,
  proposal: Proposal,
  fault: NonNullable<Outcome['fault']>,
  { facts, time }: JudgeContext,
): Outcome {
  return {
    state: { ...state, blocked: state.blocked + 1 },
    fault,
    decision: refusalOf(proposal, fault, time, facts),
  }
}
