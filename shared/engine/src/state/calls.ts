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
export function dropExpiredCalls(calls: readonly Call[], timeMs: number): readonly Call[] {
  const lapsed = calls.map((call): Call =>
    isLive(call, timeMs) ? call : { status: 'blocked', callId: call.callId },
  )
  return lastBlocked(lapsed)
}

export function removeCall(calls: readonly Call[], callId: string): readonly Call[] {
  return calls.some((call) => call.callId === callId) ? calls.filter((call) => call.callId !== callId) : calls
}

/** `calls` with `call` in the place of any earlier one of its id; of blocked ones only the last few stay. */
export function putCall(calls: readonly Call[], call: Call): readonly Call[] {
  const kept = [...removeCall(calls, call.callId), call]
  return call.status === 'blocked' ? lastBlocked(kept) : kept
}

function lastBlocked(calls: readonly Call[]): readonly Call[] {
  let surplus = calls.filter(({ status }) => status === 'blocked').length - LIMITS.blockedCallsMax
  return surplus > 0 ? calls.filter(({ status }) => status !== 'blocked' || surplus-- <= 0) : calls
}

/** A spec that limits sessions, and its limit. */
export interface FleetSpec {
  readonly spec: SpecRule
  readonly limit: FleetLimit
}

/**
 * The specs whose readings decide on `event`: a proposal, or the answer to a question. Empty for nearly every event there is.
 *
 * @param tools tools proposed just before, whose questions `state` does not know yet
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

/** What the event between `before` and `after` ran of what the policy's limits count. */
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
