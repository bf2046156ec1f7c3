import { isDeepStrictEqual } from 'node:util'
import {
  decisionSchema,
  ESCALATIONS,
  eventSchema,
  EXPOSURES,
  REVERSIBILITIES,
  TAINTS,
  type Decision,
  type Event,
  type EventOf,
  type Inherits,
} from '@plimsoll/contracts'
import {
  decodeState,
  encodeState,
  escalationOf,
  exposureOf,
  LIMITS,
  matchFingerprints,
  distinctiveShare,
  type Facts,
  type LoggedEvent,
  type Outcome,
  type Rules,
  type SessionState,
  type StepLabels,
  type step,
} from '@plimsoll/engine'

export type Step = typeof step

/** One event, the state before it and its outcome. */
export interface Moment {
  readonly before: SessionState | undefined
  readonly input: LoggedEvent
  readonly outcome: Outcome
  readonly rules: Rules
  readonly facts: Facts
  readonly step: Step
}

type Rule = (moment: Moment) => boolean | undefined

/** Invariants of every event; a rule returns false when it is broken. */
export const RULES: Readonly<Record<string, Rule>> = {
  'a session is never lost': ({ before, outcome }) => !before || outcome.state !== undefined,
  'a session never gets safer': ({ before, outcome: { state } }) =>
    !before || !state || isNoSafer(before, state),
  'a session is held until a declassification, and keeps its written code': (moment) =>
    !moment.before || !moment.outcome.state || keepsBits(moment),
  'every list is within its cap': ({ outcome: { state } }) => !state || isBounded(state),
  'every proposal is answered': (moment) =>
    (moment.outcome.decision !== undefined) === expectsDecision(moment),
  'a fault blocks': ({ outcome: { fault, decision } }) => !fault || !decision || decision.verdict === 'block',
  'a blocked or asking step names an alternative': ({ outcome: { decision } }) =>
    !decision || !needsAlternative(decision) || (decision.alternative ?? '') !== '',
  'a step that may not run does not count as run': (moment) => !isHeldBack(moment) || hasKeptSafety(moment),
  'no step is allowed during a stop': ({ facts, outcome: { decision } }) =>
    !facts.stop || !decision || isRepeatOrAlert(decision) || isStopped(decision),
  'only an observed decision has the mode observe': ({ facts, outcome: { decision } }) =>
    decision?.mode !== 'observe' || (facts.mode === 'observe' && !facts.stop),
  'an observed step leaves nothing waiting': ({ facts, before, outcome: { state } }) =>
    facts.mode === 'enforce' || pendingOf(state).every((id) => pendingOf(before).includes(id)),
  'an observed step counts as run, and as a violation if it would be blocked': (moment) =>
    !isObserved(moment) || countsAsRun(moment),
  'a deadline is no fault, allows nothing and lowers nothing': (moment) =>
    moment.input.event.type !== 'deadline.reached' ||
    (!moment.outcome.fault && moment.outcome.decision?.verdict !== 'allow' && hasKeptSafety(moment)),
  'a judge allows nothing, and answers no proposal': (moment) =>
    moment.input.event.type !== 'labels.refined' ||
    (!moment.outcome.decision && moment.before?.steps === moment.outcome.state?.steps),
  'a later message allows nothing, lowers nothing and gets no decision': (moment) =>
    moment.input.event.type !== 'session.instructed' ||
    (!moment.outcome.decision && hasKeptSafety(moment) && hasKeptCalls(moment)),
  'in a delegated session a value that was read is not named later': (moment) =>
    moment.input.event.type !== 'session.instructed' ||
    moment.before?.delegated !== true ||
    moment.input.event.fingerprints?.every((each) => isNamedNoMore(moment, each)),
  'no judged step is below the least labels of its tool': ({ outcome, rules }) =>
    !outcome.decision?.risk || isAtLeast(outcome.decision, rules),
  'no step that ran leaves the session below the least labels of its tool': ({
    outcome: { state, decision },
    rules,
  }) => !state || !decision || !isLetRun(decision) || hasRisenTo(state, rules.tool(decision.tool).least),
  'no session starts or continues safer than its inherited state': ({ before, input: { event }, outcome }) =>
    before === outcome.state ||
    !outcome.state ||
    outcome.fault !== undefined ||
    !('inherits' in event) ||
    hasInherited(outcome.state, event.inherits),
  'an approval for the session lifts only what it was given for, and no block': (moment) =>
    moment.outcome.decision?.kind !== 'step' ||
    moment.outcome.decision.reasons.every((reason) => isWithinApproval(reason, moment)),
  'only a human adds to the approvals for the session': ({ before, input: { event }, outcome: { state } }) =>
    state?.approvals.every(({ id }) => isGiven(id, event) || before?.approvals.some((had) => had.id === id)),
  'a repeated event changes nothing': ({ input, outcome, rules, facts, step }) =>
    !outcome.state || step(outcome.state, input, rules, facts).state === outcome.state,
}

