import type { Decision } from '@plimsoll/contracts'
import type { Approvals } from '../pending/approvals.js'
import type { Journal } from '../pending/journal.js'
import type { Proposals } from '../pending/proposals.js'
import { type CallName, answerOf, isRunnable } from '../pending/stop-memory.js'
import type { ClientStats } from '../session.js'
import type { History } from './history.js'

export interface ReceiverOptions {
  readonly counters: Counters
  readonly proposals: Proposals
  readonly approvals: Approvals
  readonly history: History
  readonly journal: Journal
  /** Lets go of a call that the monitor takes for running and that never will. */
  readonly release: (call: CallName) => void
}

/** Takes the decisions on one session to anyone who waits for them. */
export function createReceiver(options: ReceiverOptions): (decision: Decision) => void {
  const { counters, proposals, approvals, history, journal, release } = options

  function receiveApproval(decision: Decision): void {
    if (approvals.settle(decision)) {
      if (isExpiry(decision)) counters.expired++
      return
    }
    counters.late++
    if (isRunnable(decision)) release(decision)
  }

  /** The agent has gone on without this decision; the monitor has gone on with it. */
  function receiveLate(decision: Decision): void {
    const given = proposals.abandoned(decision.eventId)
    if (!given) return
    if (given.observed) return proposals.forget(decision.eventId)
    counters.late++
    // A refused proposal may be sent again, so that the next one heals a gap: it stays known.
    if (decision.kind === 'refusal') return
    proposals.forget(decision.eventId)
    if (given.ran && isRunnable(decision)) journal.remove(given.callId)
    else if (isRunnable(decision)) release(given)
    else if (decision.verdict === 'confirm' && !given.ran) approvals.askedTooLate(decision)
  }

  /** Sends again what `refusal` shows to be missing. False where it is the answer. Who is observed does not wait for the next. */
  function receiveRefusal(refusal: Decision): boolean {
    const { eventId } = refusal
    if (proposals.has(eventId)) {
      if (refusal.mode === 'enforce') return history.heal(refusal)
      proposals.settle(eventId, answerOf(refusal))
      counters.decided++
      proposals.observe(eventId, refusal)
    }
    if (!proposals.abandoned(eventId)?.observed) return false
    history.heal(refusal)
    return true
  }

  return (decision) => {
    // Told to anyone who watches; no agent waits for it.
    if (decision.kind === 'alert') return
    if (decision.kind === 'approval') return receiveApproval(decision)
    if (decision.kind !== 'refusal') history.confirm(decision.eventId)
    else if (receiveRefusal(decision)) return
    if (!proposals.settle(decision.eventId, answerOf(decision))) {
      // What stands of a question whose answer may have been missed.
      if (decision.kind !== 'repeat' || !approvals.settle(decision)) receiveLate(decision)
      return
    }
    counters.decided++
    if (decision.verdict === 'confirm' && !isRunnable(decision)) approvals.ask(decision)
  }
}

const isExpiry = ({ reasons }: Decision): boolean => reasons.some(({ code }) => code === 'approval_expired')

/** What is counted as it happens; `queued` is looked up when it is asked for. */
export type Counters = { -readonly [K in Exclude<keyof ClientStats, 'queued'>]: number }

export function createCounters(): Counters {
  return {
    proposed: 0,
    decided: 0,
    observed: 0,
    failedOpen: 0,
    failedClosed: 0,
    expired: 0,
    late: 0,
    duplicates: 0,
    undecodable: 0,
    retried: 0,
    resent: 0,
    unreported: 0,
  }
}
