import { logged, PlimsollError, type Event, type EventOf } from '@plimsoll/contracts'
import { step, type Rules, type SessionState } from '@plimsoll/engine'
import { OBSERVED } from '../play.js'
import type { LoggedSession, TimedEvent } from './assemble.js'

/** A step that ran, as the log has it. */
export interface LoggedStep {
  /** The session as the proposal found it. */
  readonly before: SessionState
  readonly proposal: EventOf<'step.proposed'>
  /** The session after the step was allowed to run. */
  readonly arrived: SessionState
  /** The session as the next step found it, or as it ended. */
  readonly after: SessionState
}

export interface LoggedListener {
  started(state: SessionState): void
  stepped(step: LoggedStep): void
}

/** The call ids of the steps that ran, in the order of their proposals: those that were completed. */
export function ranIn({ events }: LoggedSession): {
  readonly steps: readonly string[]
  readonly neverRan: number
} {
  const ran = proposalsThatRan(events)
  const proposals = events.flatMap(({ event }) => (event.type === 'step.proposed' ? [event] : []))
  const steps = proposals.filter((event) => ran.has(event)).map(({ callId }) => callId)
  return { steps, neverRan: proposals.length - steps.length }
}

/** A completion belongs to the latest proposal of its call. */
export function proposalsThatRan(events: readonly TimedEvent[]): ReadonlySet<Event> {
  const latest = new Map<string, Event>()
  const ran = new Set<Event>()
  for (const { event } of events) {
    if (event.type === 'step.proposed') latest.set(event.callId, event)
    const proposal = event.type === 'step.completed' ? latest.get(event.callId) : undefined
    if (proposal) ran.add(proposal)
  }
  return ran
}

/**
 * Plays a session through the engine with its own events: fingerprints, signals and labels are in them. Proposals that never ran are left out.
 *
 * @throws PlimsollError with what the engine refuses
 */
export function playLogged(session: LoggedSession, rules: Rules, listener: LoggedListener): void {
  const ran = proposalsThatRan(session.events)
  let state: SessionState | undefined
  let open: Omit<LoggedStep, 'after'> | undefined
  let seq = 0
  const settle = () => {
    if (open && state) listener.stepped({ ...open, after: state })
    open = undefined
  }
  for (const { event, timeMs } of session.events) {
    if (event.type === 'step.proposed' && !ran.has(event)) continue
    // One producer, numbered again: what was left out must be no gap.
    const own = event.type === 'labels.refined' ? event : { ...event, producer: 'log', seq: seq++ }
    if (event.type === 'step.proposed') settle()
    const before = state
    const outcome = step(state, logged(own, timeMs), rules, OBSERVED)
    if (outcome.fault) throw new PlimsollError(outcome.fault.code, outcome.fault.message)
    state = outcome.state
    if (event.type === 'session.started' && state) listener.started(state)
    if (own.type === 'step.proposed' && before && state) open = { before, proposal: own, arrived: state }
  }
  settle()
}
