import type { EventOf, Evidence, Fault, Reason, Verdict } from '@plimsoll/contracts'
import { type StepLabels, SENSITIVE, classOf, isPaying, joinLabels } from '../labels/safety-state.js'
import { type Matches, matchFingerprints } from '../provenance/matches.js'
import { blinded } from '../provenance/sources.js'
import { estimateStepRisk, sessionAfterStep } from '../risk/risk.js'
import { stateLeftByStep } from '../risk/transitions.js'
import type { Rules } from '../rules.js'
import type { StepFacts } from '../spec-rule.js'
import { type SessionTime, sessionTimeOf } from '../specs/counters.js'
import { readingsOf, tagsOf } from '../specs/matching.js'
import { type Remembered, rememberBlocked, rememberRun, withoutCredits } from '../specs/memory.js'
import { dropExpiredCalls, findCall, isFull, isLive, pendingOf, putCall, removeCall } from '../state/calls.js'
import { evidenceOf, requestEvidenceOf } from '../state/evidence.js'
import { labelsFor, relabelled } from '../state/labelling.js'
import {
  type OpenCall,
  type PendingCall,
  type SessionState,
  DIGEST_DIGITS,
  LIMITS,
  appendCapped,
  changed,
} from '../state/session.js'
import { type StepContext, judge, severity, verdictOf, waitForOf } from '../verdict/judge.js'
import { keyOf, liftByStanding, permittedFor, shownOf, standingApproval } from '../verdict/standing.js'
import { holdsSession, mayWriteCode, outletOf } from '../verdict/line.js'
import {
  type JudgeContext,
  type Outcome,
  decisionOf,
  idOf,
  modeOf,
  refuseProposal,
} from '../verdict/outcome.js'

type Proposal = EventOf<'step.proposed'>
type Approval = EventOf<'approval.resolved'>
type Deadline = EventOf<'deadline.reached'>

/** Judges a proposed step; `state` already includes the steps that ran without a verdict. */
export function propose(state: SessionState, proposal: Proposal, inputs: JudgeContext): Outcome {
  const { time } = inputs
  const refused = (code: Fault['code'], message: string) =>
    refuseProposal(state, proposal, { code, message }, inputs)
  const earlier = findCall(state, proposal.callId)
  if (earlier && isLive(earlier, time))
    return refused('call_conflict', `call \`${proposal.callId}\` is already open or waits for an approval`)
  // An approval names a decision by its id, so two pending steps must not share one.
  if (pendingOf(state, idOf(proposal, 'step')))
    return refused(
      'call_conflict',
      `another call waits for an approval under the event id \`${proposal.id}\``,
    )
  const roomy = isFull(state.calls) ? { ...state, calls: dropExpiredCalls(state.calls, time) } : state
  if (isFull(roomy.calls))
    return refused('too_many_open_calls', 'the session has as many open calls as it may have')
  const context = contextOf(roomy, inputs, reportOfProposal(roomy, proposal, inputs.rules))
  const reasons = liftByStanding(judge(context), proposal.argumentsDigest, context)
  return conclude('step', proposal, proposal, context, reasons, inputs)
}

/** Judges a pending step again after its approval, which lifts only the reasons that were shown. */
export function reconsider(
  state: SessionState,
  approval: Approval,
  call: PendingCall,
  inputs: JudgeContext,
): Outcome {
  const context = contextOf(state, inputs, reportOfPendingCall(state, call, inputs.rules))
  const judged = liftByStanding(judge(context), call.argumentsDigest, context)
  const lifted = judged.filter((reason) => isLifted(reason, call))
  const reasons = judged.map((reason) =>
    lifted.includes(reason) ? { ...reason, liftedBy: `approval:${approval.by}` } : reason,
  )
  const asking = lifted.filter(({ verdict }) => verdict === 'confirm')
  // A like step may have been approved for the session since the request: then nothing is left to approve.
  const isForSession = approval.scope === 'session' && asking.length > 0
  if (isForSession && !permittedFor(asking, context).scopes.includes('session'))
    return { state, fault: narrowScope(approval) }
  const outcome = conclude('approval', approval, call, context, reasons, inputs)
  const { state: after, decision } = outcome
  const runs = decision?.verdict === 'allow' || decision?.verdict === 'warn'
  if (!isForSession || !after || !runs) return outcome
  const given = standingApproval(approval.id, asking, call.argumentsDigest, context)
  return {
    ...outcome,
    state: { ...after, approvals: appendCapped(after.approvals, given, LIMITS.approvalsMax) },
  }
}

