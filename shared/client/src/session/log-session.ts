import { type Decision, type Event, type Handover, tenantOf } from '@plimsoll/contracts'
import type { StepCall } from '../observe/lineage.js'
import { completionOf, instructionOf, startOf } from '../observe/observation.js'
import { callOf } from '../observe/step-call.js'
import { createApprovals } from '../pending/approvals.js'
import { createJournal } from '../pending/journal.js'
import { createOpenCalls } from '../pending/open-calls.js'
import { type FailMode, type WithoutVerdictCause, createProposals } from '../pending/proposals.js'
import { type CallName, createStopMemory, failAnswer, observedAnswer } from '../pending/stop-memory.js'
import {
  type Answer,
  type ProposedStep,
  type Session,
  type SessionOptions,
  type StepResult,
  type WaitOptions,
  raiseClaims,
} from '../session.js'
import { createHistory } from '../transport/history.js'
import type { Link } from '../transport/link.js'
import { type Outbound, type OutboundEvent, parcelOf } from '../transport/outbound.js'
import { createReceiver } from '../transport/receiver.js'
import { createEventMaker } from './event-maker.js'
import { handleRejections } from './guard-session.js'
import { type Kept, closedError, endedError, forgottenError, fullError } from './open-sessions.js'
import { createRunner } from './run.js'

/** Proposals of a session kept; more than may be open at a time. */
const KEPT_MAX = 64

/**
 * The proposals of a session whose last word may still come. Where decisions may have been missed they are sent again as they were: the
 * monitor knows them, and says what stands.
 */
export interface OpenProposals {
  add(parcel: OutboundEvent): void
  askAgain(): void
}

export interface OpenProposalsOptions {
  readonly outbound: Pick<Outbound, 'push'>
  /** Whether somebody waits for what becomes of the proposal that `event` made. */
  readonly isAwaited: (event: OutboundEvent['event']) => boolean
}

export function createOpenProposals({ outbound, isAwaited }: OpenProposalsOptions): OpenProposals {
  let kept: readonly OutboundEvent[] = []
  return {
    add: (parcel) => {
      if (kept.length >= KEPT_MAX) kept = kept.filter(({ event }) => isAwaited(event)).slice(1 - KEPT_MAX)
      kept = [...kept, parcel]
    },
    askAgain: () => {
      kept = kept.filter(({ event }) => isAwaited(event))
      // What has not left yet leaves anyway.
      for (const { event, attachments: beside, taken } of kept)
        if (taken) outbound.push(parcelOf(event, beside))
    },
  }
}

export interface LogSession extends Kept {
  readonly session: Session
  /** Takes a decision on this session that has not been seen before. */
  receive(decision: Decision): void
  /** Asks again what becomes of whatever is waited for: decisions may have been missed. */
  askAgain(): void
  /** Answers whatever is open by the fail mode and tells what ran. */
  close(): void
}

/** A session that goes on here: what is known of it by who it is. */
export interface Resumed {
  readonly resumed: Handover
}

export interface LogSessionHooks {
  /** Told of each call of the session's methods that is not refused. */
  readonly onUse: () => void
  /** Told when an ended session has nothing open any more. */
  readonly onDone: () => void
}

/**
 * A session whose state is held by a monitor. It is `open` until it is `ended` (no new steps; proposals still open are answered,
 * then `onDone`), `closed` with its client, or `forgotten` for want of use.
 */
