import type { Event } from '@plimsoll/contracts'
import type { Rules } from '../rules.js'
import type { FleetLimit, SpecRule } from '../spec-rule.js'
import { type Call, type OpenCall, type PendingCall, type SessionState, LIMITS } from './session.js'

export function findCall(state: SessionState, callId: string): Call | undefined {
  return state.calls.find((call) => call.callId === callId)
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
  return calls.some((call) => call.callId === callId) ? calls.filter((call) => call.callId !== callId) : calls
}

/** `calls` with `call` replacing an earlier one of its id; only the last few blocked calls stay. */
export function putCall(calls: readonly Call[], call: Call): readonly Call[] {
  const kept = [...removeCall(calls, call.callId), call]
  return call.status === 'blocked' ? lastBlocked(kept) : kept
}

function lastBlocked(calls: readonly Call[]): readonly Call[] {
  let surplus = calls.filter(({ status }) => status === 'blocked').length - LIMITS.blockedCallsMax
  return surplus > 0 ? calls.filter(({ status }) => status !== 'blocked' || surplus-- <= 0) : calls
}

/** A spec with a fleet-wide limit. */
export interface FleetSpec {
  readonly spec: SpecRule
  readonly limit: FleetLimit
}

/**
 * The specs whose readings matter for `event`: a proposal, or the answer to an approval request. Empty for nearly every event.
 *
 * @param tools tools proposed just before, whose approval requests are not in `state` yet
 */
export function findFleetSpecs(
  event: Event,
  state: SessionState | undefined,
  rules: Rules,
  tools: Iterable<string> = [],
): readonly FleetSpec[] {
  if (rules.memory.fleets.length === 0) return NOTHING
  if (event.type === 'step.proposed') return limitsOf([event.tool], rules)
  if (event.type !== 'approval.resolved') return NOTHING
  const pending = state && pendingOf(state, event.decisionId)
  return limitsOf(pending ? [pending.tool] : tools, rules)
}

function limitsOf(tools: Iterable<string>, rules: Rules): readonly FleetSpec[] {
  const asked = new Map<string, FleetSpec>()
  for (const tool of tools) {
    const { blocklist, confirmation } = rules.tool(tool)
    for (const spec of [...blocklist, ...confirmation])
      if (spec.fleet) asked.set(spec.id, { spec, limit: spec.fleet })
  }
  return asked.size === 0 ? NOTHING : [...asked.values()]
}

const NOTHING: readonly FleetSpec[] = Object.freeze([])

/** A session that ran a step which a limit counts. */
export interface FleetRun extends FleetSpec {
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** The steps between `before` and `after` that count towards the policy's fleet-wide limits. */
export function fleetRuns(
  before: Pick<SessionState, 'memory'> | undefined,
  after: Pick<SessionState, 'memory'> | undefined,
  { memory: { fleets } }: Pick<Rules, 'memory'>,
): readonly FleetRun[] {
  if (fleets.length === 0 || !after || before?.memory === after.memory) return NO_RUNS
  return fleets.flatMap((spec) => {
    const limit = spec.fleet
    const atMs = (limit && after.memory[limit.cell]) ?? 0
    return limit && atMs > 0 && atMs !== before?.memory[limit.cell] ? [{ spec, limit, atMs }] : []
  })
}

const NO_RUNS: readonly FleetRun[] = Object.freeze([])
