import { type Decision, type EventOf, type Signals } from '@plimsoll/contracts'
import { step, type Outcome, type SessionState } from '@plimsoll/engine'
import type { Step } from './invariants.js'

/** A broken engine: `spoil` changes the outcome of the real one. */
export function broken(
  spoil: (outcome: Outcome, input: Parameters<Step>[1], before: Parameters<Step>[0]) => Outcome,
): Step {
  return (state, input, rules, facts) => spoil(step(state, input, rules, facts), input, state)
}

export const withState = (outcome: Outcome, change: Partial<NonNullable<Outcome['state']>>): Outcome =>
  outcome.state ? { ...outcome, state: { ...outcome.state, ...change } } : outcome

/** An engine that reads a changed event. */
export const misread =
  (change: (event: Parameters<Step>[1]['event']) => Parameters<Step>[1]['event']): Step =>
  (state, input, rules, facts) =>
    step(state, { ...input, event: change(input.event) }, rules, facts)

type Bits = Pick<NonNullable<Outcome['state']>, 'held' | 'codeWritten' | 'filesMayHold'>

/** An engine that judges as if a bit of the session was never set; the state it returns is right. */
export const disregarding =
  (bit: keyof Bits): Step =>
  (state, ...rest) => {
    if (!state?.[bit] || rest[0].event.type === 'declassification.granted') return step(state, ...rest)
    const without = { ...state, [bit]: false }
    const outcome = step(without, ...rest)
    return outcome.state === without ? { ...outcome, state } : withState(outcome, { [bit]: true })
  }
/** An engine that does not update a bit of the session at some events. */
export const unmoved = (
  bit: keyof Bits,
  isMet: (outcome: Outcome, event: Parameters<Step>[1]['event']) => boolean,
): Step =>
  broken((outcome, { event }, before) =>
    isMet(outcome, event) && outcome.state !== before
      ? withState(outcome, { [bit]: before?.[bit] ?? false })
      : outcome,
  )
/** An engine that reads changed signals of a proposed step. */
export const signalled = (change: (signals: Signals) => Signals): Step =>
  misread((event) =>
    event.type === 'step.proposed' ? { ...event, signals: change(event.signals ?? {}) } : event,
  )
/** An engine whose line omits some of its reasons. */
export const silent = (isMeant: (reason: Decision['reasons'][number], decision: Decision) => boolean): Step =>
  broken((outcome, _input, before) => {
    const { decision } = outcome
    if (!decision || !before || before.held) return outcome
    const reasons = decision.reasons.filter((each) => each.source !== 'line' || !isMeant(each, decision))
    return { ...outcome, decision: { ...decision, reasons } }
  })
type SessionApproval = SessionState['approvals'][number]

/** An engine that judges proposals by other approvals for the session, and keeps those that it has; the rest of its state is right. */
export const approving =
  (change: (approval: SessionApproval, event: EventOf<'step.proposed'>) => SessionApproval): Step =>
  (state, input, ...rest) => {
    const { event } = input
    if (!state?.approvals.length || event.type !== 'step.proposed') return step(state, input, ...rest)
    const { approvals } = state
    const changed = { ...state, approvals: approvals.map((approval) => change(approval, event)) }
    const outcome = step(changed, input, ...rest)
    return outcome.state === changed ? { ...outcome, state } : withState(outcome, { approvals })
  }
