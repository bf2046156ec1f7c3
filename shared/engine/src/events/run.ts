import type { EventOf, Reason, Verdict } from '@plimsoll/contracts'
import { type StepLabels, SENSITIVE, classOf, joinLabels } from '../labels/safety-state.js'
import { ESCALATIONS } from '../labels/words.js'
import { type Matches, countOf } from '../provenance/matches.js'
import { type Own, NOTHING_OWN, withoutFetched } from '../provenance/own.js'
import { withoutScripts } from '../provenance/scripts.js'
import { blinded } from '../provenance/sources.js'
import { sessionAfterStep } from '../risk/risk.js'
import { stateLeftByStep } from '../risk/transitions.js'
import type { Rules, ToolRule } from '../rules.js'
import { type SessionTime, sessionTimeOf } from '../specs/counters.js'
import { tagsOf } from '../specs/matching.js'
import { type Remembered, rememberBlocked, rememberRun, withoutCredits } from '../specs/memory.js'
import { findCall, isFull, putCall, removeCall } from '../state/calls.js'
import { interrupted, withoutPrograms } from '../state/programs-approved.js'
import {
  type OpenCall,
  type PendingCall,
  type SessionState,
  DIGEST_DIGITS,
  changed,
  draftOf,
} from '../state/session.js'
import { mayFillFiles } from '../state/file-content.js'
import { labelsFor } from '../state/labelling.js'
import type { StepContext } from '../verdict/context.js'
import type { JudgeContext } from '../verdict/outcome.js'
import { holdsSession } from '../verdict/sources/held.js'
import { mayWriteCode } from '../verdict/sources/outlet.js'

type Proposal = EventOf<'step.proposed'>

/** What is kept of a step that runs: of its proposal, or of a call that waited. */
type Ran = Pick<Proposal, 'callId' | 'tool' | 'argumentsDigest'> & Partial<Pick<Proposal, 'scripts'>>

/** `state` after the step was admitted: it counts as run. */
export function recordRun(
  state: SessionState,
  ran: Ran,
  { stepRisk, labels, labelled, rules, rule, specs, signals, matches, made }: StepContext,
): SessionState {
  const remembered = rememberRun(state, rule.memory, specs.facts, specs.moment, rules.memory)
  const call = openCall(
    ran,
    classOf(labels, labelled, isSought(matches, signals)),
    remembered.credits,
    specs.moment,
    made,
  )
  const next = draftOf(state)
  next.safety = stepRisk.safety
  next.level = stepRisk.level
  next.taint = stepRisk.taint
  next.band = stepRisk.band
  next.steps = state.steps + 1
  next.calls = putCall(remembered.calls, call)
  next.history = stepRisk.history
  next.conduct = stepRisk.conduct
  next.bucket = stepRisk.bucket
  next.leftState = stateLeftByStep(state, rules)
  next.memory = remembered.memory
  next.codeWritten = state.codeWritten || mayWriteCode({ labels, signals }, state)
  if (!isApprovedCall(state, ran, specs.moment.time)) {
    next.approvals = withoutPrograms(state.approvals)
    next.calls = interrupted(next.calls)
  }
  next.filesMayHold = state.filesMayHold || mayFillFiles({ state, labels, signals, matches })
  next.secretWritten = state.secretWritten || signals?.exposes === 1
  if (ran.scripts !== undefined) next.own = withoutScripts(state.own, ran.scripts)
  if (mayReplaceFiles(labels, signals, matches)) next.own = withoutFetched(next.own)
  return next
}

/** Whether another file may stand afterwards where one was fetched: what writes, runs or moves, and what reads and is given a path, unless its name says that it reads files. */
const mayReplaceFiles = (
  { escalation }: StepLabels,
  signals: StepContext['signals'],
  matches: Matches | undefined,
): boolean =>
  signals?.moves === 1 ||
  signals?.program === 1 ||
  (escalation >= FILE_WRITE && escalation < NETWORK) ||
  (escalation < FILE_WRITE &&
    signals?.readsFile !== 1 &&
    (!matches || countOf(matches, 'reference', 'total') > 0))
const FILE_WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')

