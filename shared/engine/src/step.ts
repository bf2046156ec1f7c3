import type {
  Event,
  EventOf,
  EventType,
  Fault,
  InternalEvent,
  LoggedEvent,
  Verdict,
} from '@plimsoll/contracts'
import { approve, revoke } from './events/approved.js'
import { failOverdueCalls, receiveCompletion } from './events/completed.js'
import { reachDeadline } from './events/deadline.js'
import { declassify } from './events/declassified.js'
import { endSession } from './events/ended.js'
import { propose } from './events/proposed.js'
import { refine } from './events/refined.js'
import { inheritState, instructSession, startSession } from './events/reported.js'
import { recordRunWithoutVerdict } from './events/run.js'
import { checkSequence, markReceived, recentOf } from './events/sequence.js'
import { exposureOf } from './labels/safety-state.js'
import { type Facts, type Rules, type RulesCache, NO_FACTS } from './rules.js'
import { WHOLENESS } from './spec-rule.js'
import { sessionTimeOf } from './specs/counters.js'
import { seeded } from './specs/memory.js'
import { findCall } from './state/calls.js'
import { categoryOf } from './state/category.js'
import { type SessionState, changed, createSessionState } from './state/session.js'
import type { Outcome } from './verdict/outcome.js'
import { type CurrentVerdict, ended, refuse, repeatOf, unavailable } from './verdict/refusal.js'

/**
 * Folds one event into a session: the decision core. Pure and total: no clock, no I/O, and no exception for any event that passes the
 * contracts' schemas. The same state, event, rules and facts give an equal decision and state.
 *
 * @param state the session's state; undefined if the session has no record
 * @param rules the rules that the session is pinned to; undefined if they are not available
 */
export function step(
  state: SessionState | undefined,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts = NO_FACTS,
): Outcome {
  const { event } = input
  if (event.type === 'session.started') return start(state, event, input, rules, facts)
  if (!state) return needsNoSession(event) ? { state } : refuse(state, input, stateLost(event), facts)
  // The log's clock may be set back; a session's time never goes back.
  const timed = input.timeMs < state.time ? { ...input, timeMs: state.time } : input
  const ready = rules ? upToDate(state, event, rules, timed.timeMs) : state
  const outcome = fold(ready, event, timed, rules, facts)
  // An event that changes nothing returns the same state object.
  return ready !== state && outcome.state === ready ? { ...outcome, state } : outcome
}

function upToDate(state: SessionState, event: Event, rules: Rules, time: number): SessionState {
  const warm = state.memory[0] === WHOLENESS.cold ? warmed(state, rules, time) : state
  return failOverdueCalls(warm, event, rules, time)
}

/** Seeds the spec memory of a session that moved from another policy with what its record holds. */
function warmed(state: SessionState, rules: Rules, time: number): SessionState {
  const known = { exposure: exposureOf(state.safety), untrusted: state.taint > 0 }
  return changed(state, { memory: seeded(known, sessionTimeOf(state, time), rules.memory) })
}

function fold(
  state: SessionState,
  event: Exclude<Event, { type: 'session.started' }>,
  timed: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (event.type === 'approval.resolved') return approve(state, event, timed, rules, facts)
  if (event.type === 'approval.revoked') return revoke(state, event, timed)
  if (event.type === 'deadline.reached') return reachDeadline(state, event, timed, rules, facts)
  if (event.type === 'labels.refined') return refine(state, event, timed, rules, facts)
  if (event.type === 'session.labelled' || event.type === 'decision.appealed')
    return noteOutcome(state, timed)
  if (event.type === 'declassification.granted') return declassify(state, event, timed, rules, facts)
  const order = checkSequence(state, timed)
  if (order.kind === 'repeat') return repeat(state, event, order.verdict, timed.timeMs, facts)
  if (order.kind !== 'next') return outOfOrder(state, timed, order.kind, order.expected, facts)
  if (!rules) return unavailable(state, timed, facts)
  return markReceived(inOrder(state, event, timed, rules, facts), timed, true, state)
}

/** `step` under the session's pinned rules; a new session gets the active rules. */
export function advance(
  state: SessionState | undefined,
  input: LoggedEvent,
  cache: RulesCache,
  facts: Facts = NO_FACTS,
): Outcome {
  return step(state, input, state ? cache.pinned(state.pins) : cache.active, facts)
}

