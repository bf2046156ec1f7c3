import { LIMITS, type Call, type PendingCall, type SessionState } from './session.js'

export function callOf(state: SessionState, callId: string): Call | undefined {
  return state.calls.find((call) => call.callId === callId)
}

export function pendingOf(state: SessionState, decisionId: string): PendingCall | undefined {
  for (const call of state.calls) if (call.status === 'pending' && call.decisionId === decisionId) return call
  return undefined
}

/** Whether a further call would pass the cap on open and pending calls. */
export function isFull(state: SessionState): boolean {
  if (state.calls.length < LIMITS.liveCallsMax) return false
  return state.calls.filter(({ status }) => status !== 'blocked').length >= LIMITS.liveCallsMax
}

export function withoutCall(calls: readonly Call[], callId: string): readonly Call[] {
  return calls.some((call) => call.callId === callId) ? calls.filter((call) => call.callId !== callId) : calls
}

/** `calls` with `call` in the place of any earlier one of its id; of blocked ones only the last few stay. */
export function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  const kept = [...withoutCall(calls, call.callId), call]
  const blocked = kept.filter(({ status }) => status === 'blocked')
  if (blocked.length <= LIMITS.blockedCallsMax) return kept
  return kept.filter((each) => each !== blocked[0])
}
