import { type Decision, type Event, type Handover, type World, tenantOf } from '@plimsoll/contracts'
import QuickLRU from 'quick-lru'
import type { StepCall } from '../observe/handover-tracker.js'
import { callOf, completionOf, instructionOf, startOf } from '../observe/observation.js'
import { nameObjects } from '../observe/name-objects.js'
import { digestArguments } from '../observe/observe-texts.js'
import { createApprovals } from '../pending/approvals.js'
import { createJournal } from '../pending/journal.js'
import { createOpenCalls } from '../pending/open-calls.js'
import { type FailMode, type WithoutVerdictCause, createProposals } from '../pending/proposals.js'
import { createStopMemory, failAnswer, observedAnswer } from '../pending/stop-memory.js'
import type { Answer } from '../answer.js'
import type { ProposedStep, Session, SessionOptions, StepResult, WaitOptions } from '../session.js'
import { createAwaitedProposals, createHistory } from '../transport/history.js'
import type { Link } from '../transport/link.js'
import { type OutboundEvent, outboundEvent } from '../transport/outbound.js'
import { createReceiver } from '../transport/receiver.js'
import { createEventMaker } from './event-maker.js'
import { type Phase, assertOpen, fullError } from './open-sessions.js'
import { createSession } from './run.js'

/** A session continued here, with what is inherited from before. */
export interface Resumed {
  readonly resumed: Handover
  readonly world?: World
}

export interface LogSessionHooks {
  /** Called for each accepted call of the session's methods. */
  readonly onUse: () => void
  /** Called when an ended session has nothing open any more. */
  readonly onDone: () => void
}

/** Calls whose digests are kept: more than can be open or waiting. */
const DIGESTS_MAX = 256

export type LogSession = ReturnType<typeof createLogSession>

/**
 * A session whose state is held by a monitor. `open` until it is `ended` (no new steps; open proposals are still answered, then `onDone`),
 * `closed` with its client, or `forgotten` because it was idle.
 */
