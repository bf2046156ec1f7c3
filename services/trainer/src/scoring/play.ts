import { PlimsollError, type Decision, type Event, type EventOf } from '@plimsoll/contracts'
import { step, type Facts, type LoggedEvent, type Rules, type SessionState } from '@plimsoll/engine'
import type { Observer } from '@plimsoll/labels'
import type { BlindTrace } from '../traces/blind.js'

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
  readonly proposal: EventOf<'tool.proposed'>
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

/** The recorded agent goes on whatever is decided, so the session is one that is only observed. */
const OBSERVED: Facts = Object.freeze({ mode: 'observe' })

/** Nothing is decided by the digest, and no approval is bound to it. */
const NO_DIGEST = '0'.repeat(64)

/** The longest task that an event may carry. */
const TASK_CHARS_MAX = 8192

/**
 * Plays a recorded session through the engine, with the events that a client would have sent: every step is proposed, then completed
 * with the recorded result, whatever the verdict.
 */
export function play(
  { category, task, steps }: BlindTrace,
  { rules, observer }: Stage,
  listener: Listener,
): void {
  let seq = 0
  let session: SessionState | undefined
  const send = (event: EventBody): Decision | undefined => {
    const { state, decision, fault } = step(session, logged(event, seq++), rules, OBSERVED)
    if (fault) throw new PlimsollError(fault.code, fault.message)
    session = state
    return decision
  }
  const current = (): SessionState => {
    if (!session) throw new RangeError('the session has not begun')
    return session
  }
  send({
    type: 'session.started',
    category,
    task: task.slice(0, TASK_CHARS_MAX),
    ...observer.started({ task }),
  })
  listener.started?.(current())
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const began = performance.now()
    const callId = `step-${i}`
    const before = current()
    const told = observer.proposed({ tool, description, arguments: args })
    const outcome = error ? 'error' : 'ok'
    const body = { type: 'tool.proposed' as const, callId, tool, argumentsDigest: NO_DIGEST, ...told }
    const proposal = logged(body, seq).event as EventOf<'tool.proposed'>
    const decision = send(body)
    send({ type: 'tool.completed', callId, tool, outcome, ...observer.completed({ tool, result, outcome }) })
    const us = (performance.now() - began) * 1000
    if (!decision) throw new RangeError(`step ${i} was not decided`)
    listener.stepped({ before, proposal, decision, after: current(), us })
  }
}

type Without<T> = T extends Event
  ? Omit<T, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>
  : never
type EventBody = Without<Event>

function logged(body: EventBody, seq: number): LoggedEvent {
  const event = {
    schema: 1,
    id: `e${seq}`,
    sessionId: 'scored',
    producer: 'trainer',
    seq,
    time: seq,
    ...body,
  }
  return { event: event as Event, timeMs: seq }
}
