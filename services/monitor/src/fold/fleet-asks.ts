import { tenantOf } from '@plimsoll/contracts'
import { type FleetSpec, type Rules, type SessionState, findFleetSpecs } from '@plimsoll/engine'
import type { SessionEvent } from '../records/validate.js'

/** A reading that an event of a session is judged by. */
export interface FleetAsk extends FleetSpec {
  readonly id: string
  readonly offset: bigint
  readonly counter: string
  /** Where the window of the event begins, milliseconds since 1970. */
  readonly sinceMs: number
}

/** Sessions of a tenant are counted apart from others, or all together, by the id of the spec. */
export const counterOf = (id: string, { spec, limit }: FleetSpec): string =>
  `${limit.of === 'tenant' ? tenantOf(id) : '*'}:${spec.id}`

/** What must be read before `events` of one session (log order) can be folded: nothing for nearly all. */
export function asksOf(
  id: string,
  state: SessionState | undefined,
  events: readonly SessionEvent[],
  rules: Rules | undefined,
): readonly FleetAsk[] {
  if (!rules || rules.memory.fleets.length === 0) return NOTHING
  const asks: FleetAsk[] = []
  const tools = new Set<string>()
  // As the engine has it: a session's clock never goes back.
  let timeMs = state?.time ?? 0
  for (const { event, record } of events) {
    timeMs = Math.max(timeMs, record.timeMs)
    for (const asked of findFleetSpecs(event, state, rules, tools)) {
      const place = { id, offset: record.offset, counter: counterOf(id, asked) }
      asks.push({ ...asked, ...place, sinceMs: timeMs - asked.limit.ms })
    }
    if (event.type === 'step.proposed') tools.add(event.tool)
  }
  return asks
}

const NOTHING: readonly FleetAsk[] = Object.freeze([])
