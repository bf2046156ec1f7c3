import type { Clock } from '../clock.js'
import type { FleetMark, FleetQuery, FleetReading } from '../session-store.js'

/** Which sessions did lately what a counter counts. */
export interface FleetCounters {
  /** Whether every mark finds as few others as it must. */
  allow(id: string, marks: readonly FleetMark[]): boolean
  add(id: string, marks: readonly FleetMark[]): void
  read(query: FleetQuery): FleetReading
}

interface Counter {
  readonly times: Map<string, number>
  expiresAtMs: number
}

export function createFleetCounters(clock: Clock): FleetCounters {
  const counters = new Map<string, Counter>()
  const find = (name: string): Counter | undefined => {
    const found = counters.get(name)
    if (!found || found.expiresAtMs > clock.now()) return found
    counters.delete(name)
    return undefined
  }
  const read = ({ counter, id, sinceMs }: FleetQuery): FleetReading => {
    const times = find(counter)?.times ?? new Map<string, number>()
    let others = 0
    for (const [session, atMs] of times) if (session !== id && atMs >= sinceMs) others++
    return { others, ownMs: times.get(id) }
  }
  const add = (id: string, { counter, atMs, keptMax, ttlMs }: FleetMark) => {
    const found = find(counter) ?? { times: new Map<string, number>(), expiresAtMs: 0 }
    counters.set(counter, found)
    const { times } = found
    const isNew = !times.has(id)
    times.set(id, Math.max(times.get(id) ?? 0, atMs))
    if (isNew && times.size > keptMax) times.delete(earliestOf(times))
    found.expiresAtMs = Math.max(found.expiresAtMs, clock.now() + ttlMs)
  }
  return {
    allow: (id, marks) =>
      marks.every(
        ({ counter, unless }) =>
          !unless || read({ counter, id, sinceMs: unless.sinceMs }).others < unless.others,
      ),
    add: (id, marks) => {
      for (const mark of marks) add(id, mark)
    },
    read,
  }
}

/** Of several the first by its name, as Redis has it. */
function earliestOf(times: ReadonlyMap<string, number>): string {
  let earliest = ''
  let atMs = Infinity
  for (const [id, time] of times)
    if (time < atMs || (time === atMs && id < earliest)) {
      earliest = id
      atMs = time
    }
  return earliest
}
