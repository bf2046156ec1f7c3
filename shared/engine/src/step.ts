import { TAINTS, type Event, type EventOf, type Verdict } from '@plimsoll/contracts'
import { callOf, pendingOf, withoutCall } from './calls.js'
import { refuse, repeatOf, type LoggedEvent, type Outcome } from './outcome.js'
import { labelsFor, propose, ranAnyway, reconsider, turnDown } from './proposal.js'
import type { Facts, RuleBook, Rules } from './rules.js'
import { NO_FACTS } from './rules.js'
import { exposureIndex, raiseExposure, riskLevelOf } from './safety-state.js'
import { hear, orderOf, recentOf } from './sequence.js'
import { newSession, type SessionState } from './session.js'

/**
 * Folds one event into a session: the decision core. Pure and total: no clock, no I/O, no exception for anything that the
 * contracts' schemas let through. Same state, event, rules and facts → equal decision and state.
 *
 * @param state the session's state; undefined where it has no record
 * @param rules those that the session is pinned to; undefined where they are not at hand
 */
export function step(
  state: SessionState | undefined,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts = NO_FACTS,
): Outcome {
  const { event } = input
  if (event.type === 'session.started') return start(state, { event, timeMs: input.timeMs }, rules)
  if (!state) return refuse(state, input, { code: 'session_state_lost', message: `session \`${event.sessionId}\` has no record` })
  if (event.type === 'approval.resolved') return approve(state, event, input, rules, facts)
  const order = orderOf(state, event)
  if (order.kind === 'repeat') return repeat(state, event, order.verdict, input.timeMs)
  if (order.kind !== 'next') return outOfOrder(state, input, order.kind, order.expected)
  if (!rules) return unavailable(state, input)
  const outcome = inOrder({ ...state, time: Math.max(state.time, input.timeMs) }, event, input, rules, facts)
  return heard(outcome, event, true)
}

/** `step` under the rules that `book` has for the session: its pins, or for a new session the active ones. */
export function advance(
  state: SessionState | undefined,
  input: LoggedEvent,
  book: RuleBook,
  facts: Facts = NO_FACTS,
): Outcome {
  return step(state, input, state ? book.pinned(state.pins) : book.active, facts)
}

type Sequenced = Exclude<Event, { type: 'session.started' | 'approval.resolved' }>

function inOrder(state: SessionState, event: Sequenced, input: LoggedEvent, rules: Rules, facts: Facts): Outcome {
  if (state.ended) return refuse(state, input, { code: 'session_ended', message: `session \`${event.sessionId}\` has ended` })
  switch (event.type) {
    case 'tool.proposed':
      return propose(admitUnanswered(state, event, rules), event, rules, facts, state.time)
    case 'tool.completed':
      return { state: complete(state, event, rules) }
    case 'session.ended':
      return { state: { ...state, ended: true, calls: [] } }
  }
}

function start(state: SessionState | undefined, input: LoggedEvent, rules: Rules | undefined): Outcome {
  const { event, timeMs } = input
  if (event.type !== 'session.started') return { state }
  if (state && recentOf(state, event.id)) return { state }
  if (state) return refuse(state, input, { code: 'session_already_started', message: `session \`${event.sessionId}\` was started before` })
  if (!rules) return unavailable(state, input)
  if (event.seq !== 0) return outOfOrder(state, input, 'gap', 0)
  return heard({ state: newSession(rules.versions, event.category ?? '', timeMs) }, event, true)
}

/** Steps that the client let run without a verdict count as run. */
function admitUnanswered(state: SessionState, event: EventOf<'tool.proposed'>, rules: Rules): SessionState {
  let admitted = state
  for (const ran of event.unanswered ?? []) admitted = ranAnyway(admitted, ran.callId, labelsFor(ran, rules).labels)
  return admitted
}

/** A completion may raise exposure and taint, never lower them; a call that was never let run counts as run. */
function complete(state: SessionState, event: EventOf<'tool.completed'>, rules: Rules): SessionState {
  const isOpen = callOf(state, event.callId)?.status === 'open'
  const known = isOpen ? state : ranAnyway(state, event.callId, labelsFor(event, rules).labels)
  const safety = raiseExposure(known.safety, exposureIndex(event.labels?.confidentiality))
  const untrusted = event.labels?.trust === 'untrusted' ? 1 : 0
  return {
    ...known,
    safety,
    level: Math.max(known.level, riskLevelOf(safety)),
    taint: Math.max(known.taint, untrusted, event.taint ? TAINTS.indexOf(event.taint) : 0),
    calls: withoutCall(known.calls, event.callId),
  }
}

function approve(
  state: SessionState,
  event: EventOf<'approval.resolved'>,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (recentOf(state, event.id)) return { state }
  if (!rules) return unavailable(state, input)
  const call = pendingOf(state, event.decisionId)
  if (!call) return refuse(state, input, { code: 'approval_unknown', message: `decision \`${event.decisionId}\` waits for no approval` })
  if (call.argumentsDigest !== event.argumentsDigest)
    return refuse(state, input, { code: 'approval_mismatch', message: `the arguments of decision \`${event.decisionId}\` have another digest` })
  const time = Math.max(state.time, input.timeMs)
  return heard(resolve({ ...state, time }, event, call, rules, facts), event, false)
}

function resolve(
  state: SessionState,
  event: EventOf<'approval.resolved'>,
  call: NonNullable<ReturnType<typeof pendingOf>>,
  rules: Rules,
  facts: Facts,
): Outcome {
  const refusal = (code: string, message: string) =>
    turnDown(state, event, call, { source: 'approval', code, verdict: 'block', message }, rules, facts, state.time)
  if (state.time >= call.expiresAt) return refusal('approval_expired', `the approval by \`${event.by}\` came too late`)
  if (event.resolution === 'denied') return refusal('approval_denied', `\`${event.by}\` denied the step`)
  return reconsider(state, event, call, rules, facts, state.time)
}

function repeat(state: SessionState, event: Event, verdict: Verdict, timeMs: number): Outcome {
  if (event.type !== 'tool.proposed') return { state }
  return { state, decision: repeatOf(state, event, currentVerdict(state, event, verdict), timeMs) }
}

/** A step that was asked about may have been resolved since. */
function currentVerdict(state: SessionState, event: EventOf<'tool.proposed'>, recorded: Verdict): Verdict {
  if (recorded !== 'confirm') return recorded
  const status = callOf(state, event.callId)?.status
  return status === 'open' ? 'allow' : status === 'pending' ? 'confirm' : 'block'
}

function outOfOrder(state: SessionState | undefined, input: LoggedEvent, kind: 'gap' | 'stale', expected: number): Outcome {
  const { producer, seq } = input.event
  const message = `producer \`${producer}\` sent number \`${seq}\` where ${expected} was expected`
  return refuse(state, input, { code: kind === 'gap' ? 'sequence_gap' : 'sequence_stale', message })
}

function unavailable(state: SessionState | undefined, input: LoggedEvent): Outcome {
  const { sessionId } = input.event
  return refuse(state, input, { code: 'version_unavailable', message: `the versions that session \`${sessionId}\` is pinned to are not at hand` })
}

function heard(outcome: Outcome, event: Event, sequenced: boolean): Outcome {
  if (!outcome.state) return outcome
  return { ...outcome, state: hear(outcome.state, event, outcome.decision?.verdict ?? 'allow', sequenced) }
}