export function createLogSession(
  id: string,
  reported: Omit<SessionOptions, 'id'> | Resumed,
  link: Link,
  { onUse, onDone }: LogSessionHooks,
): LogSession {
  const { counters, now, nextId, timers, outbound } = link
  const isObserver = link.mode === 'observe'
  const resumed = 'resumed' in reported ? reported.resumed : undefined
  const start = 'resumed' in reported ? { parent: reported.resumed } : reported
  const view = link.viewOf(id, start)
  const { lineage } = view
  let phase: 'open' | 'ended' | 'closed' | 'forgotten' = 'open'
  // Anyone who goes on with a session numbers its events again, under a name that has none in it.
  const producer = resumed ? `${link.producer}.${nextId()}` : link.producer
  const maker = createEventMaker({ sessionId: id, producer, nextId, now })
  const journal = createJournal()
  const stops = createStopMemory()
  const calls = createOpenCalls(timers)
  const approvals = createApprovals({ now, timers, onExpired: () => void counters.expired++ })
  const proposals = createProposals({ timers, onStepWithoutVerdict: failModeFor, onGone: gone })
  const isAwaited = (event: Event) =>
    event.type === 'step.proposed' && (proposals.has(event.id) || approvals.isAwaited(event.callId))
  const standing = createOpenProposals({ outbound, isAwaited })
  const onResent = (count: number) => void (counters.resent += count)
  const history = createHistory({ outbound, proposals, nextId, onResent })

  function gone(): void {
    link.openProposals--
    if (phase === 'ended' && proposals.count() === 0) onDone()
  }

  function failModeFor(call: StepCall, cause: WithoutVerdictCause): FailMode {
    // A step that could not be told any more must not run unreported.
    const mode = isUntellable() || isStopped(call) ? 'closed' : link.failModeOf(call)
    if (mode === 'open') journal.add({ callId: call.callId, tool: call.tool, labels: call.labels })
    counters[mode === 'open' ? 'failedOpen' : 'failedClosed']++
    link.onStepWithoutVerdict(id, call, mode, cause)
    return mode
  }

  /** Whether something is known that would stop it. A session that goes on here was decided on elsewhere: of it nothing is known. */
  const isStopped = (call: StepCall) =>
    resumed !== undefined || stops.covers(call) || link.tenantStops.holds(tenantOf(id))

  const isUntellable = () => phase === 'ended' || journal.isFull()

  /** Throws where the session is over. */
  function use(): void {
    if (phase === 'closed') throw closedError()
    if (phase === 'ended') throw endedError(id)
    if (phase === 'forgotten') throw forgottenError(id)
    onUse()
  }

  function send(event: Event, texts?: string, trace = link.currentTrace()): OutboundEvent {
    maker.commit()
    const parcel = parcelOf(event, { texts, trace })
    history.add(parcel)
    outbound.push(parcel)
    return parcel
  }

  function instruct(text: string): void {
    use()
    if (outbound.size() >= link.queueEventsMax) throw fullError('queueEventsMax', link.queueEventsMax)
    const said = instructionOf(text, resumed ? {} : start, view)
    const event = maker.instructed(said)
    lineage.instructed(said.fingerprints, said.signals)
    send(event, link.textsOf.instructed(text))
  }

  async function propose(step: ProposedStep, options: WaitOptions = {}): Promise<Answer> {
    const { timeoutMs = link.timeoutMs, signal } = options
    use()
    signal?.throwIfAborted()
    const call = callOf(step, view)
    const texts = link.textsOf.proposed(step)
    const withoutVerdict = journal.first()
    const event = maker.proposed(call, withoutVerdict)
    lineage.asked(call)
    calls.opened(call.callId)
    counters.proposed++
    if (isFull()) return isObserver ? runLabelsOnly(call) : failAnswer(call, failModeFor(call, 'queue_full'))
    journal.drop(withoutVerdict?.length ?? 0)
    if (isObserver) {
      counters.observed++
      proposals.observe(event.id, call)
      send(event, texts, step.trace)
      return observedAnswer(call)
    }
    link.openProposals++
    const answer = proposals.open(event.id, call, { timeoutMs, signal })
    standing.add(send(event, texts, step.trace))
    try {
      return await answer
    } catch (error) {
      calls.over(call.callId)
      throw error
    }
  }

  function received(answer: Answer): Answer {
    calls.answered(answer)
    return lineage.answered(answer)
  }

  /** Even what cannot be told runs, where nobody waits; it is told later, as long as there is room to remember it. */
  function runLabelsOnly(call: StepCall): Answer {
    if (!isUntellable()) journal.add({ callId: call.callId, tool: call.tool, labels: call.labels })
    counters.failedOpen++
    link.onStepWithoutVerdict(id, call, 'open', 'queue_full')
    return failAnswer(call, 'open')
  }

  function isFull(): boolean {
    return outbound.size() >= link.queueEventsMax || link.openProposals >= link.openProposalsMax
  }

  /** Completions have as much room again: what ran is to be told although nothing more is asked. */
  const hasRoomForCompletion = () => outbound.size() < 2 * link.queueEventsMax

  function complete(answer: Answer, result: StepResult): void {
    use()
    if (!hasRoomForCompletion()) throw fullError('queueEventsMax', link.queueEventsMax)
    const seen = completionOf(answer.tool, result, view)
    const labels = raiseClaims(journal.find(answer.callId)?.labels, seen.labels)
    const event = maker.completed(answer, { ...seen, labels })
    journal.remove(answer.callId)
    calls.over(answer.callId)
    lineage.completed(answer, { ...seen, labels })
    send(event, link.textsOf.completed(result))
  }

  /** Tells of all steps in the journal: no proposal will. */
  function emptyJournal(): void {
    for (const step of journal.takeAll()) send(maker.completed(step, { outcome: 'ok', labels: step.labels }))
  }

  function end(outcome: Parameters<Session['end']>[0]): void {
    if (phase !== 'open') return
    emptyJournal()
    send(maker.ended(outcome))
    phase = 'ended'
    approvals.close()
    calls.close()
    if (proposals.count() === 0) onDone()
  }

  /** Lets go of a call that the monitor takes for running and that never will: it would hold a place for good. */
  function release(call: CallName): void {
    if (phase === 'open' && hasRoomForCompletion()) send(maker.completed(call, { outcome: 'error' }))
  }

  function resolution(answer: Answer, options?: WaitOptions): Promise<Answer> {
    if (phase === 'open') onUse()
    return approvals.wait(answer, options).then(received)
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

  function receive(decision: Decision): void {
    if (decision.kind !== 'alert') {
      stops.note(decision)
      link.tenantStops.note(decision)
    }
    receiveAnswer(decision)
  }

  const identity = resumed ? resumed.identity : begin(start)

  /** Tells of the start, and gives the session's token. */
  function begin(options: Omit<SessionOptions, 'id'>): string | undefined {
    const { category, agent, user } = options
    const { root } = view.inherited
    const token = link.identities?.issue({ id, category, agent, user, root, parent: view.parent })
    send(maker.started({ ...startOf(options, view), identity: token }), link.textsOf.started(options))
    return token
  }

  const core = {
    propose: async (step, options) => received(await propose(step, options)),
    resolution,
    complete: async (answer, result = {}) => complete(answer, result),
  } satisfies Pick<Session, 'propose' | 'resolution' | 'complete'>

  return {
    session: handleRejections({
      id,
      instruct: async (text) => instruct(text),
      ...core,
      ...createRunner({
        ...core,
        calls,
        now,
        withdraw: approvals.withdraw,
        onUnreported: () => void counters.unreported++,
      }),
      handover: () => ({ ...lineage.handover(), ...(identity !== undefined && { identity }) }),
      end: async (outcome) => end(outcome),
    }),
    receive,
    askAgain: standing.askAgain,
    close: () => leave('closed'),
    forget: () => leave('forgotten'),
  }
}
