import type { Decision, Event, EventOf } from '@plimsoll/contracts'
import type { Rules } from '../rules.js'
import { findCall, isOverdue } from '../state/calls.js'
import { type OpenCall, type SessionState, DIGEST_DIGITS } from '../state/session.js'
import { noticeOf } from '../verdict/alert.js'
import type { JudgeContext, Outcome } from '../verdict/outcome.js'
import { completeStep } from './reported.js'

type Completed = EventOf<'step.completed'>

/** Applies a completion. If another step ran than was admitted, it counts as a step without a verdict and an alert is sent. */
export function receiveCompletion(state: SessionState, event: Completed, context: JudgeContext): Outcome {
  const after = returned(state, event, context.rules, context.time)
  const call = otherThan(state, event)
  return call ? { state: after, decision: alertOf(state, event, call, context) } : { state: after }
}

/** `state` after a completion. Source: docs/decisions/20261122-enforcement.md. */
export function returned(state: SessionState, event: Completed, rules: Rules, time: number): SessionState {
  const call = otherThan(state, event)
  return completeStep(call ? failed(state, call, rules, time) : state, event, rules, time)
}

/** `state` with overdue calls counted as failed; the same object if there are none. */
export function failOverdueCalls(
  state: SessionState,
  event: Event,
  rules: Rules,
  time: number,
): SessionState {
  // A late completion is still a completion.
  const awaited = event.type === 'step.completed' ? event.callId : undefined
  let after = state
  for (const call of state.calls)
    if (isOverdue(call, time) && call.callId !== awaited) after = failed(after, call, rules, time)
  return after
}

/** Its credits are lost, and everything it may have brought counts as read. */
const failed = (state: SessionState, { callId, tool }: OpenCall, rules: Rules, time: number): SessionState =>
  completeStep(state, { callId, tool, outcome: 'error' }, rules, time)

/** The admitted call of the event's id, if it was another step. */
function otherThan(state: SessionState, { callId, tool, argumentsDigest }: Completed): OpenCall | undefined {
  const call = findCall(state, callId)
  // A call from an older record has no tool.
  if (call?.status !== 'open' || call.tool === '') return undefined
  const isOtherTool = call.tool !== tool
  const isDigested = argumentsDigest !== undefined && call.digest !== ''
  const isOtherDigest = isDigested && argumentsDigest.slice(0, DIGEST_DIGITS) !== call.digest
  return isOtherTool || isOtherDigest ? call : undefined
}

function alertOf(state: SessionState, event: Completed, call: OpenCall, context: JudgeContext): Decision {
  const { callId, tool, argumentsDigest = '' } = event
  const ran = call.tool === tool ? 'other arguments' : `\`${tool}\``
  return noticeOf(state, event, { callId, tool, argumentsDigest }, context, [
    {
      source: 'malformed',
      code: 'ran_other_than_proposed',
      verdict: 'warn',
      message: `\`${call.tool}\` was let run, and what ran was ${ran}: it counts as a step without a verdict`,
    },
  ])
}
