import { randomUUID } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import { compileRules, createRuleBook, defaultDocuments, type Documents } from '@plimsoll/policy'
import { systemClock, type Clock } from '@plimsoll/runtime'
import { createCounters } from './counters.js'
import { createGuardSession, type Approval, type GuardSession } from './guard-session.js'
import { closedError, fullError, startedError } from './refusals.js'
import type { Answer, PlimsollClient, SessionOptions } from './session.js'
import { systemTimers, type Timers } from './timers.js'

/** Sessions that may be open at a time, where `sessionsMax` does not say otherwise. */
const SESSIONS_MAX = 10_000

export interface GuardOptions {
  /** Bundle, policy and catalogue to judge by; those that ship with Plimsoll where it is left out. */
  readonly documents?: Documents
  /** Open sessions at a time. Beyond it a start is refused: forgetting one would let it begin again at safe. */
  readonly sessionsMax?: number
  readonly clock?: Clock
  readonly timers?: Timers
}

/** Library mode: the engine in this process, its sessions in memory. */
export interface Guard extends PlimsollClient {
  /**
   * Resolves a `confirm` and gives what has become of it; `resolution` of the session gives the same. Rejects with
   * `approval_unknown` where the answer waits for no approval (any more).
   */
  approve(answer: Answer, approval: Approval): Promise<Answer>
}

/**
 * Makes a guard. Rejects with `document_invalid`. Needs no broker and no store; a proposal is decided before `propose` returns
 * its promise.
 *
 * @example
 * import { createGuard } from '@plimsoll/client'
 *
 * const guard = await createGuard()
 * const session = await guard.startSession({ category: 'research_comms' })
 * const answer = await session.propose({ tool: 'send_email', arguments: { to: 'ann@example.com' } })
 * if (answer.mayRun) await session.complete(answer)
 * await session.end('completed')
 */
export async function createGuard(options: GuardOptions = {}): Promise<Guard> {
  const { sessionsMax = SESSIONS_MAX, clock = systemClock, timers = systemTimers } = options
  const book = createRuleBook(compileRules(options.documents ?? (await defaultDocuments())))
  const sessions = new Map<string, GuardSession>()
  const counters = createCounters()
  let closed = false

  function start({ id = `session-${randomUUID()}`, ...told }: SessionOptions): GuardSession {
    if (closed) throw closedError()
    if (sessions.has(id)) throw startedError(id)
    if (sessions.size >= sessionsMax) throw fullError('sessionsMax', sessionsMax)
    const onEnd = () => void sessions.delete(id)
    const session = createGuardSession(id, told, { book, counters, timers, now: () => clock.now(), onEnd })
    sessions.set(id, session)
    return session
  }

  return {
    startSession: async (options = {}) => start(options).session,
    approve: async (answer, approval) => {
      const session = sessions.get(answer.decision?.sessionId ?? '')
      if (!session)
        throw new PlimsollError('approval_unknown', `call \`${answer.callId}\` is of no open session`)
      return session.approve(answer, approval)
    },
    stats: () => ({ ...counters, queued: 0 }),
    close: async () => {
      closed = true
      for (const session of sessions.values()) session.close()
      sessions.clear()
    },
  }
}
