import type { Reason } from '@plimsoll/contracts'
import type { StepContext } from '../judge.js'

/**
 * The calls in flight whose coming back is all that a blocked proposal waits for; undefined where something else blocks it too, or what it
 * waits for is not under way.
 */
export function waitForOf(reasons: readonly Reason[], context: StepContext): string[] | undefined {
  const calls = new Set<string>()
  for (const reason of reasons) {
    if (reason.verdict !== 'block' || reason.liftedBy !== undefined) continue
    const awaited = reason.source === 'mustlist' ? inFlightFor(reason.code, context) : []
    if (awaited.length === 0) return undefined
    for (const callId of awaited) calls.add(callId)
  }
  return calls.size === 0 ? undefined : [...calls]
}

/** Calls that count for the spec `id` once they come back well. */
function inFlightFor(id: string, { state, rules }: StepContext): string[] {
  const callIds: string[] = []
  for (const call of state.calls)
    if (call.status === 'open' && call.credits.some((n) => rules.memory.credits[n]?.spec.id === id))
      callIds.push(call.callId)
  return callIds
}