/** Invariants that cost more to check. */
export const COSTLY_RULES: Readonly<Record<string, Rule>> = {
  'an event satisfies the contract': ({ input }) => eventSchema.safeParse(input.event).success,
  'a decision satisfies the contract': ({ outcome: { decision } }) =>
    !decision || isWhole(JSON.parse(JSON.stringify(decision))),
  'the same input gives the same bytes': ({ before, input, outcome, rules, facts, step }) =>
    bytesOf(step(before, input, rules, facts)) === bytesOf(outcome),
  'a record gives back the state': ({ outcome: { state } }) =>
    !state || isDeepStrictEqual(reread(state), state),
  'a state read back decides the same bytes': ({ before, input, outcome, rules, facts, step }) =>
    !before || bytesOf(step(reread(before), input, rules, facts)) === bytesOf(outcome),
  'without the pinned versions nothing is judged': ({ before, input, facts, step }) =>
    isIdle(input) || isRevocation(input) || step(before, input, undefined, facts).state === before,
}

/** The names of the rules that `moment` breaks. */
export function brokenRules(moment: Moment, rules: Readonly<Record<string, Rule>>): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds(moment) === false ? [name] : []))
}

const SOURCES_MAX = 6144
const MARKS_MAX = 64

const bytesOf = ({ state, decision, fault }: Outcome): string =>
  JSON.stringify([state && encodeState(state), decision, fault])

function reread(state: SessionState): SessionState | undefined {
  const decoded = decodeState(encodeState(state))
  return decoded.kind === 'state' ? decoded.state : undefined
}

function isNoSafer(before: SessionState, after: SessionState): boolean {
  return (
    exposureOf(after.safety) >= exposureOf(before.safety) &&
    escalationOf(after.safety) >= escalationOf(before.safety) &&
    after.level >= before.level &&
    after.taint >= before.taint &&
    after.steps >= before.steps &&
    after.blocked >= before.blocked &&
    after.violations >= before.violations &&
    after.withoutVerdict >= before.withoutVerdict &&
    after.time >= before.time &&
    (after.ended || !before.ended)
  )
}

function keepsBits({ before, input: { event }, outcome: { state } }: Moment): boolean {
  const isDeclassified = event.type === 'declassification.granted' && event.spec === 'line'
  const isStillHeld = state?.held === true || before?.held !== true || isDeclassified
  return isStillHeld && (state?.codeWritten === true || before?.codeWritten !== true)
}

function isAtLeast({ risk, tool }: Decision, rules: Rules): boolean {
  const { least } = rules.tool(tool)
  if (!least || !risk) return true
  return (
    EXPOSURES.indexOf(risk.exposure) >= least.exposure &&
    ESCALATIONS.indexOf(risk.escalation) >= least.escalation &&
    REVERSIBILITIES.indexOf(risk.reversibility) >= least.reversibility &&
    (!least.untrusted || risk.taint !== 'none')
  )
}

