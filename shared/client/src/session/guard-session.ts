import { type Decision, type Event, PlimsollError, logged } from '@plimsoll/contracts'
import { type Facts, type RulesCache, type SessionState, advance } from '@plimsoll/engine'
import { completionOf, instructionOf, startOf } from '../observe/observation.js'
import { type View, callOf } from '../observe/step-call.js'
import { createApprovals } from '../pending/approvals.js'
import { createOpenCalls } from '../pending/open-calls.js'
import { answerOf } from '../pending/stop-memory.js'
import type {
  Answer,
  PlimsollClient,
  ProposedStep,
  Session,
  SessionOptions,
  StepResult,
  WaitOptions,
} from '../session.js'
import type { Counters } from '../transport/receiver.js'
import type { Timers } from '../wait.js'
import { type EventMaker, createEventMaker } from './event-maker.js'
import { type Kept, closedError, endedError, forgottenError } from './open-sessions.js'
import { createRunner } from './run.js'

const nothing = (): void => {}

/**
 * `call`, of whose promise nobody has to take care: where it rejects and nobody listens, the process goes on. A guard must not end the
 * agent that it guards because one that went on without waiting was refused.
 */
function handled<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  return (...args) => {
    const promise = call(...args)
    promise.catch(nothing)
    return promise
  }
}

export const handleRejections = (session: Session): Session => ({
  ...session,
  instruct: handled(session.instruct),
  propose: handled(session.propose),
  resolution: handled(session.resolution),
  ask: handled(session.ask),
  run: (step, execute, options) => {
    const promise = session.run(step, execute, options)
    promise.catch(nothing)
    return promise
  },
  complete: handled(session.complete),
  end: handled(session.end),
})

export const handleClientRejections = <C extends PlimsollClient>(client: C): C => ({
  ...client,
  startSession: handled(client.startSession),
  resumeSession: handled(client.resumeSession),
  close: handled(client.close),
})

/** Signatures keep agents from forging approvals over the log; in the process itself nothing has to be proved. */
const NO_SIGNATURE = '0'.repeat(64)

/** What a human says to a `confirm`. */
export interface Approval {
  readonly resolution: 'approved' | 'denied'
  /** Who says so, 1–200 characters. */
  readonly by: string
  readonly reason?: string
}

export interface GuardSession extends Kept {
  readonly session: Session
  approve(answer: Answer, approval: Approval): Answer
  close(): void
}

export interface GuardSessionOptions {
  readonly book: RulesCache
  readonly facts: Facts
  readonly counters: Counters
  readonly now: () => number
  readonly timers: Timers
  readonly view: View
  readonly onAlert: (alert: Decision) => void
  /** Told of each call of the session's methods that is not refused. */
  readonly onUse: () => void
  readonly onEnd: () => void
}

/** A session whose state is held here: each event is folded as it is made. */
export function createGuardSession(
  id: string,
  reported: Omit<SessionOptions, 'id'>,
  { book, facts, counters, now, timers, view, onAlert, onUse, onEnd }: GuardSessionOptions,
): GuardSession {
  const { lineage } = view
  const calls = createOpenCalls(timers)
  const approvals = createApprovals({ now, timers, onExpired: () => void counters.expired++ })
  let made = 0
  // Approvals are not numbered among the agent's events.
  const makerOf = (producer: string) =>
    createEventMaker({ sessionId: id, producer, nextId: () => `event-${made++}`, now })
  const agent = makerOf('guard')
  const approver = makerOf('guard-approver')
  let state: SessionState | undefined
  let phase: 'open' | 'ended' | 'closed' | 'forgotten' = 'open'

  /** Folds one event. Throws where the engine finds it faulty and has no answer for it. */
  function report(event: Event, maker: EventMaker = agent): Decision | undefined {
    maker.commit()
    const outcome = advance(state, logged(event, now()), book, facts)
    state = outcome.state
    if (outcome.fault && !outcome.decision) throw new PlimsollError(outcome.fault.code, outcome.fault.message)
    if (outcome.decision?.kind === 'alert') onAlert(outcome.decision)
    return outcome.decision
  }

  /** Throws where the session is over. */
  function use(): void {
    if (phase === 'closed') throw closedError()
    if (phase === 'ended') throw endedError(id)
    if (phase === 'forgotten') throw forgottenError(id)
    onUse()
  }

  function answered(decision: Decision | undefined): Answer {
    if (!decision) throw new PlimsollError('session_state_lost', `session \`${id}\` gave no decision`)
    return answerOf(decision)
  }

  function complete(answer: Answer, result: StepResult): void {
    use()
    const reported = completionOf(answer.tool, result, view)
    calls.over(answer.callId)
    report(agent.completed(answer, reported))
    lineage.completed(answer, reported)
  }

  function approve({ decision: asked, callId }: Answer, approval: Approval): Answer {
    use()
    if (!asked) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { resolution, by, reason } = approval
    const { id: decisionId, argumentsDigest, expiresAt = 0 } = asked
    const shown = { decisionId, argumentsDigest, expiresAt, signature: NO_SIGNATURE }
    const answer = answered(report(approver.resolved({ ...shown, resolution, by, reason }), approver))
    if (answer.decision && !approvals.settle(answer.decision) && answer.mayRun) release(answer)
    return answer
  }

  /** Lets go of a call that was approved and that nobody will run. */
  function release({ callId, tool }: Answer): void {
    report(agent.completed({ callId, tool }, { outcome: 'error' }))
  }

  function propose(step: ProposedStep, options?: WaitOptions): Answer {
    use()
    options?.signal?.throwIfAborted()
    const call = callOf(step, view)
    const event = agent.proposed(call)
    lineage.asked(call)
    calls.opened(call.callId)
    const answer = answered(report(event))
    counters.proposed++
    counters.decided++
    if (answer.verdict === 'confirm' && !answer.mayRun && answer.decision) approvals.ask(answer.decision)
    return received(answer)
  }

  function received(answer: Answer): Answer {
    calls.answered(answer)
    return lineage.answered(answer)
  }

  function resolution(answer: Answer, options?: WaitOptions): Promise<Answer> {
    if (phase === 'open') onUse()
    return approvals.wait(answer, options).then(received)
  }

  report(agent.started(startOf(reported, view)))

  const core = {
    propose: async (step, options) => propose(step, options),
    resolution,
    complete: async (answer, result = {}) => complete(answer, result),
  } satisfies Pick<Session, 'propose' | 'resolution' | 'complete'>

  const session = handleRejections({
    id,
    instruct: async (text) => {
      use()
      const said = instructionOf(text, reported, view)
      report(agent.instructed(said))
      lineage.instructed(said.fingerprints, said.signals)
    },
    ...core,
    ...createRunner({
      ...core,
      calls,
      now,
      withdraw: approvals.withdraw,
      onUnreported: () => void counters.unreported++,
    }),
    handover: lineage.handover,
    end: async (outcome) => {
      if (phase !== 'open') return
      report(agent.ended(outcome))
      phase = 'ended'
      finish()
    },
  })

  function leave(next: 'closed' | 'forgotten'): void {
    if (phase === 'open') phase = next
    finish()
  }

  function finish(): void {
    state = undefined
    approvals.close()
    calls.close()
    onEnd()
  }

  return {
    session,
    approve,
    close: () => leave('closed'),
    forget: () => leave('forgotten'),
  }
}
