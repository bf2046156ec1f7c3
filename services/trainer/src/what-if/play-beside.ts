import { logged, PlimsollError, type Decision, type Event } from '@plimsoll/contracts'
import { step, type Facts, type Rules, type SessionState } from '@plimsoll/engine'
import type { LoggedSession } from '../topic/assemble.js'
import { proposalsThatRan } from '../topic/play-logged.js'
import { observedFacts } from './observed-facts.js'
import type { JudgedStep } from './session-diff.js'

/** Blocks what in truth never ran, whatever the rules say of it. */
const STOPPED: Facts = Object.freeze({ mode: 'enforce', stop: Object.freeze({ by: 'log' }) })

/** A proposal as two policies judge it. */
export interface LoggedJudgement extends JudgedStep {
  readonly callId: string
}

/**
 * Judges each proposal of a session of the log under two rules, given what really happened: what was completed did run, what never was did
 * not.
 *
 * @throws PlimsollError with what the engine refuses
 */
export function judgeLogged(session: LoggedSession, old: Rules, candidate: Rules): LoggedJudgement[] {
  const candidates = decisionsIn(session, candidate)
  return Array.from(decisionsIn(session, old)).flatMap(([place, decision]) => {
    const other = candidates.get(place)
    const { tool, callId } = decision
    return other ? [{ tool, callId, old: decision, candidate: other }] : []
  })
}

/** The decisions on proposals, by the place of the event. */
function decisionsIn({ events }: LoggedSession, rules: Rules): Map<number, Decision> {
  const ran = proposalsThatRan(events)
  const observed = observedFacts(rules)
  const decisions = new Map<number, Decision>()
  let state: SessionState | undefined
  let seq = 0
  for (const [place, { event, timeMs }] of events.entries()) {
    // One producer, numbered anew: what several of them sent is in the order of the log.
    const own = isNumbered(event) ? { ...event, producer: 'log', seq: seq++ } : event
    const heard = logged(own, timeMs)
    const judged = step(state, heard, rules, observed)
    if (judged.fault) throw new PlimsollError(judged.fault.code, judged.fault.message)
    if (judged.decision?.kind === 'step') decisions.set(place, judged.decision)
    const isStopped = own.type === 'step.proposed' && !ran.has(event)
    state = isStopped ? step(state, heard, rules, STOPPED).state : judged.state
  }
  return decisions
}

const isNumbered = ({ type }: Event): boolean => type.startsWith('step.') || type.startsWith('session.')
