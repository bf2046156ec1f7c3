import { isDeepStrictEqual } from 'node:util'
import {
  decisionSchema,
  ESCALATIONS,
  eventSchema,
  EXPOSURES,
  REVERSIBILITIES,
  TAINTS,
  type Decision,
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

/** One event, what it met and what came of it. */
export interface Moment {
  readonly before: SessionState | undefined
  readonly input: LoggedEvent
  readonly outcome: Outcome
  readonly rules: Rules
  readonly facts: Facts
  readonly step: Step
}

type Rule = (moment: Moment) => boolean | undefined

/** What must hold at every event; a rule answers false where it does not. */
export const RULES: Readonly<Record<string, Rule>> = {
  'a session is never forgotten': ({ before, outcome }) => !before || outcome.state !== undefined,
  'a session never gets safer': ({ before, outcome: { state } }) =>
    !before || !state || isNoSafer(before, state),
  'a session is held until somebody declassifies it, and what it has written stays written': (moment) =>
    !moment.before || !moment.outcome.state || keepsBits(moment),
  'every list is within its cap': ({ outcome: { state } }) => !state || isBounded(state),
  'every proposal is answered': (moment) =>
    (moment.outcome.decision !== undefined) === expectsDecision(moment),
  'a fault blocks': ({ outcome: { fault, decision } }) => !fault || !decision || decision.verdict === 'block',
  'what is asked about or blocked names something safer': ({ outcome: { decision } }) =>
    !decision || !needsAlternative(decision) || (decision.alternative ?? '') !== '',
  'a step that may not run does not count as run': (moment) => !isHeldBack(moment) || hasKeptSafety(moment),
  'while a stop stands no step is let run': ({ facts, outcome: { decision } }) =>
    !facts.stop || !decision || isRepeatOrAlert(decision) || isStopped(decision),
  'only what is observed says so': ({ facts, outcome: { decision } }) =>
    decision?.mode !== 'observe' || (facts.mode === 'observe' && !facts.stop),
  'what is observed leaves nothing that waits': ({ facts, before, outcome: { state } }) =>
    facts.mode === 'enforce' || pendingOf(state).every((id) => pendingOf(before).includes(id)),
  'what is observed counts as run, and as a violation where it would be blocked': (moment) =>
    !isObserved(moment) || countsAsRun(moment),
  'a deadline is no fault, lets nothing run and lowers nothing': (moment) =>
    moment.input.event.type !== 'deadline.reached' ||
    (!moment.outcome.fault && moment.outcome.decision?.verdict !== 'allow' && hasKeptSafety(moment)),
  'a judge lets nothing run, and answers no proposal': (moment) =>
    moment.input.event.type !== 'labels.refined' ||
    (!moment.outcome.decision && moment.before?.steps === moment.outcome.state?.steps),
  'what the user says lets nothing run, lowers nothing and is answered by nothing': (moment) =>
    moment.input.event.type !== 'session.instructed' ||
    (!moment.outcome.decision && hasKeptSafety(moment) && hasKeptCalls(moment)),
  'in a delegated session what was read is not named later': (moment) =>
    moment.input.event.type !== 'session.instructed' ||
    moment.before?.delegated !== true ||
    moment.input.event.fingerprints?.every((each) => isNamedNoMore(moment, each)),
  'no step that is judged is below the least that its tool may be brought down to': ({ outcome, rules }) =>
    !outcome.decision?.risk || isAtLeast(outcome.decision, rules),
  'no step that ran leaves the session below the least of its tool': ({
    outcome: { state, decision },
    rules,
  }) => !state || !decision || !isLetRun(decision) || hasRisenTo(state, rules.tool(decision.tool).least),
  'no session starts, or goes on, safer than what it inherits': ({ before, input: { event }, outcome }) =>
    before === outcome.state ||
    !outcome.state ||
    outcome.fault !== undefined ||
    !('inherits' in event) ||
    hasInherited(outcome.state, event.inherits),
  'an event heard twice changes nothing the second time': ({ input, outcome, rules, facts, step }) =>
    !outcome.state || step(outcome.state, input, rules, facts).state === outcome.state,
}

/** The same for what costs more to check. */
export const COSTLY_RULES: Readonly<Record<string, Rule>> = {
  'an event satisfies the contract': ({ input }) => eventSchema.safeParse(input.event).success,
  'a decision satisfies the contract': ({ outcome: { decision } }) =>
    !decision || decisionSchema.safeParse(JSON.parse(JSON.stringify(decision))).success,
  'the same input gives the same bytes': ({ before, input, outcome, rules, facts, step }) =>
    bytesOf(step(before, input, rules, facts)) === bytesOf(outcome),
  'a record gives back the state': ({ outcome: { state } }) =>
    !state || isDeepStrictEqual(reread(state), state),
  'a state read back decides the same bytes': ({ before, input, outcome, rules, facts, step }) =>
    !before || bytesOf(step(reread(before), input, rules, facts)) === bytesOf(outcome),
  'without the pinned versions nothing is judged': ({ before, input, facts, step }) =>
    isIdle(input) || step(before, input, undefined, facts).state === before,
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

/** By what the record has, not by how it was reached: exposure, taint, and each fingerprint in its class or forgotten blindly. */
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

function isBounded({ producers, recent, calls, refined, sources, history }: SessionState): boolean {
  const blocked = calls.filter(({ status }) => status === 'blocked').length
  return (
    producers.length <= LIMITS.producersMax &&
    recent.length <= LIMITS.recentMax &&
    refined.length <= LIMITS.refinedMax &&
    sources.length <= SOURCES_MAX &&
    history.length <= MARKS_MAX &&
    blocked <= LIMITS.blockedCallsMax &&
    calls.length - blocked <= LIMITS.liveCallsMax &&
    new Set(calls.map(({ callId }) => callId)).size === calls.length
  )
}

const needsAlternative = ({ verdict }: Decision): boolean => verdict === 'confirm' || verdict === 'block'

/** Proposals always; an approval where it was judged; a deadline where it ends a question. */
function expectsDecision({ before, input, outcome }: Moment): boolean {
  const { event } = input
  if (event.type === 'step.proposed') return true
  if (event.type === 'step.completed')
    return isAnother(before, event) && !outcome.fault && outcome.state !== before
  if (event.type === 'deadline.reached') return isOverdue(before, event, input.timeMs)
  return event.type === 'approval.resolved' && outcome.decision?.kind === 'approval'
}

/** Whether what came back is not what was let run. */
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

/** Whether it answers no new proposal. */
const isRepeatOrAlert = ({ kind }: Decision): boolean => kind === 'repeat' || kind === 'alert'

const isStopped = ({ verdict, mode }: Decision): boolean => verdict === 'block' && mode === 'enforce'

const pendingOf = (state: SessionState | undefined): string[] =>
  (state?.calls ?? []).flatMap((call) => (call.status === 'pending' ? [call.decisionId] : []))

/** A step that ran without waiting; the counts include those reported before it. */
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

/** Whether a value that was read, and that the task had not named, still counts as not named. */
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