export function createLogSession(
  id: string,
  options: Omit<SessionOptions, 'id'> | Resumed,
  link: Link,
  { onUse, onDone }: LogSessionHooks,
) {
  const { counters, now, nextId, timers, outbound } = link
  const isObserver = link.mode === 'observe'
  const resumed = 'resumed' in options ? options.resumed : undefined
  const { world } = options
  const start = 'resumed' in options ? { parent: options.resumed, ...(world && { world }) } : options
  const view = link.viewOf(id, start)
  const { tracker } = view
  let phase: Phase = 'open'
  // A resumed session restarts its numbers, under a producer name that has used none.
  const producer = resumed ? `${link.producer}.${nextId()}` : link.producer
  const maker = createEventMaker({ sessionId: id, producer, nextId, now })
  const journal = createJournal()
  const stops = createStopMemory()
  /** By call, the digest made here: a gateway that reads the texts decides under a digest of its own. */
  const digests = new QuickLRU<string, string>({ maxSize: DIGESTS_MAX })
  const calls = createOpenCalls(timers)
  const approvals = createApprovals({
    now,
    timers,
    onExpired: () => void counters.expired++,
    learned: () => tracker.handover(),
    onOutdated: release,
  })
  const proposals = createProposals({ timers, onStepWithoutVerdict: failModeFor, onGone: gone })
  const awaited = createAwaitedProposals({ outbound, proposals, approvals })
  const onResent = (count: number) => void (counters.resent += count)
  const history = createHistory({ outbound, proposals, nextId, onResent })

  function gone(): void {
    link.openProposals--
    if (phase === 'ended' && proposals.count() === 0) onDone()
  }

  function failModeFor(call: StepCall, cause: WithoutVerdictCause): FailMode {
    const mode = cannotReport() || isStopped(call) ? 'closed' : link.failModeOf(call)
    if (mode === 'open') journal.add(call)
    counters[mode === 'open' ? 'failedOpen' : 'failedClosed']++
    link.onStepWithoutVerdict(id, call, mode, cause)
    return mode
  }

  /** Whether a known decision stops the call. A resumed session was decided on elsewhere, so none is known. */
  const isStopped = (call: StepCall) =>
    resumed !== undefined || stops.covers(call) || link.tenantStops.holds(tenantOf(id))

  /** Whether a step that runs now could never be reported. */
  const cannotReport = () => phase === 'ended' || journal.isFull()

  function use(): void {
    assertOpen(phase, id)
    onUse()
  }

  function assertRoom(max: number): void {
    if (outbound.size() >= max) throw fullError('queueEventsMax', link.queueEventsMax)
  }

  function send(event: Event, texts?: string, trace = link.currentTrace()): OutboundEvent {
    maker.commit()
    const outgoing = outboundEvent(event, { texts, trace })
    history.add(outgoing)
    outbound.push(outgoing)
    return outgoing
  }

  function instruct(text: string): void {
    use()
    assertRoom(link.queueEventsMax)
    const said = instructionOf(text, resumed ? {} : start, view)
    const event = maker.draft('session.instructed', said)
    tracker.instructed(said.fingerprints, said.signals, said.limits)
    send(event, link.textsOf.instructed(text))
  }

  async function propose(step: ProposedStep, terms: WaitOptions = {}): Promise<Answer> {
    const { timeoutMs = link.timeoutMs, signal } = terms
    use()
    signal?.throwIfAborted()
    const call = callOf(step, view)
    const texts = link.textsOf.proposed(step, world)
    const withoutVerdict = journal.first()
    const event = maker.proposed(call, withoutVerdict, step.labels !== undefined)
    tracker.asked(call)
    calls.opened(call.callId)
    digests.set(call.callId, call.argumentsDigest)
    counters.proposed++
    const isFull = outbound.size() >= link.queueEventsMax || link.openProposals >= link.openProposalsMax
    if (isFull) return isObserver ? runUnsent(call) : failAnswer(call, failModeFor(call, 'queue_full'))
    journal.drop(withoutVerdict?.length ?? 0)
    if (isObserver) {
      counters.observed++
      proposals.observe(event.id, call)
      send(event, texts, step.trace)
      return observedAnswer(call)
    }
    link.openProposals++
    const answer = proposals.open(event.id, call, { timeoutMs, signal })
    awaited.add(send(event, texts, step.trace))
    try {
      return await answer
    } catch (error) {
      calls.over(call.callId)
      throw error
    }
  }

  function received(answer: Answer): Answer {
    calls.answered(answer)
    return tracker.answered(answer)
  }

  /** An observed step runs even if its proposal does not fit the queue; the journal reports it later if it has room. */
  function runUnsent(call: StepCall): Answer {
    if (!cannotReport()) journal.add(call)
    counters.failedOpen++
    link.onStepWithoutVerdict(id, call, 'open', 'queue_full')
    return failAnswer(call, 'open')
  }

  /** Completions may use twice the queue: what ran must be reported even when nothing more can be proposed. */
  const completionsMax = 2 * link.queueEventsMax

  function complete(answer: Answer, result: StepResult): void {
    use()
    assertRoom(completionsMax)
    const report = completionOf(answer, result, view, journal.find(answer.callId)?.labels)
    const event = maker.completed(answer, report)
    journal.remove(answer.callId)
    calls.over(answer.callId)
    tracker.completed(answer, report)
    send(event, link.textsOf.completed(result))
  }

  /** Reports all steps in the journal, since no proposal will. */
  function emptyJournal(): void {
    for (const step of journal.takeAll()) send(maker.completed(step, { outcome: 'ok', labels: step.labels }))
  }

  function end(outcome: Parameters<Session['end']>[0]): void {
    if (phase !== 'open') return
    emptyJournal()
    send(maker.draft('session.ended', { outcome }))
    phase = 'ended'
    approvals.close()
    calls.close()
    if (proposals.count() === 0) onDone()
  }

  /** Completes a call that the monitor counts as running and that will never run: it would hold its place forever. */
  function release(call: Pick<Answer, 'callId' | 'tool'>): void {
    if (phase === 'open' && outbound.size() < completionsMax)
      send(maker.completed(call, { outcome: 'error' }))
  }

  function leave(next: 'closed' | 'forgotten'): void {
    const wasOpen = phase === 'open'
    if (wasOpen) phase = next
    proposals.failAll('closed')
    approvals.close()
    calls.close()
    if (wasOpen) emptyJournal()
  }

  const receiveAnswer = createReceiver({ counters, proposals, approvals, history, journal, release })

  /** Sends the start and returns the session's token. */
  function begin(begun: Omit<SessionOptions, 'id'>): string | undefined {
    const { category, agent, user } = begun
    const { root } = view.inherited
    const identity = link.identities?.issue({ id, category, agent, user, root, parent: view.parent })
    const event = maker.draft('session.started', { ...startOf(begun, view), identity })
    send(event, link.textsOf.started(begun))
    return identity
  }

  const identity = resumed ? resumed.identity : begin(start)

  return {
    session: createSession({
      id,
      calls,
      approvals,
      counters,
      now,
      digestOf: ({ tool, arguments: values = {} }) => digestArguments(tool, values, view.digest).digest,
      approve: undefined,
      onConfirm: undefined,
      addTools: view.addTools,
      instruct: async (text) => instruct(text),
      propose: async (step, terms) => received(nameObjects(await propose(step, terms), step, view)),
      resolution: (answer, terms) => {
        if (phase === 'open') onUse()
        return approvals.wait(answer, terms).then(received)
      },
      complete: async (answer, result = {}) => complete(answer, result),
      handover: () => ({ ...tracker.handover(), ...(identity !== undefined && { identity }) }),
      end: async (outcome) => end(outcome),
    }),
    /** Takes a decision on this session that was not received before. */
    receive: (decision: Decision): void => {
      if (decision.kind !== 'alert') {
        const { callId, argumentsDigest } = decision
        stops.note({ ...decision, argumentsDigest: digests.get(callId) ?? argumentsDigest })
        link.tenantStops.note(decision)
      }
      receiveAnswer(decision)
    },
    /** Proposes everything awaited again, because decisions may have been missed. */
    askAgain: awaited.askAgain,
    /** Answers everything open by the fail mode and reports what ran. */
    close: () => leave('closed'),
    forget: () => leave('forgotten'),
  }
}