const narrowScope = ({ decisionId }: Approval): Fault => ({
  code: 'approval_mismatch',
  message: `the policy permits no approval for the session for decision \`${decisionId}\`: approve it once`,
})

/** A step's labels and evidence before it is judged. */
export type StepReport = Pick<
  StepContext,
  'tool' | 'labels' | 'labelled' | 'derived' | 'evidence' | 'lineEvidence' | 'matches' | 'signals'
> &
  Pick<StepFacts, 'tags' | 'readings'>

/** The report of a proposal, matched with what the session has read. */
export function reportOfProposal(state: SessionState, proposal: Proposal, rules: Rules): StepReport {
  const { tool, fingerprints, signals } = proposal
  const { labels, labelled, derived } = labelsFor(state, proposal, rules)
  const matches = fingerprints && matchFingerprints(state.sources, fingerprints)
  const evidence = proposal.evidence?.sensitive ?? evidenceOf(state, matches, signals)
  const lineEvidence = lineEvidenceOf(state, proposal, labels, matches) ?? evidence
  const tags = tagsOf(proposal, rules)
  const readings = readingsOf(proposal, rules)
  return { tool, labels, labelled, derived, evidence, lineEvidence, matches, signals, tags, readings }
}

/** The evidence for the line if it differs from that of the specs: of requests and payments, and only if it can matter. */
function lineEvidenceOf(
  state: SessionState,
  { evidence, fingerprints, addressed = [], signals }: Proposal,
  labels: StepLabels,
  matches: Matches | undefined,
): Evidence | undefined {
  if (evidence || !matches || !fingerprints) return undefined
  const outlet = outletOf({ labels, signals }, state)
  const isPayment = outlet === 'sends' && isPaying(signals)
  if (outlet !== 'request' && !isPayment) return undefined
  const namesMax = isPayment ? NAMES_OF_PAYMENT : 0
  return requestEvidenceOf(state, matches, fingerprints, addressed, signals, namesMax)
}

/** The purpose of a payment: `Spotify Premium`, `Rent`. */
const NAMES_OF_PAYMENT = 2

/** The report of a pending call's proposal, with its current labels. */
export function reportOfPendingCall(state: SessionState, call: PendingCall, rules: Rules): StepReport {
  const { tool, evidence, lineEvidence, matches, signals, readings } = call
  const { labels, labelled, derived } = relabelled(state, call, rules)
  const tags = call.tags | rules.tool(tool).tags
  return { tool, labels, labelled, derived, evidence, lineEvidence, matches, signals, tags, readings }
}

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
  const { state, stepRisk: prospect, lineEvidence: evidence, labels, labelled, matches, signals } = context
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
      stepRisk: prospect,
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
    return { state: { ...state, calls: putCall(state.calls, pending) }, decision }
  }
  return { state: recordRun(state, call, context), decision }
}

/** The pending call kept for an approval request; of a repeated request, earlier shown reasons stay shown. */
export function pendingFor(
  call: Proposal | PendingCall,
  { labels, labelled, derived, evidence, lineEvidence, matches, signals, specs }: StepContext,
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
    tags: specs.facts.tags,
    readings: specs.facts.readings,
  }
}

/** `state` after the step was admitted: it counts as run. */
export function recordRun(
  state: SessionState,
  call: Pick<Proposal, 'callId' | 'tool' | 'argumentsDigest'>,
  { stepRisk: prospect, labels, labelled, rules, rule, specs, signals }: StepContext,
): SessionState {
  const { safety, level, taint, band, history, conduct, bucket } = prospect
  const remembered = rememberRun(state, rule.memory, specs.facts, specs.moment, rules.memory)
  const { memory, credits } = remembered
  const source = classOf(labels, labelled)
  const calls = putCall(remembered.calls, openCall(call, source, credits, specs.moment))
  const steps = state.steps + 1
  const leftState = stateLeftByStep(state, rules)
  const codeWritten = state.codeWritten || mayWriteCode({ labels, signals })
  const run = {
    safety,
    level,
    taint,
    band,
    steps,
    calls,
    history,
    conduct,
    bucket,
    leftState,
    memory,
    codeWritten,
  }
  return changed(state, run)
}