/** Whether an event without a session record is ignored instead of refused, and triggers no rebuild. */
export const needsNoSession = ({ type }: Pick<Event, 'type'>): boolean =>
  SESSIONLESS_TYPES.some((reported) => reported === type)
const SESSIONLESS_TYPES: readonly EventType[] = [
  'deadline.reached',
  'labels.refined',
  'session.labelled',
  'decision.appealed',
]

/** Records a label of what really happened, or that a decision was wrong. It changes no verdict, and a repeat changes nothing. */
function noteOutcome(state: SessionState, timed: LoggedEvent): Outcome {
  return recentOf(state, timed.hash) ? { state } : markReceived({ state }, timed, false)
}

type Sequenced = Exclude<Event, InternalEvent | { type: 'session.started' }>

function inOrder(
  state: SessionState,
  event: Sequenced,
  input: LoggedEvent,
  rules: Rules,
  facts: Facts,
): Outcome {
  if (state.ended) return refuse(state, input, ended(event), facts)
  const { timeMs: time } = input
  if (event.type === 'session.ended') return endSession(state, event, { rules, facts, time })
  if (event.type === 'session.instructed') return { state: instructSession(state, event, rules) }
  if (event.type === 'step.completed') return receiveCompletion(state, event, { rules, facts, time })
  return propose(recordReportedRuns(state, event, rules, time), event, { rules, facts, time })
}

function start(
  state: SessionState | undefined,
  event: EventOf<'session.started'>,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (state)
    return recentOf(state, input.hash) ? { state } : refuse(state, input, alreadyStarted(event), facts)
  if (!rules) return unavailable(state, input, facts)
  if (event.seq !== 0) return outOfOrder(state, input, 'gap', 0, facts)
  const { timeMs } = input
  const fresh = createSessionState(rules.versions, categoryOf(event), event.agent ?? '', timeMs)
  return markReceived({ state: startSession(fresh, event, rules) }, input, true)
}

/** Counts steps that ran without a verdict as run, and adds what a related session has read. */
export function recordReportedRuns(
  state: SessionState,
  event: EventOf<'step.proposed'>,
  rules: Rules,
  time: number,
): SessionState {
  const { withoutVerdict = [], inherits } = event
  const admitted = withoutVerdict.reduce(
    (before, ran) => recordRunWithoutVerdict(before, ran, rules, time),
    state,
  )
  return inherits ? inheritState(admitted, inherits, rules, time) : admitted
}

function repeat(state: SessionState, event: Event, verdict: Verdict, timeMs: number, facts: Facts): Outcome {
  if (event.type !== 'step.proposed') return { state }
  // An enforced block stays a block in observe mode: the step has not been counted as run.
  const isBlocked = findCall(state, event.callId)?.status === 'blocked'
  const context = { facts: isBlocked ? { ...facts, mode: 'enforce' as const } : facts, time: timeMs }
  return { state, decision: repeatOf(state, event, currentVerdict(state, event, verdict), context) }
}

/** An approval request may have been resolved since. */
function currentVerdict(
  state: SessionState,
  event: EventOf<'step.proposed'>,
  recorded: Verdict,
): CurrentVerdict {
  if (recorded !== 'confirm') return { verdict: recorded }
  const call = findCall(state, event.callId)
  if (call?.status === 'pending') return { verdict: 'confirm', expiresAt: call.expiresAt }
  return { verdict: call?.status === 'open' ? 'allow' : 'block' }
}

function outOfOrder(
  state: SessionState | undefined,
  input: LoggedEvent,
  kind: 'gap' | 'stale',
  expected: number,
  facts: Facts,
): Outcome {
  const { producer, seq } = input.event
  const message = `producer \`${producer}\` sent number \`${seq}\` where ${expected} was expected`
  const code = kind === 'gap' ? 'sequence_gap' : 'sequence_stale'
  return refuse(state, input, { code, message, expectedSeq: expected }, facts)
}

const stateLost = ({ sessionId }: Event): Fault => ({
  code: 'session_state_lost',
  message: `session \`${sessionId}\` has no record`,
})

const alreadyStarted = ({ sessionId }: Event): Fault => ({
  code: 'session_already_started',
  message: `session \`${sessionId}\` was started before`,
})