/** Checks the state alone: exposure, taint, and each fingerprint in its class or forgotten. */
function hasInherited({ safety, taint, sources }: SessionState, inherits: Inherits | undefined): boolean {
  const { confidentiality, taint: reported = 'none', unseen, fingerprints = {} } = inherits ?? {}
  const { untrusted = [], instructed = [], sensitive = [] } = fingerprints
  const isAllSensitive = sensitive.every(
    (each) => distinctiveShare(matchFingerprints(sources, [`n${each.slice(1)}`]), 'sensitive') === 1,
  )
  const isAllUntrusted = [...untrusted, ...instructed].every(
    (each) => distinctiveShare(matchFingerprints(sources, [`n${each.slice(1)}`]), 'untrusted') === 1,
  )
  return (
    exposureOf(safety) >= (confidentiality ? EXPOSURES.indexOf(confidentiality) : 0) &&
    taint >= TAINTS.indexOf(reported) &&
    (instructed.length === 0 || taint === TAINTS.indexOf('instructions')) &&
    (unseen !== true || sources.startsWith('?')) &&
    isAllSensitive &&
    isAllUntrusted
  )
}

const isLetRun = ({ kind, mode, verdict }: Decision): boolean =>
  (kind === 'step' || kind === 'approval') &&
  (verdict === 'allow' || verdict === 'warn' || (kind === 'step' && mode === 'observe'))

function hasRisenTo({ safety, taint }: SessionState, least: StepLabels | undefined): boolean {
  if (!least) return true
  const isRisen = exposureOf(safety) >= least.exposure && escalationOf(safety) >= least.escalation
  return isRisen && (!least.untrusted || taint > 0)
}

function isBounded({
  producers,
  recent,
  calls,
  refined,
  sources,
  history,
  approvals,
}: SessionState): boolean {
  const blocked = calls.filter(({ status }) => status === 'blocked').length
  return (
    producers.length <= LIMITS.producersMax &&
    recent.length <= LIMITS.recentMax &&
    refined.length <= LIMITS.refinedMax &&
    approvals.length <= LIMITS.approvalsMax &&
    sources.length <= SOURCES_MAX &&
    history.length <= MARKS_MAX &&
    blocked <= LIMITS.blockedCallsMax &&
    calls.length - blocked <= LIMITS.liveCallsMax &&
    new Set(calls.map(({ callId }) => callId)).size === calls.length
  )
}

/** By the decision and the approval alone; whether the policy permits it, the naive model says. */
function isWithinApproval(
  { source, code, verdict, liftedBy = '' }: Decision['reasons'][number],
  { before, input: { event }, outcome: { state, decision } }: Moment,
): boolean {
  if (!liftedBy.startsWith('approval:')) return true
  const given = before?.approvals.find(({ id }) => liftedBy === `approval:${id}`)
  return (
    given !== undefined &&
    event.type === 'step.proposed' &&
    event.tool === given.tool &&
    verdict === 'confirm' &&
    given.lifts.includes(
      source === 'line' ? `line:${code}:${exposureOf(before?.safety ?? 0)}` : `${source}:${code}`,
    ) &&
    (state?.time ?? Infinity) < given.expiresAt &&
    decision?.risk?.reversibility !== 'irreversible'
  )
}

const isGiven = (id: string, event: Event): boolean =>
  event.type === 'approval.resolved' &&
  event.resolution === 'approved' &&
  event.scope === 'session' &&
  event.id === id

const needsAlternative = ({ verdict }: Decision): boolean => verdict === 'confirm' || verdict === 'block'

/** A proposal always; an approval if it was judged; a deadline if it ends an approval request. */
function expectsDecision({ before, input, outcome }: Moment): boolean {
  const { event } = input
  if (event.type === 'step.proposed') return true
  if (event.type === 'step.completed')
    return isAnother(before, event) && !outcome.fault && outcome.state !== before
  if (event.type === 'deadline.reached') return isOverdue(before, event, input.timeMs)
  return event.type === 'approval.resolved' && outcome.decision?.kind === 'approval'
}

