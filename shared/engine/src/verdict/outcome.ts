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
import { type StepLabels, actsDoneIn } from '../labels/safety-state.js'
import { ACTS, CAPABILITIES, DECISION_SCHEMA, REVERSIBILITIES } from '../labels/words.js'
import type { Matches } from '../provenance/matches.js'
import { type StepRisk, provenanceOf, riskOf } from '../risk/risk.js'
import { type Facts, type Rules, NO_FACTS } from '../rules.js'
import { WHOLENESS } from '../spec-rule.js'
import type { SessionState } from '../state/session.js'
import { alternativeOfKind } from './alternatives.js'
import type { PermittedApproval } from './standing.js'

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

type Proposal = EventOf<'step.proposed'>

/** The engine's version: raised whenever the same events and rules can give another decision. */
export const ENGINE_VERSION = '4'

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
  readonly labels: StepLabels
  /** Whether the tool is labelled, rather than by the policy's `unlabelled` labels. */
  readonly labelled: boolean
  /** What the policy permits for an approval; undefined if the step needs none. */
  readonly permitted: PermittedApproval | undefined
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
  const { permitted } = judgement
  if (permitted && decision.mode === 'enforce') {
    decision.expiresAt = time + rules.approvalTtlMs
    decision.approval = approvalOf(judgement, permitted)
  }
  return decision
}

function approvalOf(
  { labels, labelled, signals }: Judgement,
  permitted: PermittedApproval,
): NonNullable<Decision['approval']> {
  const does = actsDoneIn(signals)
  return {
    capability: CAPABILITIES[labels.escalation] ?? 'network',
    reversibility: REVERSIBILITIES[labels.reversibility] ?? 'irreversible',
    isLabelled: labelled,
    acts: ACTS.filter((_, i) => (does & (1 << i)) !== 0),
    ...permitted,
  }
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

/** The id of the decision of `kind` that answers an event. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function idOf({ sessionId, id }: Pick<Event, 'sessionId' | 'id'>, kind: DecisionKind): string {
  return `${sessionId}#${id}#${kind}`
}

/** Refuses a proposal without judging it, and counts it as blocked. */
export function refuseProposal(
  state: SessionState,
  proposal: Proposal,
  fault: Fault,
  { facts, time }: JudgeContext,
): Outcome {
  const decision = refusalOf(proposal, fault, time, facts)
  return { state: { ...state, blocked: state.blocked + 1 }, fault, decision }
}
