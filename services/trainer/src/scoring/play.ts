import { logged, PlimsollError, type Decision, type Event, type EventOf } from '@plimsoll/contracts'
import { step, type Facts, type LoggedEvent, type Rules, type SessionState } from '@plimsoll/engine'
import type { Observer, ProposedView, CompletedView, StartedView } from '@plimsoll/labels'
import type { BlindStep, BlindTrace } from '../traces/blind.js'

/** What a recorded session is played on. */
export interface Stage {
  readonly rules: Rules
  /** What the client would tell of the texts. */
  readonly observer: Observer
}

/** A recorded step, played. */
export interface PlayedStep {
  /** The session as the proposal found it. */
  readonly before: SessionState
  readonly proposal: EventOf<'step.proposed'>
  readonly decision: Decision
  /** The session once the result was in. */
  readonly after: SessionState
  /** Microseconds that it took, in client and engine together. */
  readonly us: number
}

export interface Listener {
  started?(state: SessionState): void
  stepped(step: PlayedStep): void
}

/** Plays sessions one event at a time: from the same state the same step leads to the same state. */
export interface Player {
  begin(trace: Pick<BlindTrace, 'task' | 'category'>): SessionState
  /** Proposes step `i` and completes it. */
  advance(before: SessionState, step: BlindStep, i: number): PlayedStep
}

/** What a client tells of the texts of a session; a step goes by itself, so that what was told of it can be remembered. */
export interface Views {
  started(task: string): StartedView
  proposed(step: BlindStep): ProposedView
  completed(step: BlindStep): CompletedView
}

/** The recorded agent goes on whatever is decided, so the session is one that is only observed. */
export const OBSERVED: Facts = Object.freeze({ mode: 'observe' })

/** Nothing is decided by the digest, and no approval is bound to it. */
const NO_DIGEST = '0'.repeat(64)

/** The longest task that an event may carry. */
const TASK_CHARS_MAX = 8192

/**
 * Plays a recorded session through the engine, with the events that a client would have sent: every step is proposed, then completed
 * with the recorded result, whatever the verdict.
 */
export function play(trace: BlindTrace, { rules, observer }: Stage, listener: Listener): void {
  playBy(createPlayer(rules, viewsOf(observer)), trace, listener)
}

export function playBy(player: Player, trace: BlindTrace, listener: Listener): void {
  let session = player.begin(trace)
  listener.started?.(session)
  for (const [i, recorded] of trace.steps.entries()) {
    const played = player.advance(session, recorded, i)
    session = played.after
    listener.stepped(played)
  }
}

export const viewsOf = (observer: Observer): Views => ({
  started: (task) => observer.started({ task }),
  proposed: ({ tool, description, args }) => observer.proposed({ tool, description, arguments: args }),
  completed: ({ tool, result, error }) =>
    observer.completed({ tool, result, outcome: error ? 'error' : 'ok' }),
})

export function createPlayer(rules: Rules, views: Views, facts: Facts = OBSERVED): Player {
  const send = (session: SessionState | undefined, event: LoggedEvent) => {
    const { state, decision, fault } = step(session, event, rules, facts)
    if (fault) throw new PlimsollError(fault.code, fault.message)
    if (!state) throw new RangeError('the session has not begun')
    return { state, decision }
  }
  return {
    begin: ({ category, task }) => {
      const told = views.started(task)
      const body = {
        type: 'session.started' as const,
        category,
        task: task.slice(0, TASK_CHARS_MAX),
        ...told,
      }
      return send(undefined, numbered(body, 0)).state
    },
    advance: (before, recorded, i) => {
      const began = performance.now()
      const { tool, error } = recorded
      const call = { callId: `step-${i}`, tool }
      const seq = 1 + 2 * i
      const proposal = numbered(
        { type: 'step.proposed', ...call, argumentsDigest: NO_DIGEST, ...views.proposed(recorded) },
        seq,
      )
      const { state: proposed, decision } = send(before, proposal)
      const outcome = error ? ('error' as const) : ('ok' as const)
      const completed = { type: 'step.completed' as const, ...call, outcome, ...views.completed(recorded) }
      const { state: after } = send(proposed, numbered(completed, seq + 1))
      const us = (performance.now() - began) * 1000
      if (!decision) throw new RangeError(`step ${i} was not decided`)
      return { before, proposal: proposal.event as EventOf<'step.proposed'>, decision, after, us }
    },
  }
}

type Without<T> = T extends Event
  ? Omit<T, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>
  : never
type EventBody = Without<Event>

function numbered(body: EventBody, seq: number): LoggedEvent {
  const event = {
    schema: 1,
    id: `e${seq}`,
    sessionId: 'scored',
    producer: 'trainer',
    seq,
    time: seq,
    ...body,
  }
  return logged(event as Event, seq)
}
