import type { EventOf, Fault, Reason } from '@plimsoll/contracts'
import { dropExpiredCalls, findCall, isFull, isLive, pendingOf, putCall } from '../state/calls.js'
import { type PendingCall, type SessionState, LIMITS, appendCapped, changed } from '../state/session.js'
import { isUndisturbed } from '../state/programs-approved.js'
import type { StepContext } from '../verdict/context.js'
import { judge, waitForOf } from '../verdict/judge.js'
import { modeOf } from '../verdict/mode.js'
import { type JudgeContext, type Outcome, decisionOf, idOf } from '../verdict/outcome.js'
import { refuseProposal } from '../verdict/refusal.js'
import { severity, verdictOf } from '../verdict/severity.js'
import {
  keyOf,
  liftByApprovals,
  permittedFor,
  sessionApproval,
  shownOf,
} from '../verdict/session-approvals.js'
import { contextOf, reportOfPendingCall, reportOfProposal } from './report.js'
import { block, observe, recordRun } from './run.js'

type Proposal = EventOf<'step.proposed'>
type Approval = EventOf<'approval.resolved'>
type Deadline = EventOf<'deadline.reached'>

/** Judges a proposed step; `state` already includes the steps that ran without a verdict. */
export function propose(state: SessionState, proposal: Proposal, inputs: JudgeContext): Outcome {
  const refusal = reasonToRefuse(state, proposal, inputs.time)
  if (refusal) return refuseProposal(state, proposal, refusal, inputs)
  const roomy = isFull(state.calls)
    ? changed(state, { calls: dropExpiredCalls(state.calls, inputs.time) })
    : state
  if (isFull(roomy.calls)) return refuseProposal(state, proposal, TOO_MANY_CALLS, inputs)
  const context = contextOf(roomy, inputs, reportOfProposal(roomy, proposal, inputs.rules))
  const reasons = liftByApprovals(judge(context), proposal.argumentsDigest, context)
  return conclude('step', proposal, proposal, context, reasons, inputs)
}

function reasonToRefuse(state: SessionState, proposal: Proposal, time: number): Fault | undefined {
  if (state.calls.length === 0) return undefined
  const earlier = findCall(state, proposal.callId)
  if (earlier && isLive(earlier, time))
    return conflict(`call \`${proposal.callId}\` is already open or waits for an approval`)
  // An approval names a decision by its id, so two pending steps must not share one.
  return pendingOf(state, idOf(proposal, 'step'))
    ? conflict(`another call waits for an approval under the event id \`${proposal.id}\``)
    : undefined
}

const conflict = (message: string): Fault => ({ code: 'call_conflict', message })

const TOO_MANY_CALLS: Fault = {
  code: 'too_many_open_calls',
  message: 'the session has as many open calls as it may have',
}

/** Judges a pending step again after its approval, which lifts only the reasons that were shown. */
export function reconsider(
  state: SessionState,
  approval: Approval,
  call: PendingCall,
  inputs: JudgeContext,
): Outcome {
  const context = contextOf(state, inputs, reportOfPendingCall(state, call, inputs.rules))
  const judged = liftByApprovals(judge(context), call.argumentsDigest, context)
  const lifted = judged.filter((reason) => isLifted(reason, call))
  const reasons = judged.map((reason) =>
    lifted.includes(reason) ? { ...reason, liftedBy: `approval:${approval.by}` } : reason,
  )
  const asking = lifted.filter(({ verdict }) => verdict === 'confirm')
  // A like step may have been approved for the session since the request: then nothing is left to approve.
  const isForSession = approval.scope === 'session' && asking.length > 0
  if (isForSession && !permittedFor(asking, context).scopes.includes('session'))
    return { state, fault: narrowScope(approval) }
  if (
    isForSession &&
    asking.some(({ source }) => source === 'line') &&
    !isUndisturbed(call.shown, state.calls)
  )
    return { state, fault: disturbed(approval) }
  const outcome = conclude('approval', approval, call, context, reasons, inputs)
  const { state: after, decision } = outcome
  const runs = decision?.verdict === 'allow' || decision?.verdict === 'warn'
  if (!isForSession || !after || !runs) return outcome
  const given = sessionApproval(approval.id, asking, call.argumentsDigest, context)
  return {
    ...outcome,
    // What this step may write does not end earlier ones: the human approved it for the session too.
    state: changed(after, { approvals: appendCapped(state.approvals, given, LIMITS.approvalsMax) }),
  }
}

const narrowScope = ({ decisionId }: Approval): Fault => ({
  code: 'approval_mismatch',
  message: `the policy permits no approval for the session for decision \`${decisionId}\`: approve it once`,
})

const disturbed = ({ decisionId }: Approval): Fault => ({
  code: 'approval_mismatch',
  message: `other steps ran since decision \`${decisionId}\` asked, or still run: approve it once`,
})

/**
 * The decision on a pending step that is denied, approved too late, or not answered. It stays blocked in any mode, because the request
 * was enforced.
 */
export function refusePending(
  state: SessionState,
  answer: Approval | Deadline,
  call: PendingCall,
  reason: Reason,
  inputs: JudgeContext,
): Outcome {
  const enforced: JudgeContext = { ...inputs, facts: { ...inputs.facts, mode: 'enforce' } }
  return conclude(
    'approval',
    answer,
    call,
    contextOf(state, enforced, reportOfPendingCall(state, call, inputs.rules)),
    [reason],
    enforced,
  )
}

/** The decision that follows from the reasons, and the state after it. */
function conclude(
  kind: 'step' | 'approval',
  event: Proposal | Approval | Deadline,
  call: Proposal | PendingCall,
  context: StepContext,
  reasons: Reason[],
  inputs: JudgeContext,
): Outcome {
  const { state, stepRisk, lineEvidence: evidence, labels, labelled, matches, signals } = context
  const verdict = verdictOf(reasons)
  const waitFor = verdict === 'block' ? waitForOf(reasons, context) : undefined
  const decision = decisionOf(
    {
      kind,
      event,
      call,
      verdict,
      reasons,
      state,
      stepRisk,
      evidence,
      labels,
      labelled,
      matches,
      signals,
      permitted: verdict === 'confirm' ? permittedFor(reasons, context) : undefined,
      waitFor,
    },
    inputs,
  )
  if (modeOf(inputs.facts) === 'observe')
    return { state: observe(state, call, context, verdict, reasons), decision }
  if (verdict === 'block')
    return { state: block(state, call.callId, waitFor ? undefined : context, reasons), decision }
  if (verdict === 'confirm') {
    const pending = pendingFor(call, context, reasons, decision.id, inputs)
    return { state: changed(state, { calls: putCall(state.calls, pending) }), decision }
  }
  return { state: recordRun(state, call, context), decision }
}

/** The pending call kept for an approval request; of a repeated request, earlier shown reasons stay shown. */
export function pendingFor(
  call: Proposal | PendingCall,
  { labels, labelled, derived, evidence, lineEvidence, matches, signals, effects, made, specs }: StepContext,
  reasons: readonly Reason[],
  decisionId: string,
  { rules, time }: JudgeContext,
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
    derived,
    evidence,
    lineEvidence,
    shown,
    expiresAt: time + rules.approvalTtlMs,
    matches,
    signals,
    effects,
    tags: specs.facts.tags,
    readings: specs.facts.readings,
    made,
  }
}

function isLifted(reason: Reason, call: PendingCall): boolean {
  return (
    reason.liftedBy === undefined &&
    severity(reason.verdict) <= severity('confirm') &&
    call.shown.includes(keyOf(reason))
  )
}
