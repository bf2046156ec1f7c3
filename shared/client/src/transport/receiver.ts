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
  /** Completes a call that the monitor counts as running and that will never run. */
  readonly release: (call: CallName) => void
}

/** Passes the decisions on one session to the callers that wait for them. */
export function createReceiver(options: ReceiverOptions): (decision: Decision) => void {
  const { counters, proposals, approvals, history, journal, release } = options

  function receiveApproval(decision: Decision): void {
    if (approvals.settle(decision)) {
      if (decision.reasons.some(({ code }) => code === 'approval_expired')) counters.expired++
      return
    }
    counters.late++
    if (isRunnable(decision)) release(decision)
  }

  /** The agent went on without this decision, but the monitor counts with it. */
  function receiveLate(decision: Decision): void {
    const abandoned = proposals.abandoned(decision.eventId)
    if (!abandoned) return
    if (abandoned.observed) return proposals.forget(decision.eventId)
    counters.late++
    // A refused proposal may be sent again to fill a gap, so it is kept.
    if (decision.kind === 'refusal') return
    proposals.forget(decision.eventId)
    if (abandoned.ran && isRunnable(decision)) journal.remove(abandoned.callId)
    else if (isRunnable(decision)) release(abandoned)
    else if (decision.verdict === 'confirm' && !abandoned.ran) approvals.askedTooLate(decision)
  }

  /** Sends again what `refusal` shows to be missing. False if the refusal is the answer. An observed step does not wait for the repeat. */
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
    if (decision.kind === 'alert') return
    if (decision.kind === 'approval') return receiveApproval(decision)
    if (decision.kind !== 'refusal') history.confirm(decision.eventId)
    else if (receiveRefusal(decision)) return
    if (!proposals.settle(decision.eventId, answerOf(decision))) {
      // A repeat may settle an approval request whose answer was missed.
      if (decision.kind !== 'repeat' || !approvals.settle(decision)) receiveLate(decision)
      return
    }
    counters.decided++
    if (decision.verdict === 'confirm' && !isRunnable(decision)) approvals.ask(decision)
  }
}

/** Everything that is counted as it happens; `queued` is computed on demand. */
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
    readerErrors: 0,
  }
}
