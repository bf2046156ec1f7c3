import type {
  Decision,
  DecisionKind,
  Event,
  Evidence,
  Fault,
  Reason,
  Signals,
  Verdict,
} from '@plimsoll/contracts'
import { type StepLabels, actsDoneIn } from '../labels/safety-state.js'
import { ACTS, CAPABILITIES, DECISION_SCHEMA, REVERSIBILITIES } from '../labels/words.js'
import type { Matches } from '../provenance/matches.js'
import { type StepRisk, provenanceOf, riskOf } from '../risk/risk.js'
import type { Facts, Rules } from '../rules.js'
import { tenantOf } from '../tenant.js'
import { ENGINE_VERSION } from '../version.js'
import { type SpecRule, WHOLENESS } from '../spec-rule.js'
import type { SessionState } from '../state/session.js'
import { alternativeOfKind } from './alternatives.js'
import { modeOf, recordedFacts } from './mode.js'
import type { PermittedApproval } from './session-approvals.js'

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
  const { kind, event, call, verdict, reasons, state, stepRisk, evidence, matches, waitFor } = judgement
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
    risk: riskOf(state, stepRisk, rules),
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

/** The safer alternative: of the first matching spec that names one, else by the kind of step. */
function alternativeOf(judgement: Judgement, rules: Rules): string | undefined {
  if (judgement.verdict === 'allow') return undefined
  return alternativeOfSpec(rules, judgement) ?? alternativeOfKind(judgement)
}

function alternativeOfSpec(rules: Rules, { call, reasons }: Judgement): string | undefined {
  const { blocklist, mustlist, confirmation } = rules.tool(call.tool)
  return (
    alternativeIn(blocklist, reasons) ??
    alternativeIn(mustlist, reasons) ??
    alternativeIn(confirmation, reasons)
  )
}

function alternativeIn(specs: readonly SpecRule[], reasons: readonly Reason[]): string | undefined {
  for (const { id, alternative } of specs)
    if (
      alternative !== undefined &&
      reasons.some(({ code, liftedBy }) => code === id && liftedBy === undefined)
    )
      return alternative
  return undefined
}

/** The id of the decision of `kind` that answers an event. Source: docs/decisions/20261121-ids-and-sequence.md. */
export function idOf({ sessionId, id }: Pick<Event, 'sessionId' | 'id'>, kind: DecisionKind): string {
  return `${sessionId}#${id}#${kind}`
}
