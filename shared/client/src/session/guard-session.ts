import { type Decision, type Event, PlimsollError } from '@plimsoll/contracts'
import { type Facts, type RulesCache, type SessionState, advance } from '@plimsoll/engine'
import { type View, callOf, completionOf, instructionOf, startOf } from '../observe/observation.js'
import { nameObjects } from '../observe/name-objects.js'
import { digestArguments } from '../observe/observe-texts.js'
import { createApprovals } from '../pending/approvals.js'
import { createOpenCalls } from '../pending/open-calls.js'
import { answerOf } from '../pending/stop-memory.js'
import { type Answer, isWaiting } from '../answer.js'
import type {
  Approval,
  OnConfirm,
  ProposedStep,
  SessionOptions,
  StepResult,
  WaitOptions,
} from '../session.js'
import type { Counters } from '../transport/receiver.js'
import type { Timers } from '../wait.js'
import { type EventMaker, createEventMaker } from './event-maker.js'
import { type Phase, assertOpen } from './open-sessions.js'
import { createSession } from './run.js'

/** Signatures keep agents from forging approvals over the log; within one process there is nothing to prove. */
const NO_SIGNATURE = '0'.repeat(64)

/** How a human answers an approval request of this process. */
const approveHere = (decisionId = ''): string =>
  `\`guard.approve\` or \`onConfirm\`, in the program that runs this agent (decision \`${decisionId}\`)`

export interface GuardSessionOptions {
  readonly pinnedRules: RulesCache
  readonly facts: Facts
  readonly counters: Counters
  readonly now: () => number
  readonly timers: Timers
  readonly view: View
  readonly onDecision: (decision: Decision) => void
  readonly onConfirm: OnConfirm | undefined
  /** Called for each accepted call of the session's methods. */
  readonly onUse: () => void
  readonly onEnd: () => void
}

export type GuardSession = ReturnType<typeof createGuardSession>

/** A session whose state is held here: each event is folded as soon as it is made. */
export function createGuardSession(
  id: string,
  options: Omit<SessionOptions, 'id'>,
  {
    pinnedRules,
    facts,
    counters,
    now,
    timers,
    view,
    onDecision,
    onConfirm,
    onUse,
    onEnd,
  }: GuardSessionOptions,
) {
  const { tracker } = view
  const calls = createOpenCalls(timers)
  const approvals = createApprovals({
    now,
    timers,
    onExpired: () => void counters.expired++,
    learned: () => tracker.handover(),
    onOutdated: (decision) => void fold(agent.completed(decision, { outcome: 'error' })),
  })
  let made = 0
  const makerOf = (producer: string) =>
    createEventMaker({ sessionId: id, producer, nextId: () => `event-${made++}`, now })
  const agent = makerOf('guard')
  // Approvals have a producer of their own, so they are not numbered among the agent's events.
  const approver = makerOf('guard-approver')
  let state: SessionState | undefined
  let phase: Phase = 'open'

  /** Folds one event. Throws if the engine finds it faulty and gives no decision. */
  function fold(event: Event, maker: EventMaker = agent): Decision | undefined {
    maker.commit()
    // An id made here is made once and identifies its event as a hash does, which would cost as much as the engine.
    const outcome = advance(state, { event, timeMs: event.time, hash: event.id }, pinnedRules, facts)
    state = outcome.state
    if (outcome.fault && !outcome.decision) throw new PlimsollError(outcome.fault.code, outcome.fault.message)
    if (outcome.decision) onDecision(outcome.decision)
    return outcome.decision
  }

  function use(): void {
    assertOpen(phase, id)
    onUse()
  }

  function answered(decision: Decision | undefined): Answer {
    if (!decision) throw new PlimsollError('session_state_lost', `session \`${id}\` gave no decision`)
    return answerOf(decision)
  }

  function complete(answer: Answer, result: StepResult): void {
    use()
    const report = completionOf(answer, result, view)
    calls.over(answer.callId)
    // It may run by the answer of `approve`.
    approvals.leave(answer.callId, undefined)
    fold(agent.completed(answer, report))
    tracker.completed(answer, report)
  }

  function approve({ decision: asked, callId }: Answer, { resolution, by, reason, scope }: Approval): Answer {
    use()
    if (!asked) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
    const { id: decisionId, argumentsDigest, expiresAt = 0 } = asked
    const shown = { decisionId, argumentsDigest, expiresAt, signature: NO_SIGNATURE }
    const event = approver.draft('approval.resolved', { ...shown, resolution, scope, by, reason })
    const answer = answered(fold(event, approver))
    // Approved too late: the call will not run, so its place is released.
    if (answer.decision && !approvals.settle(answer.decision) && answer.mayRun)
      fold(agent.completed(answer, { outcome: 'error' }))
    return answer
  }

  function propose(step: ProposedStep, terms?: WaitOptions): Answer {
    use()
    terms?.signal?.throwIfAborted()
    const call = callOf(step, view)
    const event = agent.proposed(call, undefined, step.labels !== undefined)
    tracker.asked(call)
    calls.opened(call.callId)
    const answer = answered(fold(event))
    counters.proposed++
    counters.decided++
    if (answer.verdict === 'confirm' && !answer.mayRun && answer.decision) approvals.ask(answer.decision)
    return received(nameObjects(answer, step, view))
  }

  function received(answer: Answer): Answer {
    calls.answered(answer)
    return tracker.answered(
      isWaiting(answer) ? { ...answer, approveWith: approveHere(answer.decision?.id) } : answer,
    )
  }

  fold(agent.draft('session.started', startOf(options, view)))

  function leave(next: Phase): void {
    if (phase === 'open') phase = next
    state = undefined
    approvals.close()
    calls.close()
    onEnd()
  }

  return {
    session: createSession({
      id,
      calls,
      approvals,
      counters,
      now,
      digestOf: ({ tool, arguments: values = {} }) => digestArguments(tool, values, view.digest).digest,
      approve,
      onConfirm,
      addTools: view.addTools,
      instruct: async (text) => {
        use()
        const said = instructionOf(text, options, view)
        fold(agent.draft('session.instructed', said))
        tracker.instructed(said.fingerprints, said.signals, said.limits)
      },
      propose: async (step, terms) => propose(step, terms),
      resolution: (answer, terms) => {
        if (phase === 'open') onUse()
        return approvals.wait(answer, terms).then(received)
      },
      complete: async (answer, result = {}) => complete(answer, result),
      handover: tracker.handover,
      end: async (outcome) => {
        if (phase !== 'open') return
        fold(agent.draft('session.ended', { outcome }))
        leave('ended')
      },
    }),
    approve,
    close: () => leave('closed'),
    forget: () => leave('forgotten'),
  }
}