/** Whether a step looks something up: it reads no messages, or those of an address or an id that the task names. */
const isSought = (matches: Matches | undefined, signals: StepContext['signals']): boolean =>
  matches !== undefined &&
  (signals?.message !== 1 || countOf(matches, 'target', 'task') + countOf(matches, 'reference', 'task') > 0)

/** Whether a human approved this very call for the session: what it does to other programs, too. */
const isApprovedCall = ({ approvals }: SessionState, { tool, argumentsDigest }: Ran, time: number): boolean =>
  approvals.some(
    (given) =>
      given.tool === tool &&
      given.digest === argumentsDigest.slice(0, DIGEST_DIGITS) &&
      time < given.expiresAt,
  )

/** `state` after a step in observe mode: it runs whatever its verdict. A step that would have been blocked is a violation. */
export function observe(
  state: SessionState,
  call: Proposal | PendingCall,
  context: StepContext,
  verdict: Verdict,
  reasons: readonly Reason[],
): SessionState {
  const admitted = recordRun(state, call, context)
  if (verdict !== 'block') return admitted
  const held = state.held || holdsSession(reasons, context.lineEvidence)
  return changed(admitted, { blocked: state.blocked + 1, violations: state.violations + 1, held })
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
  return changed(state, { blocked: state.blocked + 1, calls, memory, held })
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
  const rule = rules.tool(ran.tool)
  const known = labelsFor(state, ran, rule, rules)
  // The proposal's report of a step that did not wait for its answer counts too.
  const asked = call?.status === 'pending' ? call : undefined
  const labels = asked ? joinLabels(known.labels, asked.labels) : known.labels
  const source = classOf(labels, known.labelled)
  const { memory, calls, credits } = rememberWithoutVerdict(state, ran, rule, labels, asked, { rules, time })
  const others = removeCall(calls, callId)
  const hasRoom = !isFull(others)
  const after = sessionAfterStep(state, { labels, matches: asked?.matches, signals: asked?.signals }, rules)
  const next = draftOf(state)
  next.safety = after.safety
  next.level = after.level
  next.taint = after.taint
  next.history = after.history
  next.conduct = after.conduct
  next.bucket = after.bucket
  next.steps = state.steps + 1
  if (call) next.violations = state.violations + 1
  else next.withoutVerdict = state.withoutVerdict + 1
  next.calls = hasRoom ? putCall(others, openCall(ran, source, credits, { time })) : others
  // No completion is expected if the call is not open.
  if (!hasRoom && (source & SENSITIVE) !== 0) next.sources = blinded(state.sources)
  next.leftState = stateLeftByStep(state, rules)
  next.memory = memory
  // A step without a verdict may have written anything that it could change.
  next.codeWritten = state.codeWritten || labels.escalation > 0
  next.approvals = withoutPrograms(state.approvals)
  next.calls = interrupted(next.calls)
  next.filesMayHold = state.filesMayHold || labels.escalation > 0
  return next
}

function openCall(
  { callId, tool, argumentsDigest = '' }: Pick<Ran, 'callId' | 'tool'> & Partial<Ran>,
  source: number,
  credits: readonly number[],
  { time }: Pick<SessionTime, 'time'>,
  made: Own = NOTHING_OWN,
): OpenCall {
  const digest = argumentsDigest.slice(0, DIGEST_DIGITS)
  return { status: 'open', callId, source, credits, tool, digest, since: time, made }
}

/** The spec memory after a step without a verdict: it counts against the session, never for it. */
function rememberWithoutVerdict(
  state: SessionState,
  ran: Pick<Proposal, 'labels'>,
  rule: ToolRule,
  labels: StepLabels,
  asked: PendingCall | undefined,
  { rules, time }: Pick<JudgeContext, 'rules' | 'time'>,
): Remembered {
  const tags = tagsOf(ran, rule, rules) | (asked?.tags ?? 0)
  const facts = { labels, tags, effects: undefined, outside: undefined, readings: undefined }
  return withoutCredits(
    rememberRun(state, rule.memory, facts, sessionTimeOf(state, time), rules.memory),
    rules.memory,
  )
}
