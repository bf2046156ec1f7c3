import type { EventOf, Reason } from '@plimsoll/contracts'
import { callOf, isFull, isLive, lapse, pendingOf, withCall, withoutCall } from './calls.js'
import { judge, severity, verdictOf, type StepContext } from './judge.js'
import { decisionOf, idOf, refusalOf, type Ground, type Outcome } from './outcome.js'
import { prospectOf, type Prospect } from './risk.js'
import type { Rules } from './rules.js'
import { advanceSafetyState, raiseLabels, riskLevelOf, type StepLabels } from './safety-state.js'
import type { PendingCall, SessionState } from './session.js'

type Proposal = EventOf<'tool.proposed'>
type Approval = EventOf<'approval.resolved'>

/** Judges a proposed step; `state` has already heard of everything that ran unjudged. Source: DESIGN §4. */
export function propose(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const { time } = ground
  const earlier = callOf(state, proposal.callId)
  if (earlier && isLive(earlier, time)) return conflict(state, proposal, time)
  if (pendingOf(state, idOf(proposal, 'step'))) return ambiguity(state, proposal, time)
  const roomy = isFull(state.calls) ? { ...state, calls: lapse(state.calls, time) } : state
  if (isFull(roomy.calls)) return overflow(state, proposal, time)
  return judgeProposal(roomy, proposal, ground)
}

function judgeProposal(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const { labels, labelled } = labelsFor(proposal, ground.rules)
  const evidence = proposal.evidence?.sensitive ?? 'unknown'
  const context = contextOf(state, ground.rules, { tool: proposal.tool, labels, labelled, evidence })
  return conclude('step', proposal, proposal, context, judge(context), ground)
}

/** Judges a pending step again, now that a human approved it: lifts the reasons that were shown, and no others. */
export function reconsider(
  state: SessionState,
  approval: Approval,
  call: PendingCall,
  ground: Ground,
): Outcome {
  const context = contextOf(state, ground.rules, call)
  const reasons = judge(context).map((reason) =>
    isLifted(reason, call) ? { ...reason, liftedBy: `approval:${approval.by}` } : reason,
  )
  return conclude('approval', approval, call, context, reasons, ground)
}

/** The decision on a pending step that is refused: denied, or approved too late. It stays blocked. */
export function turnDown(
  state: SessionState,
  approval: Approval,
  call: PendingCall,
  reason: Reason,
  ground: Ground,
): Outcome {
  return conclude('approval', approval, call, contextOf(state, ground.rules, call), [reason], ground)
}

/** The decision that the reasons come to, and the state after it. */
function conclude(
  kind: 'step' | 'approval',
  event: Proposal | Approval,
  call: Proposal | PendingCall,
  context: StepContext,
  reasons: Reason[],
  ground: Ground,
): Outcome {
  const { state, prospect } = context
  const verdict = verdictOf(reasons)
  const decision = decisionOf({ kind, event, call, verdict, reasons, state, prospect }, ground)
  if (verdict === 'block') return { state: block(state, call.callId), decision }
  if (verdict === 'confirm') {
    const pending = pendingFor(call, context, reasons, decision.id, ground)
    return { state: { ...state, calls: withCall(state.calls, pending) }, decision }
  }
  return { state: admit(state, call.callId, prospect), decision }
}

/** What is kept of a call that a human is asked about; of one that was asked about before, what was shown then counts as shown. */
function pendingFor(
  call: Proposal | PendingCall,
  { labels, labelled, evidence }: StepContext,
  reasons: readonly Reason[],
  decisionId: string,
  { rules, time }: Ground,
): PendingCall {
  const { callId, tool, argumentsDigest } = call
  const shown = 'shown' in call ? [...call.shown, ...shownOf(reasons)] : shownOf(reasons)
  return {
    status: 'pending',
    callId,
    decisionId,
    tool,
    argumentsDigest,
    labels,
    labelled,
    evidence,
    shown,
    expiresAt: time + rules.approvalTtlMs,
  }
}

/** `state` after the step was let run: it counts as run. */
function admit(state: SessionState, callId: string, { safety, level, taint, band }: Prospect): SessionState {
  const calls = withCall(state.calls, { status: 'open', callId })
  return { ...state, safety, level, taint, band, calls, steps: state.steps + 1 }
}

function block(state: SessionState, callId: string): SessionState {
  return { ...state, blocked: state.blocked + 1, calls: withCall(state.calls, { status: 'blocked', callId }) }
}

/**
 * `state` after a step with `labels` ran without having been judged, or although it was blocked. It stays open where there is room,
 * so that its completion does not count it again.
 */
export function ranAnyway(state: SessionState, callId: string, labels: StepLabels): SessionState {
  const call = callOf(state, callId)
  if (call?.status === 'open') return state
  const safety = advanceSafetyState(state.safety, labels)
  const others = withoutCall(state.calls, callId)
  return {
    ...state,
    safety,
    level: Math.max(state.level, riskLevelOf(safety)),
    taint: labels.untrusted ? Math.max(state.taint, 1) : state.taint,
    steps: state.steps + 1,
    violations: state.violations + (call ? 1 : 0),
    unjudged: state.unjudged + (call ? 0 : 1),
    calls: isFull(others) ? others : withCall(others, { status: 'open', callId }),
  }
}

/** The labels of a step: the catalogue's, or the policy's stand-in, raised by what the client claims. */
export function labelsFor(
  step: Pick<Proposal, 'tool' | 'labels'>,
  rules: Rules,
): { labels: StepLabels; labelled: boolean } {
  const known = rules.tool(step.tool).labels
  return { labels: raiseLabels(known ?? rules.unlabelled.labels, step.labels), labelled: known !== undefined }
}

function contextOf(
  state: SessionState,
  rules: Rules,
  step: Pick<StepContext, 'tool' | 'labels' | 'labelled' | 'evidence'>,
): StepContext {
  const { tool, labels, labelled, evidence } = step
  return {
    state,
    rules,
    tool,
    labels,
    labelled,
    evidence,
    rule: rules.tool(tool),
    prospect: prospectOf(state, labels, rules),
  }
}

const keyOf = (reason: Reason): string => `${reason.source}:${reason.code}`

function shownOf(reasons: readonly Reason[]): string[] {
  return reasons.filter(({ liftedBy, verdict }) => liftedBy === undefined && verdict === 'confirm').map(keyOf)
}

function isLifted(reason: Reason, call: PendingCall): boolean {
  return (
    reason.liftedBy === undefined &&
    severity(reason.verdict) <= severity('confirm') &&
    call.shown.includes(keyOf(reason))
  )
}

function conflict(state: SessionState, proposal: Proposal, time: number): Outcome {
  const message = `call \`${proposal.callId}\` is already open or waits for an approval`
  return faulty(state, proposal, { code: 'call_conflict', message }, time)
}

/** An approval names a decision by its id: two steps that wait under one id could not be told apart. */
function ambiguity(state: SessionState, proposal: Proposal, time: number): Outcome {
  const message = `another call waits for an approval under the event id \`${proposal.id}\``
  return faulty(state, proposal, { code: 'call_conflict', message }, time)
}

function overflow(state: SessionState, proposal: Proposal, time: number): Outcome {
  const message = 'the session has as many open calls as it may have'
  return faulty(state, proposal, { code: 'too_many_open_calls', message }, time)
}

function faulty(
  state: SessionState,
  proposal: Proposal,
  fault: NonNullable<Outcome['fault']>,
  time: number,
): Outcome {
  return {
    state: { ...state, blocked: state.blocked + 1 },
    fault,
    decision: refusalOf(proposal, fault, time),
  }
}
