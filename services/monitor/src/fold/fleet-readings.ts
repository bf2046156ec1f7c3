import { tenantOf } from '@plimsoll/contracts'
import {
  type FleetRun,
  type FleetSpec,
  type Rules,
  type SessionState,
  findFleetSpecs,
} from '@plimsoll/engine'
import type { FleetCount, FleetReading } from '@plimsoll/runtime'
import type { SessionEvent } from '../records/validate.js'

/** A fleet reading that an event of a session is judged by. */
export interface FleetAsk extends FleetSpec {
  readonly id: string
  readonly offset: bigint
  readonly counter: string
  /** Where the window of the event begins, milliseconds since 1970. */
  readonly sinceMs: number
}

/** A counter for each spec, and for each tenant if the limit is per tenant. */
const counterOf = (id: string, { spec, limit }: FleetSpec): string =>
  `${limit.of === 'tenant' ? tenantOf(id) : '*'}:${spec.id}`

/** The readings needed to fold `events` of one session (log order); usually none. */
export function asksOf(
  id: string,
  state: SessionState | undefined,
  events: readonly SessionEvent[],
  rules: Rules | undefined,
): readonly FleetAsk[] {
  if (!rules || rules.memory.fleets.length === 0) return []
  const asks: FleetAsk[] = []
  const tools = new Set<string>()
  // As in the engine: a session's clock never runs backwards.
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

/** Fleet readings for the events of a chunk, whose sessions are folded one after the other. */
export interface FleetReadings {
  /** The readings for `event`; undefined if it needs none. */
  of(
    id: string,
    event: SessionEvent,
    state: SessionState | undefined,
    rules: Rules | undefined,
  ): Readings | undefined
  /** The counter updates for a session with these `runs`; readings of sessions folded later include them. */
  counts(id: string, runs: readonly RunAt[]): readonly FleetCount[]
}

export type Readings = Readonly<Record<string, number>>

/** A run that counts against a fleet limit, caused by the event at `offset`. */
export interface RunAt extends FleetRun {
  readonly offset: bigint
}

/** How long a counter outlives its window, for partitions that lag. */
const MARGIN_MS = 3_600_000

interface FleetAnswer extends FleetReading {
  readonly ask: FleetAsk
  /** The reading that was passed to the engine. */
  reading: number
}

/** @param answers the store's readings, one for each of `asks` */
export function createFleetReadings(
  asks: readonly FleetAsk[],
  answers: readonly FleetReading[],
): FleetReadings {
  const reported = new Map<string, FleetAnswer[]>()
  /** When a session was counted in the store, by counter and session. */
  const stored = new Map<string, number>()
  const ran = new Map<string, { readonly id: string; readonly atMs: number }[]>()
  for (const [i, ask] of asks.entries()) {
    const { others = 0, ownMs } = answers[i] ?? {}
    const at = placeOf(ask)
    reported.set(at, [...(reported.get(at) ?? []), { ask, others, ownMs, reading: others }])
    if (ownMs !== undefined) stored.set(`${ask.counter} ${ask.id}`, ownMs)
  }
  /** Sessions of this chunk that ran within the window and are not in the store's reading. */
  const ranHere = ({ counter, id, sinceMs }: FleetAsk): number =>
    (ran.get(counter) ?? []).filter(
      (each) =>
        each.id !== id &&
        each.atMs >= sinceMs &&
        (stored.get(`${counter} ${each.id}`) ?? -Infinity) < sinceMs,
    ).length

  return {
    of: (id, { record }) => {
      const known = reported.get(placeOf({ id, offset: record.offset }))
      if (!known) return undefined
      for (const each of known) each.reading = each.others + ranHere(each.ask)
      return Object.fromEntries(known.map(({ ask, reading }) => [ask.limit.reading, reading]))
    },
    counts: (id, runs) => {
      const counts = new Map<string, FleetCount>()
      for (const run of runs) {
        const counter = counterOf(id, run)
        const known = reported.get(placeOf({ id, offset: run.offset }))
        const asked = known?.find(({ ask }) => ask.counter === counter)
        const count = fleetCountOf(counter, run, asked, counts.get(counter))
        counts.set(counter, count)
      }
      for (const { counter, atMs } of counts.values())
        ran.set(counter, [...(ran.get(counter) ?? []), { id, atMs }])
      return [...counts.values()]
    },
  }
}

const placeOf = ({ id, offset }: Pick<FleetAsk, 'id' | 'offset'>): string => `${offset} ${id}`

/** A run allowed because there was room is stored only while there still is; any other run counts unconditionally. */
function fleetCountOf(
  counter: string,
  { limit: { sessions, ms }, atMs }: RunAt,
  asked: FleetAnswer | undefined,
  earlier: FleetCount | undefined,
): FleetCount {
  const room = asked && asked.reading < sessions && { others: sessions, sinceMs: asked.ask.sinceMs }
  const unless = earlier?.unless ?? (room || undefined)
  return { counter, atMs, keptMax: sessions + 1, ttlMs: ms + MARGIN_MS, ...(unless && { unless }) }
}
