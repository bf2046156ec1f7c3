import type { EventOf, Reason, Verdict } from '@plimsoll/contracts'
import { callOf, isFull, isLive, lapse, pendingOf, withCall, withoutCall } from './calls.js'
import { judge, severity, verdictOf, type StepContext } from './judge.js'
import { decisionOf, idOf, modeOf, type Ground, type Outcome } from './outcome.js'
import { prospectOf, type Prospect } from './risk.js'
import type { Rules } from './rules.js'
import { advanceSafetyState, joinLabels, raiseLabels, riskLevelOf, type StepLabels } from './safety-state.js'
import type { PendingCall, SessionState } from './session.js'
import { ambiguity, conflict, overflow } from './unproposable.js'

type Proposal = EventOf<'tool.proposed'>
type Approval = EventOf<'approval.resolved'>
type Deadline = EventOf<'deadline.reached'>

/** Judges a proposed step; `state` has already heard of everything that ran unjudged. Source: DESIGN §4. */
export function propose(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const { time } = ground
  const earlier = callOf(state, proposal.callId)
  if (earlier && isLive(earlier, time)) return conflict(state, proposal, ground)
  if (pendingOf(state, idOf(proposal, 'step'))) return ambiguity(state, proposal, ground)
  const roomy = isFull(state.calls) ? { ...state, calls: lapse(state.calls, time) } : state
  if (isFull(roomy.calls)) return overflow(state, proposal, ground)
  return judgeProposal(roomy, proposal, ground)
}

function judgeProposal(state: SessionState, proposal: Proposal, ground: Ground): Outcome {
  const { labels, labelled } = labelsFor(proposal, ground.rules)
  const evidence = proposal.evidence?.sensitive ?? 'unknown'
  const context = contextOf(state, ground, { tool: proposal.tool, labels, labelled, evidence })
  return conclude('step', proposal, proposal, context, judge(context), ground)
}

/** Judges a pending step again, now that a human approved it: lifts the reasons that were shown, and no others. */
export function reconsider(
  state: SessionState,
  approval: Approval,
  call: PendingCall,
  ground: Ground,
): Outcome {
  const context = contextOf(state, ground, relabelled(call, ground.rules))
  const reasons = judge(context).map((reason) =>
    isLifted(reason, call) ? { ...reason, liftedBy: `approval:${approval.by}` } : reason,
  )
  return conclude('approval', approval, call, context, reasons, ground)
}

/** `call` as it is known by now: a session may have been moved to other versions since it was asked about. */
function relabelled(call: PendingCall, rules: Rules): PendingCall {
  const known = rules.tool(call.tool).labels
  const labels = known ?? (call.labelled ? call.labels : rules.unlabelled.labels)
  return { ...call, labels: joinLabels(call.labels, labels), labelled: call.labelled || known !== undefined }
}

/**
 * The decision on a pending step that is refused: denied, approved too late, or answered by nobody. It stays blocked, and is enforced
 * whatever the mode: when the question was asked somebody was to wait for its answer.
 */
export function turnDown(
  state: SessionState,
  answer: Approval | Deadline,
  call: PendingCall,
  reason: Reason,
  ground: Ground,
): Outcome {
  const enforced: Ground = { ...ground, facts: { ...ground.facts, mode: 'enforce' } }
  return conclude(
    'approval',
    answer,
    call,
    contextOf(state, enforced, relabelled(call, ground.rules)),
    [reason],
    enforced,
  )
}

/** The decision that the reasons come to, and the state after it. */
function conclude(
  kind: 'step' | 'approval',
  event: Proposal | Approval | Deadline,
  call: Proposal | PendingCall,
  context: StepContext,
  reasons: Reason[],
  ground: Ground,
): Outcome {
  const { state, prospect } = context
  const verdict = verdictOf(reasons)
  const decision = decisionOf({ kind, event, call, verdict, reasons, state, prospect }, ground)
  if (modeOf(ground.facts) === 'observe')
    return { state: observe(state, call.callId, prospect, verdict), decision }
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

/** `state` after a step that nobody waits for: it runs whatever its verdict is. One that would have been blocked is a violation. */
function observe(state: SessionState, callId: string, prospect: Prospect, verdict: Verdict): SessionState {
  const admitted = admit(state, callId, prospect)
  if (verdict !== 'block') return admitted
  return { ...admitted, blocked: state.blocked + 1, violations: state.violations + 1 }
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
  { rules, facts }: Ground,
  step: Pick<StepContext, 'tool' | 'labels' | 'labelled' | 'evidence'>,
): StepContext {
  const { tool, labels, labelled, evidence } = step
  return {
    state,
    rules,
    facts,
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
