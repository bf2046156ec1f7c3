import { randomBytes, randomUUID } from 'node:crypto'
import { type Decision, type Mode, PlimsollError } from '@plimsoll/contracts'
import type { Facts } from '@plimsoll/engine'
import type { ObserverPart } from '@plimsoll/labels'
import {
  type Disclosure,
  type Documents,
  compileRules,
  createRuleBook,
  defaultDocuments,
  disclosuresOf,
} from '@plimsoll/policy'
import { type Clock, systemClock } from '@plimsoll/runtime'
import { createObservation } from './observe/observation.js'
import { CLIENT_LIMITS } from './pending/journal.js'
import type { Answer, PlimsollClient, ResumedSession, SessionOptions } from './session.js'
import {
  type Approval,
  type GuardSession,
  createGuardSession,
  handleClientRejections,
} from './session/guard-session.js'
import { closedError, createOpenSessions, startedError } from './session/open-sessions.js'
import { createCounters } from './transport/receiver.js'
import { type Timers, systemTimers } from './wait.js'

export interface GuardOptions {
  /** `observe`: every step may run, whatever its verdict, and no approval is requested; what would have been blocked is counted. */
  readonly mode?: Mode
  /** Bundle, policy and catalogue to judge by; those that ship with Plimsoll where it is left out. */
  readonly documents?: Documents
  /** Open sessions at a time; 10,000 where it is left out. Beyond it a start is refused, unless a session is idle. */
  readonly sessionsMax?: number
  /**
   * How long a session may go unused, milliseconds; 24 h where it is left out. Beyond it, it is let go when a start finds no room:
   * its agent may be gone without a word. Its steps are refused from then on, for it must not begin again at safe.
   */
  readonly idleMs?: number
  /** Key of fingerprints; another in each process where it is left out, for they leave it nowhere. */
  readonly fingerprintKey?: string | Uint8Array
  /**
   * Parts of what is seen of texts that are not looked at; none where it is left out. With all of them (`OBSERVER_PARTS`) no text is
   * read: steps are judged by their labels alone, and what a session has read weighs by its labels, wherever it turns up.
   */
  readonly without?: readonly ObserverPart[]
  /** Arguments that the policy's expressions may read; all that they do read where it is left out, for they leave the process nowhere. */
  readonly disclose?: readonly Disclosure[]
  /** Told of what nobody waits for: a session that ends while something is owed. Must not throw. */
  readonly onAlert?: (alert: Decision) => void
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
  const { mode = 'enforce', clock = systemClock, timers = systemTimers } = options
  const { sessionsMax = CLIENT_LIMITS.sessionsMax, idleMs = CLIENT_LIMITS.idleMs } = options
  const { onAlert = () => {} } = options
  const now = () => clock.now()
  const documents = options.documents ?? (await defaultDocuments())
  const book = createRuleBook(compileRules(documents))
  const observation = createObservation({
    catalogue: documents.catalogue,
    key: options.fingerprintKey ?? randomBytes(32),
    without: options.without,
    disclose: options.disclose ?? disclosuresOf(documents.policy),
  })
  const sessions = createOpenSessions<GuardSession>({ sessionsMax, idleMs, now })
  const facts: Facts = Object.freeze({ mode })
  const counters = createCounters()
  let closed = false

  function start({ id = `session-${randomUUID()}`, ...reported }: SessionOptions): GuardSession {
    if (closed) throw closedError()
    if (sessions.has(id)) throw startedError(id)
    sessions.makeRoom()
    const onUse = () => sessions.use(id)
    const onEnd = () => sessions.delete(id)
    const session = createGuardSession(id, reported, {
      book,
      facts,
      counters,
      timers,
      now,
      view: observation(id, reported),
      onAlert,
      onUse,
      onEnd,
    })
    sessions.add(id, session)
    return session
  }

  function resume({ id }: ResumedSession): GuardSession {
    if (closed) throw closedError()
    const session = sessions.get(id)
    if (!session)
      throw new PlimsollError('session_state_lost', `session \`${id}\` is not open in this process`)
    return session
  }

  return handleClientRejections({
    startSession: async (options = {}) => start(options).session,
    resumeSession: async (resumed) => resume(resumed).session,
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
  })
}
