import type { Event, EventOf, LoggedEvent } from '@plimsoll/contracts'
import {
  type Call,
  type Memory,
  type Outcome,
  type Rules,
  type SessionState,
  NO_FACTS,
  NO_MEMORY,
  block,
  contextOf,
  createSessionState,
  failOverdueCalls,
  findCall,
  pendingFor,
  pendingOf,
  putCall,
  recordReportedRuns,
  recordRun,
  refine,
  rememberDeclassified,
  reportOfPendingCall,
  reportOfProposal,
  returned,
  startSession,
  withoutSpecMemory,
} from '@plimsoll/engine'

/** What the specs of a candidate's rules remember of a session that runs under other rules. */
export interface CandidateMemory {
  readonly memory: Memory
  /** The session's calls, with what those specs know of each. */
  readonly calls: readonly Call[]
}

/** The memory before the first event. */
export const EMPTY_CANDIDATE_MEMORY: CandidateMemory = Object.freeze({ memory: NO_MEMORY, calls: [] })

/** `state` with the candidate's memory in place of its own; what all rules share stays. */
export function adopt(state: SessionState, { memory, calls }: CandidateMemory): SessionState {
  const known = (own: Call) =>
    calls.find(({ callId, status }) => callId === own.callId && status === own.status) ??
    withoutSpecMemory(own)
  return { ...state, memory, calls: state.calls.map(known) }
}

/**
 * The candidate's memory after one event. Which steps ran and which were stopped is taken from the outcome under the session's own rules.
 * This lets a policy be tried beside another, and its memory be built from the log of a session that ran under another policy.
 *
 * @param before the session before the event; undefined if it had no record
 * @param outcome of the event under the session's own rules
 */
export function updateCandidateMemory(
  candidate: CandidateMemory,
  before: SessionState | undefined,
  input: LoggedEvent,
  outcome: Outcome,
  rules: Rules,
): CandidateMemory {
  const after = outcome.state
  if (!after || after === before) return candidate
  const next = before
    ? replayEvent(adopt(before, candidate), input, outcome, rules)
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
  // A refused proposal still reports the steps that ran without a verdict.
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

/** An approval request that was answered or that expired. */
function replayApproval(
  state: SessionState,
  event: Event,
  time: number,
  { decision, state: after }: Outcome,
  rules: Rules,
): CandidateMemory {
  const answered = event.type === 'approval.resolved' ? event.decisionId : undefined
  const due =
    event.type === 'deadline.reached' && event.due.kind === 'approval' ? event.due.decisionId : undefined
  const call = pendingOf(state, answered ?? due ?? '')
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