/** Whether the completion differs from the open step. */
function isAnother(
  before: SessionState | undefined,
  { callId, tool, argumentsDigest }: EventOf<'step.completed'>,
): boolean {
  const call = before?.calls.find((each) => each.callId === callId)
  if (call?.status !== 'open') return false
  const isKnown = call.digest !== '' && argumentsDigest !== undefined
  return call.tool !== tool || (isKnown && !argumentsDigest.startsWith(call.digest))
}

function isOverdue(
  state: SessionState | undefined,
  { due }: EventOf<'deadline.reached'>,
  timeMs: number,
): boolean {
  if (!state || due.kind !== 'approval') return false
  return state.calls.some(
    (call) =>
      call.status === 'pending' &&
      call.decisionId === due.decisionId &&
      Math.max(timeMs, state.time) >= call.expiresAt,
  )
}

const isIdle = ({ event }: LoggedEvent): boolean =>
  event.type === 'deadline.reached' && event.due.kind === 'idle'

/** Whether the contract knows every member of the decision: a reader drops the others. */
const isWhole = (decision: unknown): boolean =>
  isDeepStrictEqual(decisionSchema.safeParse(decision).data, decision)

/** It judges nothing: an approval ends under any rules. */
const isRevocation = ({ event }: LoggedEvent): boolean => event.type === 'approval.revoked'

/** Whether the decision answers no new proposal. */
const isRepeatOrAlert = ({ kind }: Decision): boolean => kind === 'repeat' || kind === 'alert'

const isStopped = ({ verdict, mode }: Decision): boolean => verdict === 'block' && mode === 'enforce'

const pendingOf = (state: SessionState | undefined): string[] =>
  (state?.calls ?? []).flatMap((call) => (call.status === 'pending' ? [call.decisionId] : []))

/** A step decided in observe mode; steps reported without a verdict are excluded, as they raise the counts themselves. */
function isObserved({ input: { event }, outcome: { decision } }: Moment): boolean {
  const isReported = event.type === 'step.proposed' && event.withoutVerdict !== undefined
  return (
    decision?.mode === 'observe' && (decision.kind === 'step' || decision.kind === 'approval') && !isReported
  )
}

function countsAsRun({ before, outcome: { state, decision } }: Moment): boolean {
  if (!before || !state) return false
  const blocked = decision?.verdict === 'block' ? 1 : 0
  return (
    state.steps === before.steps + 1 &&
    state.violations === before.violations + blocked &&
    state.blocked === before.blocked + blocked
  )
}

function isHeldBack({ input, outcome: { decision } }: Moment): boolean {
  if (decision?.mode === 'observe') return false
  const { event } = input
  const isReported = event.type === 'step.proposed' && (event.withoutVerdict ?? event.inherits) !== undefined
  return !isReported && (decision?.verdict === 'block' || decision?.verdict === 'confirm')
}

const hasKeptCalls = ({ before, outcome: { state } }: Moment): boolean =>
  isDeepStrictEqual(
    state?.calls.filter(({ status }) => status !== 'open'),
    before?.calls.filter(({ status }) => status !== 'open'),
  )

/** Whether a value that was read, and not named in the task, still counts as not named. */
function isNamedNoMore({ before, outcome: { state } }: Moment, fingerprint: string): boolean {
  const value = [`n${fingerprint.slice(1)}`]
  const met = matchFingerprints(before?.sources ?? '', value)
  const isRead = ['trusted', 'untrusted', 'sensitive'] as const
  if (distinctiveShare(met, 'task') > 0 || isRead.every((where) => distinctiveShare(met, where) === 0))
    return true
  return distinctiveShare(matchFingerprints(state?.sources ?? '', value), 'task') === 0
}

function hasKeptSafety({ before, outcome: { state } }: Moment): boolean {
  if (!before || !state) return before === state
  return (['safety', 'level', 'taint', 'band', 'steps', 'withoutVerdict', 'violations'] as const).every(
    (member) => before[member] === state[member],
  )
}
