import type { EventOf, LoggedEvent } from '@plimsoll/contracts'
import { hash32 } from '../hash32.js'
import type { Facts, Rules } from '../rules.js'
import { owedObligations, rememberOverdueReported } from '../specs/status.js'
import { pendingOf } from '../state/calls.js'
import { type SessionState, changed } from '../state/session.js'
import { alertOf } from '../verdict/alert.js'
import type { Outcome } from '../verdict/outcome.js'
import { endSession } from './ended.js'
import { refusePending } from './proposed.js'
import { markReceived } from './sequence.js'

type Deadline = EventOf<'deadline.reached'>
type Due = Deadline['due']

/**
 * Applies a deadline. Deadlines may come twice, early or late: a deadline that does not fit the state is no fault, changes nothing and
 * is not remembered, so that it can come again. Source: docs/decisions/20261121-time.md.
 */
export function reachDeadline(
  state: SessionState,
  event: Deadline,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  const { due } = event
  const { timeMs } = input
  if (due.kind === 'idle') {
    const isIdle = !state.ended && state.time === due.lastEventAt && timeMs >= event.dueAt
    return isIdle ? endIdle(state, event, input, rules, facts) : { state }
  }
  if (due.kind === 'obligation') return passDeadline(state, event, due, input, rules, facts)
  const call = pendingOf(state, due.decisionId)
  // Without its rules the request stays; its deadline is published again.
  if (!call || timeMs < call.expiresAt || !rules) return { state }
  const reason = {
    source: 'approval',
    code: 'approval_expired',
    verdict: 'block',
    message: 'no answer came in time',
  } as const
  return markReceived(refusePending(state, event, call, reason, { rules, facts, time: timeMs }), input, false)
}

/** An idle session ends like others. Without its rules its obligations are unknown, and the deadline is published again. */
function endIdle(
  state: SessionState,
  event: Deadline,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  if (rules) return markReceived(endSession(state, event, { rules, facts, time: input.timeMs }), input, false)
  if (state.memory.length > 0) return { state }
  return markReceived({ state: changed(state, { ended: true, calls: [] }) }, input, false)
}

/** Sends one alert about an overdue obligation, which stays owed and keeps refusing steps. */
function passDeadline(
  state: SessionState,
  event: Deadline,
  due: Extract<Due, { kind: 'obligation' }>,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  const { timeMs: time } = input
  if (!rules || state.ended) return { state }
  const owed = owedObligations(state.memory, rules.memory).find(
    ({ spec, since }) => spec.id === due.spec && since === due.since,
  )
  if (owed?.overdueMs === undefined || owed.isReported || time < owed.overdueMs) return { state }
  const reported = changed(state, { memory: rememberOverdueReported(state.memory, owed) })
  const decision = alertOf(state, event, [owed], 'overdue', { rules, facts, time })
  return markReceived({ state: reported, decision }, input, false)
}

/** The next deadline of a session, milliseconds since 1970. */
export interface NextDeadline {
  /** The earliest expiry of a pending approval request. */
  readonly approvalMs?: number
  /** The first moment at which an obligation is overdue and no alert was sent. */
  readonly obligationMs?: number
}

/** @param rules of the session; without them obligations are unknown */
export function nextDeadline(
  { calls, memory }: Pick<SessionState, 'calls' | 'memory'>,
  rules?: Rules,
): NextDeadline {
  let approvalMs = Infinity
  for (const call of calls) if (call.status === 'pending') approvalMs = Math.min(approvalMs, call.expiresAt)
  let obligationMs = Infinity
  if (rules)
    for (const { overdueMs = Infinity, isReported } of owedObligations(memory, rules.memory))
      if (!isReported) obligationMs = Math.min(obligationMs, overdueMs)
  if (approvalMs === Infinity && obligationMs === Infinity) return NOTHING
  return {
    ...(approvalMs < Infinity && { approvalMs }),
    ...(obligationMs < Infinity && { obligationMs }),
  }
}

const NOTHING = Object.freeze({})

/** The id of the event that publishes `due`, the same for every publisher. */
export function deadlineIdOf(due: Due): string {
  if (due.kind === 'idle') return `deadline:idle:${due.lastEventAt}`
  if (due.kind === 'obligation') return `deadline:obligation:${due.since}:${due.spec}`
  const [, eventId = ''] = due.decisionId.split('#')
  return `deadline:approval:${shortened(eventId)}`
}

/** An id has at most 160 characters; the hash of a longer one replaces its end. */
const EVENT_ID_ROOM = 160 - 'deadline:approval:'.length
const HASH_DIGITS = 8

function shortened(id: string): string {
  if (id.length <= EVENT_ID_ROOM) return id
  return (
    id.slice(0, EVENT_ID_ROOM - HASH_DIGITS - 1) + '~' + hash32(id).toString(16).padStart(HASH_DIGITS, '0')
  )
}
