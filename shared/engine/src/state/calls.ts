import { type Call, type OpenCall, type PendingCall, type SessionState, LIMITS } from './session.js'

export function findCall(state: SessionState, callId: string): Call | undefined {
  for (const call of state.calls) if (call.callId === callId) return call
  return undefined
}

export function pendingOf(state: SessionState, decisionId: string): PendingCall | undefined {
  for (const call of state.calls) if (call.status === 'pending' && call.decisionId === decisionId) return call
  return undefined
}

/** Whether `call` can still run: it is open, or its approval can still come in time. */
export function isLive(call: Call, timeMs: number): boolean {
  return call.status === 'open' || (call.status === 'pending' && timeMs < call.expiresAt)
}

/** Whether no completion of `call` is expected any more. */
export function isOverdue(call: Call, timeMs: number): call is OpenCall {
  return call.status === 'open' && timeMs - call.since >= LIMITS.callMsMax
}

/** Whether another call would exceed the cap on open and pending calls. */
export function isFull(calls: readonly Call[]): boolean {
  if (calls.length < LIMITS.liveCallsMax) return false
  return calls.filter(({ status }) => status !== 'blocked').length >= LIMITS.liveCallsMax
}

/** `calls` with expired approval requests turned into blocked calls, which frees their places. */
export function dropExpiredCalls(calls: readonly Call[], timeMs: number): readonly Call[] {
  const lapsed = calls.map((call): Call =>
    isLive(call, timeMs) ? call : { status: 'blocked', callId: call.callId },
  )
  return lastBlocked(lapsed)
}

export function removeCall(calls: readonly Call[], callId: string): readonly Call[] {
  if (!hasCall(calls, callId)) return calls
  return calls.length === 1 ? NO_CALLS : calls.filter((call) => call.callId !== callId)
}

function hasCall(calls: readonly Call[], callId: string): boolean {
  for (const call of calls) if (call.callId === callId) return true
  return false
}

const NO_CALLS: readonly Call[] = Object.freeze([])

/** `calls` with `call` replacing an earlier one of its id; only the last few blocked calls stay. */
export function putCall(calls: readonly Call[], call: Call): readonly Call[] {
  const others = removeCall(calls, call.callId)
  const kept = others.length === 0 ? [call] : [...others, call]
  return call.status === 'blocked' ? lastBlocked(kept) : kept
}

function lastBlocked(calls: readonly Call[]): readonly Call[] {
  let surplus = calls.filter(({ status }) => status === 'blocked').length - LIMITS.blockedCallsMax
  return surplus > 0 ? calls.filter(({ status }) => status !== 'blocked' || surplus-- <= 0) : calls
}
