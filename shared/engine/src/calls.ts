import { LIMITS, type Call, type OpenCall, type PendingCall, type SessionState } from './session.js'

export function callOf(state: SessionState, callId: string): Call | undefined {
  return state.calls.find((call) => call.callId === callId)
}

export function pendingOf(state: SessionState, decisionId: string): PendingCall | undefined {
  for (const call of state.calls) if (call.status === 'pending' && call.decisionId === decisionId) return call
  return undefined
}

/** Whether `call` may still run: it is open, or an approval would still come in time. */
export function isLive(call: Call, timeMs: number): boolean {
  return call.status === 'open' || (call.status === 'pending' && timeMs < call.expiresAt)
}

/** Whether nobody is to be expected to tell of `call` any more. */
export function isOverdue(call: Call, timeMs: number): call is OpenCall {
  return call.status === 'open' && timeMs - call.since >= LIMITS.callMsMax
}

/** Whether a further call would pass the cap on open and pending calls. */
export function isFull(calls: readonly Call[]): boolean {
  if (calls.length < LIMITS.liveCallsMax) return false
  return calls.filter(({ status }) => status !== 'blocked').length >= LIMITS.liveCallsMax
}

/** `calls` with those blocked that nobody approved in time: they hold no place any more. */
export function lapse(calls: readonly Call[], timeMs: number): readonly Call[] {
  const lapsed = calls.map((call): Call =>
    isLive(call, timeMs) ? call : { status: 'blocked', callId: call.callId },
  )
  return lastBlocked(lapsed)
}

export function withoutCall(calls: readonly Call[], callId: string): readonly Call[] {
  return calls.some((call) => call.callId === callId) ? calls.filter((call) => call.callId !== callId) : calls
}

/** `calls` with `call` in the place of any earlier one of its id; of blocked ones only the last few stay. */
export function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  const kept = [...withoutCall(calls, call.callId), call]
  return call.status === 'blocked' ? lastBlocked(kept) : kept
}

function lastBlocked(calls: readonly Call[]): readonly Call[] {
  let surplus = calls.filter(({ status }) => status === 'blocked').length - LIMITS.blockedCallsMax
  return surplus > 0 ? calls.filter(({ status }) => status !== 'blocked' || surplus-- <= 0) : calls
}
