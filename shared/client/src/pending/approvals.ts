import { type Decision, PlimsollError } from '@plimsoll/contracts'
import type { Answer, WaitOptions } from '../session.js'
import { type Timers, type Wait, createWait } from '../wait.js'
import { answerOf, failAnswer, isRunnable } from './stop-memory.js'

/** Confirmations kept of a session; the engine lets at most 32 calls wait, the rest are settled ones. */
const ASKED_MAX = 64

/** Where a confirmation does not say when it expires: the policy's default. */
const TTL_MS_DEFAULT = 900_000

/** The confirmations of one session: what was asked, and what came of it. */
export interface Approvals {
  /** Notes a decision that asks a human. */
  ask(decision: Decision): void
  /** Notes a decision that asks although its step was given up: whatever the human says comes too late. */
  askedTooLate(decision: Decision): void
  /** Takes a decision of kind `approval`; false where it comes too late to let its step run. */
  settle(decision: Decision): boolean
  /** Gives up what nobody waits for any more: whatever the human says comes too late. */
  withdraw(callId: string): void
  /** Whether the call waits for a human. */
  isAwaited(callId: string): boolean
  /** Rejects with `approval_unknown` and with the signal's reason. */
  wait(answer: Answer, options?: WaitOptions): Promise<Answer>
  /** Answers `block` to anyone who waits. */
  close(): void
}

export interface ApprovalsOptions {
  readonly now: () => number
  readonly timers: Timers
  /** Told of each confirmation that nobody answered in time. */
  readonly onExpired: () => void
}

/** A confirmation: `waiting` until it is `settled` (by a decision) or `over` (expired, or given up). */
interface ApprovalRequest {
  decision: Decision
  /** On this process's clock, so that the log's may differ: milliseconds since 1970. */
  deadline: number
  phase: 'waiting' | 'settled' | 'over'
  outcome: Answer | undefined
  readonly waits: Set<Wait<Answer>>
  cancelTimer: () => void
}

export function createApprovals({ now, timers, onExpired }: ApprovalsOptions): Approvals {
  const asked = new Map<string, ApprovalRequest>()

  function put(decision: Decision): ApprovalRequest {
    const entry: ApprovalRequest = {
      decision,
      deadline: now() + remainingMs(decision),
      phase: 'waiting',
      outcome: undefined,
      waits: new Set(),
      cancelTimer: () => {},
    }
    asked.delete(decision.callId)
    if (asked.size >= ASKED_MAX) dropOldest(asked)
    asked.set(decision.callId, entry)
    return entry
  }

  function finish(entry: ApprovalRequest, phase: 'settled' | 'over', outcome: Answer): void {
    entry.cancelTimer()
    entry.phase = phase
    entry.outcome = outcome
    for (const wait of entry.waits) wait.answer(outcome)
    entry.waits.clear()
  }

  function giveUp(entry: ApprovalRequest): void {
    finish(entry, 'over', failAnswer(entry.decision, 'closed', entry.decision))
  }

  function expire(entry: ApprovalRequest): void {
    if (entry.phase !== 'waiting') return
    giveUp(entry)
    onExpired()
  }

  function arm(entry: ApprovalRequest): void {
    entry.cancelTimer()
    entry.cancelTimer = timers.after(Math.max(0, entry.deadline - now()), () => expire(entry))
  }

  function askAgain(entry: ApprovalRequest, decision: Decision): void {
    entry.decision = decision
    entry.deadline = now() + remainingMs(decision)
    if (entry.waits.size > 0) arm(entry)
  }

  async function waitFor(entry: ApprovalRequest, { timeoutMs, signal }: WaitOptions): Promise<Answer> {
    if (entry.phase === 'waiting' && now() >= entry.deadline) expire(entry)
    if (entry.outcome) return entry.outcome
    const wait = createWait<Answer>({ timers, timeoutMs, signal, onTimeout: () => answerOf(entry.decision) })
    entry.waits.add(wait)
    if (entry.waits.size === 1) arm(entry)
    try {
      return await wait.promise
    } finally {
      entry.waits.delete(wait)
      if (entry.waits.size === 0) entry.cancelTimer()
    }
  }

  return {
    ask: (decision) => void put(decision),
    askedTooLate: (decision) => giveUp(put(decision)),
    settle: (decision) => {
      const entry = asked.get(decision.callId)
      if (entry?.phase !== 'waiting') return false
      if (decision.verdict === 'confirm' && !isRunnable(decision)) askAgain(entry, decision)
      else finish(entry, 'settled', answerOf(decision))
      return true
    },
    withdraw: (callId) => {
      const entry = asked.get(callId)
      if (entry?.phase === 'waiting') giveUp(entry)
    },
    isAwaited: (callId) => asked.get(callId)?.phase === 'waiting',
    wait: async (answer, options = {}) => {
      options.signal?.throwIfAborted()
      if (answer.mayRun || answer.by !== 'decision' || answer.verdict !== 'confirm') return answer
      const entry = asked.get(answer.callId)
      if (!entry)
        throw new PlimsollError('approval_unknown', `call \`${answer.callId}\` waits for no approval`)
      return waitFor(entry, options)
    },
    close: () => {
      for (const entry of asked.values()) if (entry.phase === 'waiting') giveUp(entry)
    },
  }
}

/** How long an approval may take, counted from the decision's arrival: only differences of the log's clock are used. */
function remainingMs({ expiresAt, time }: Decision): number {
  return expiresAt === undefined ? TTL_MS_DEFAULT : expiresAt - time
}

/** Forgets the oldest confirmation that is done with, else the oldest of all. */
function dropOldest(entries: Map<string, ApprovalRequest>): void {
  let oldest: string | undefined
  for (const [callId, { phase }] of entries) {
    if (phase !== 'waiting') return void entries.delete(callId)
    oldest ??= callId
  }
  if (oldest !== undefined) entries.delete(oldest)
}