/** `state` after a step in observe mode: it runs whatever its verdict. A step that would have been blocked is a violation. */
function observe(
  state: SessionState,
  call: Proposal | PendingCall,
  context: StepContext,
  verdict: Verdict,
  reasons: readonly Reason[],
): SessionState {
  const admitted = recordRun(state, call, context)
  if (verdict !== 'block') return admitted
  const held = state.held || holdsSession(reasons, context.lineEvidence)
  return { ...admitted, blocked: state.blocked + 1, violations: state.violations + 1, held }
}

/** `state` after a step was blocked. `context`: undefined if the step only has to wait for other calls. */
export function block(
  state: SessionState,
  callId: string,
  context: StepContext | undefined,
  reasons: readonly Reason[] = [],
): SessionState {
  const memory = context
    ? rememberBlocked(state.memory, context.rule.memory, context.specs.facts, context.rules.memory)
    : state.memory
  const calls = putCall(state.calls, { status: 'blocked', callId })
  const held = state.held || (context !== undefined && holdsSession(reasons, context.lineEvidence))
  return { ...state, blocked: state.blocked + 1, calls, memory, held }
}

/**
 * `state` after a step ran without a verdict or although it was blocked. It stays open if there is room, so that its completion does not
 * count it again.
 */
export function recordRunWithoutVerdict(
  state: SessionState,
  ran: Pick<Proposal, 'callId' | 'tool' | 'labels'>,
  rules: Rules,
  time: number,
): SessionState {
  const { callId } = ran
  const call = findCall(state, callId)
  if (call?.status === 'open') return state
  const known = labelsFor(state, ran, rules)
  // The proposal's report of a step that did not wait for its answer counts too.
  const asked = call?.status === 'pending' ? call : undefined
  const labels = asked ? joinLabels(known.labels, asked.labels) : known.labels
  const source = classOf(labels, known.labelled)
  const { memory, calls, credits } = rememberWithoutVerdict(state, ran, labels, asked, { rules, time })
  const others = removeCall(calls, callId)
  const hasRoom = !isFull(others)
  return {
    ...state,
    ...sessionAfterStep(state, { labels, matches: asked?.matches, signals: asked?.signals }, rules),
    steps: state.steps + 1,
    violations: state.violations + (call ? 1 : 0),
    withoutVerdict: state.withoutVerdict + (call ? 0 : 1),
    calls: hasRoom ? putCall(others, openCall(ran, source, credits, { time })) : others,
    // No completion is expected if the call is not open.
    sources: hasRoom || (source & SENSITIVE) === 0 ? state.sources : blinded(state.sources),
    leftState: stateLeftByStep(state, rules),
    memory,
    // A step without a verdict may have written anything that it could change.
    codeWritten: state.codeWritten || labels.escalation > 0,
  }
}

function openCall(
  { callId, tool, argumentsDigest = '' }: Pick<Proposal, 'callId' | 'tool'> & Partial<Proposal>,
  source: number,
  credits: readonly number[],
  { time }: Pick<SessionTime, 'time'>,
): OpenCall {
  const digest = argumentsDigest.slice(0, DIGEST_DIGITS)
  return { status: 'open', callId, source, credits, tool, digest, since: time }
}

/** The spec memory after a step without a verdict: it counts against the session, never for it. */
function rememberWithoutVerdict(
  state: SessionState,
  ran: Pick<Proposal, 'tool' | 'labels'>,
  labels: StepLabels,
  asked: PendingCall | undefined,
  { rules, time }: Pick<JudgeContext, 'rules' | 'time'>,
): Remembered {
  const tags = tagsOf(ran, rules) | (asked?.tags ?? 0)
  const facts = { labels, tags, outside: undefined, readings: undefined }
  const { memory } = rules.tool(ran.tool)
  return withoutCredits(
    rememberRun(state, memory, facts, sessionTimeOf(state, time), rules.memory),
    rules.memory,
  )
}

export function contextOf(
  state: SessionState,
  { rules, facts, time }: JudgeContext,
  reported: StepReport,
): StepContext {
  const { tool, labels, tags, readings, signals, evidence, matches } = reported
  return {
    ...reported,
    state,
    rules,
    facts,
    rule: rules.tool(tool),
    stepRisk: estimateStepRisk(state, reported, rules),
    specs: {
      memory: state.memory,
      moment: sessionTimeOf(state, time),
      facts: { labels, tags, outside: signals?.['outside'], readings },
      evidence,
      matches,
      signals,
      fleet: facts.readings,
    },
  }
}

function isLifted(reason: Reason, call: PendingCall): boolean {
  return (
    reason.liftedBy === undefined &&
    severity(reason.verdict) <= severity('confirm') &&
    call.shown.includes(keyOf(reason))
  )
}
