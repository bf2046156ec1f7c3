import { randomBytes, randomUUID } from 'node:crypto'
import { type Decision, type Mode, MODES, PlimsollError } from '@plimsoll/contracts'
import type { Facts } from '@plimsoll/engine'
import type { ObserverPart } from '@plimsoll/labels'
import {
  type Disclosure,
  type DocumentSources,
  compileRules,
  createPinnedRules,
  defaultDocuments,
  disclosuresOf,
} from '@plimsoll/policy'
import { type Clock, systemClock } from '@plimsoll/runtime'
import QuickLRU from 'quick-lru'
import { createObservation } from './observe/observation.js'
import type { Answer } from './answer.js'
import { type OptionNames, assertOptions } from './options.js'
import { type Approval, type OnConfirm, type PlimsollClient, assertSessionOptions } from './session.js'
import { type GuardSession, createGuardSession } from './session/guard-session.js'
import { closedError, createOpenSessions, usedError } from './session/open-sessions.js'
import { CLIENT_LIMITS } from './transport/link.js'
import { createCounters } from './transport/receiver.js'
import { readerErrors, shielded } from './transport/trace.js'
import { type Timers, handleRejections, systemTimers } from './wait.js'

export interface GuardOptions {
  /** `observe`: every step may run and no approval is requested; `onDecision` gets what enforcement would have answered. */
  readonly mode?: Mode
  /**
   * Bundle and policy to decide by, and a catalogue that adds to the shipped ones, each as a document or as the file with it. Default: what
   * ships with Plimsoll.
   */
  readonly documents?: DocumentSources
  /** Open sessions at a time. Default: 10,000. A start beyond it is refused, unless a session is idle. */
  readonly sessionsMax?: number
  /**
   * How long a session may be unused, milliseconds. Default: 24 h. After that it is dropped when a start finds no room, because its agent
   * may have gone. Its steps are refused from then on: it must not start again at safe.
   */
  readonly idleMs?: number
  /** Key of fingerprints. Default: random, because they never leave the process. */
  readonly fingerprintKey?: string | Uint8Array
  /**
   * Parts of texts that are not examined. Default: none. With all of them (`OBSERVER_PARTS`) no text is read: steps are judged by their
   * labels alone, and sensitive data counts wherever it may turn up.
   */
  readonly without?: readonly ObserverPart[]
  /** Arguments that the policy's expressions may read. Default: all that they do read, because they never leave the process. */
  readonly disclose?: readonly Disclosure[]
  /**
   * Asks a human about each step that needs one, and returns what they say. Without it `ask`, `run` and the adapters do not wait: the
   * agent learns that the step waits, and `approve` can answer it.
   */
  readonly onConfirm?: OnConfirm
  /**
   * Called for every decision, also in mode `observe`, and for alerts (`kind: 'alert'`), such as a session that ends while an obligation is
   * open. Its errors become process warnings.
   */
  readonly onDecision?: (decision: Decision) => void
  readonly clock?: Clock
  readonly timers?: Timers
}

const GUARD_OPTIONS: OptionNames<GuardOptions> = {
  mode: true,
  documents: true,
  sessionsMax: true,
  idleMs: true,
  fingerprintKey: true,
  without: true,
  disclose: true,
  onConfirm: true,
  onDecision: true,
  clock: true,
  timers: true,
}

const DOCUMENTS: OptionNames<DocumentSources> = { bundle: true, policy: true, catalogue: true }

const IN_DOCUMENTS = {
  bundle: '{ documents: { bundle } }',
  policy: '{ documents: { policy } }',
  catalogue: '{ documents: { catalogue } }',
}

/** Ids of ended sessions that are remembered, so that none starts again at safe. */
const ENDED_MAX = 10_000

/** Library mode: the engine and its sessions in this process. */
export interface Guard extends PlimsollClient {
  /**
   * Answers a `confirm` and returns the new answer, as `resolution` of the session does: for answers that come from elsewhere than
   * `onConfirm`. Rejects with `approval_unknown` if the answer waits for no approval.
   */
  approve(answer: Answer, approval: Approval): Promise<Answer>
}

/**
 * Creates a guard. Needs no broker and no store. A proposal is decided before `propose` returns its promise. Rejects with
 * `document_invalid`, and with `config_invalid` for an option that it does not have.
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
  assertOptions('createGuard', options, GUARD_OPTIONS, { instead: IN_DOCUMENTS })
  assertOptions('createGuard({ documents })', options.documents ?? {}, DOCUMENTS)
  const { mode = 'enforce', clock = systemClock, timers = systemTimers, onConfirm } = options
  if (!MODES.includes(mode))
    throw new PlimsollError(
      'config_invalid',
      `\`createGuard\` has no mode \`${mode}\`: use ${MODES.join(' or ')}`,
    )
  const onDecision = shielded('onDecision', options.onDecision)
  const { sessionsMax = CLIENT_LIMITS.sessionsMax, idleMs = CLIENT_LIMITS.idleMs } = options
  const now = () => clock.now()
  const documents = await defaultDocuments(options.documents)
  const pinnedRules = createPinnedRules(compileRules(documents))
  const counters = createCounters()
  const viewOf = createObservation({
    catalogue: documents.catalogue,
    key: options.fingerprintKey ?? randomBytes(32),
    without: options.without,
    disclose: options.disclose ?? disclosuresOf(documents.policy),
    onReaderError: readerErrors(() => void counters.readerErrors++),
  })
  const sessions = createOpenSessions<GuardSession>({ sessionsMax, idleMs, now })
  const ended = new QuickLRU<string, true>({ maxSize: ENDED_MAX })
  const facts: Facts = Object.freeze({ mode })
  let isClosed = false

  return handleRejections<Guard>({
    startSession: async (started = {}) => {
      if (isClosed) throw closedError()
      assertSessionOptions(started)
      const { id = `session-${randomUUID()}`, ...start } = started
      if (ended.has(id)) throw usedError(id)
      const onUse = () => sessions.use(id)
      const onEnd = () => {
        sessions.delete(id)
        ended.set(id, true)
      }
      const shared = { pinnedRules, facts, counters, timers, now, onDecision, onConfirm, onUse, onEnd }
      return sessions.add(id, () => createGuardSession(id, start, { ...shared, view: viewOf(id, start) }))
        .session
    },
    resumeSession: async ({ id }) => {
      if (isClosed) throw closedError()
      const session = sessions.get(id)
      if (session) return session.session
      throw new PlimsollError('session_state_lost', `session \`${id}\` is not open in this process`)
    },
    approve: async (answer, approval) => {
      const session = sessions.get(answer.decision?.sessionId ?? '')
      if (session) return session.approve(answer, approval)
      throw new PlimsollError('approval_unknown', `call \`${answer.callId}\` is of no open session`)
    },
    stats: () => ({ ...counters, queued: 0 }),
    close: async () => {
      isClosed = true
      for (const session of sessions.values()) session.close()
      sessions.clear()
    },
  })
}
