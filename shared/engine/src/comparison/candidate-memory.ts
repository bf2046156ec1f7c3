import type { Event, EventOf, LoggedEvent } from '@plimsoll/contracts'
import { failOverdueCalls, returned } from '../events/completed.js'
import {
  block,
  contextOf,
  pendingFor,
  recordRun,
  reportOfPendingCall,
  reportOfProposal,
} from '../events/proposed.js'
import { refine } from '../events/refined.js'
import { startSession } from '../events/reported.js'
import { type Rules, NO_FACTS } from '../rules.js'
import { type Memory, NO_MEMORY } from '../spec-rule.js'
import { rememberDeclassified } from '../specs/memory.js'
import { findCall, pendingOf, putCall } from '../state/calls.js'
import { type Call, type SessionState, createSessionState, withoutSpecMemory } from '../state/session.js'
import { recordReportedRuns } from '../step.js'
import type { Outcome } from '../verdict/outcome.js'

/** What the specs of other rules than a session's own remember of it. */
export interface CandidateMemory {
  readonly memory: Memory
  /** The session's calls, with what those specs know of them. */
  readonly calls: readonly Call[]
}

/** Of a session that nothing was heard of. */
export const EMPTY_CANDIDATE_MEMORY: CandidateMemory = Object.freeze({ memory: NO_MEMORY, calls: [] })

/** `state` as it would be under the rules by which it was `followed`: what is common to all rules stays. */
export function adopt(state: SessionState, { memory, calls }: CandidateMemory): SessionState {
  const known = (own: Call) =>
    calls.find(({ callId, status }) => callId === own.callId && status === own.status) ??
    withoutSpecMemory(own)
  return { ...state, memory, calls: state.calls.map(known) }
}

/**
 * What the specs of `rules` remember once an event was heard, given what really came of it: which steps ran and which were stopped is as the session's
 * own rules had it. So a policy can be tried beside another, and its memory be built from the log of a session that was not under it.
 *
 * @param before the session before the event; undefined where it had no record
 * @param outcome what its own rules made of the event
 */
export function updateCandidateMemory(
  followed: CandidateMemory,
  before: SessionState | undefined,
  input: LoggedEvent,
  outcome: Outcome,
  rules: Rules,
): CandidateMemory {
  const after = outcome.state
  if (!after || after === before) return followed
  const next = before
    ? replayEvent(adopt(before, followed), input, outcome, rules)
    : replayStart(input, rules)
  return { memory: next.memory, calls: adopt(after, next).calls }
}

function replayStart({ event, timeMs }: LoggedEvent, rules: Rules): CandidateMemory {
  return event.type === 'session.started'
    ? startSession(createSessionState(rules.versions, '', '', timeMs), event, rules)
    : EMPTY_CANDIDATE_MEMORY
}

function replayEvent(own: SessionState, input: LoggedEvent, outcome: Outcome, rules: Rules): CandidateMemory {
  const { event } = input
  const time = Math.max(input.timeMs, own.time)
  const state = failOverdueCalls(own, event, rules, time)
  if (event.type === 'step.completed') return outcome.fault ? state : returned(state, event, rules, time)
  if (event.type === 'step.proposed') return replayProposal(state, event, time, outcome, rules)
  if (event.type === 'labels.refined')
    return refine(state, event, { ...input, timeMs: time }, rules, NO_FACTS).state ?? state
  if (event.type === 'declassification.granted') return replayDeclassification(state, event, rules)
  return replayApproval(state, event, time, outcome, rules)
}

function replayProposal(
  state: SessionState,
  event: EventOf<'step.proposed'>,
  time: number,
  { decision, state: after }: Outcome,
  rules: Rules,
): CandidateMemory {
  if (state.ended || !after) return state
  const admitted = recordReportedRuns(state, event, rules, time)
  // A proposal that was refused for its call tells all the same of what ran unanswered.
  if (decision?.kind !== 'step') return admitted
  const ground = { rules, facts: NO_FACTS, time }
  const context = contextOf(admitted, ground, reportOfProposal(admitted, event, rules))
  const status = findCall(after, event.callId)?.status
  if (status === 'open') return recordRun(admitted, event, context)
  if (status === 'blocked') return block(admitted, event.callId, decision.waitFor ? undefined : context)
  if (status !== 'pending') return admitted
  const pending = pendingFor(event, context, [], decision.id, ground)
  return { memory: admitted.memory, calls: putCall(admitted.calls, pending) }
}

/** A question that was answered, or that nobody answered. */
function replayApproval(
  state: SessionState,
  event: Event,
  time: number,
  { decision, state: after }: Outcome,
  rules: Rules,
): CandidateMemory {
  const asked = event.type === 'approval.resolved' ? event.decisionId : undefined
  const due =
    event.type === 'deadline.reached' && event.due.kind === 'approval' ? event.due.decisionId : undefined
  const call = pendingOf(state, asked ?? due ?? '')
  if (!call || decision?.kind !== 'approval' || !after) return state
  const ground = { rules, facts: NO_FACTS, time }
  const context = contextOf(state, ground, reportOfPendingCall(state, call, rules))
  const status = findCall(after, call.callId)?.status
  if (status === 'open') return recordRun(state, call, context)
  return status === 'blocked' ? block(state, call.callId, decision.waitFor ? undefined : context) : state
}

function replayDeclassification(
  state: SessionState,
  { spec }: EventOf<'declassification.granted'>,
  rules: Rules,
): CandidateMemory {
  const flow = rules.memory.flows.find(({ id }) => id === spec)
  return flow ? { ...state, memory: rememberDeclassified(state.memory, flow, rules.memory) } : state
}
