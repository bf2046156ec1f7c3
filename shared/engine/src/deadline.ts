import type { EventOf } from '@plimsoll/contracts'
import { pendingOf } from './calls.js'
import type { LoggedEvent, Outcome } from './outcome.js'
import { turnDown } from './proposal.js'
import type { Facts, Rules } from './rules.js'
import { hash32, heard } from './sequence.js'
import type { SessionState } from './session.js'

type Deadline = EventOf<'deadline.reached'>
type Due = Deadline['due']

/**
 * What becomes of a session when something comes due. Deadlines may come twice, early or late: one that no longer fits the state is
 * nobody's fault, changes nothing and is not remembered, so that it can come again. Source: docs/decisions/20261122-deadlines.md.
 */
export function reachDeadline(
  state: SessionState,
  event: Deadline,
  { timeMs }: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  const { due } = event
  if (due.kind === 'idle') {
    const isIdle = !state.ended && state.time === due.heardAt && timeMs >= event.dueAt
    return isIdle ? heard({ state: { ...state, ended: true, calls: [] } }, event, timeMs, false) : { state }
  }
  // Specs that are owed something come with the mustlist.
  if (due.kind === 'obligation') return { state }
  const call = pendingOf(state, due.decisionId)
  // Without its rules the question stays; its deadline is published again.
  if (!call || timeMs < call.expiresAt || !rules) return { state }
  const reason = {
    source: 'approval',
    code: 'approval_expired',
    verdict: 'block',
    message: 'nobody answered in time',
  } as const
  return heard(turnDown(state, event, call, reason, { rules, facts, time: timeMs }), event, timeMs, false)
}

/** What of a session comes due next: `approvalMs`, the earliest end of a question that waits, milliseconds since 1970. */
export function nextDue({ calls }: SessionState): { readonly approvalMs?: number } {
  let approvalMs = Infinity
  for (const call of calls) if (call.status === 'pending') approvalMs = Math.min(approvalMs, call.expiresAt)
  return approvalMs === Infinity ? NOTHING : { approvalMs }
}

const NOTHING = Object.freeze({})

/** The id of the event that says that `due` came: whoever publishes it, it is the same. */
export function deadlineIdOf(due: Due): string {
  if (due.kind === 'idle') return `deadline:idle:${due.heardAt}`
  if (due.kind === 'obligation') return `deadline:obligation:${due.since}:${due.spec}`
  const [, eventId = ''] = due.decisionId.split('#')
  return `deadline:approval:${shortened(eventId)}`
}

/** An id may have 160 characters; of a long one its hash stands for what has no room. */
const EVENT_ID_ROOM = 160 - 'deadline:approval:'.length
const HASH_DIGITS = 8

function shortened(id: string): string {
  if (id.length <= EVENT_ID_ROOM) return id
  return (
    id.slice(0, EVENT_ID_ROOM - HASH_DIGITS - 1) + '~' + hash32(id).toString(16).padStart(HASH_DIGITS, '0')
  )
}
