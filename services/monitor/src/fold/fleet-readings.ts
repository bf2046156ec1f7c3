import type { FleetRun, Rules, SessionState } from '@plimsoll/engine'
import type { FleetCount, FleetReading } from '@plimsoll/runtime'
import type { SessionEvent } from '../records/validate.js'
import { type FleetAsk, counterOf } from './fleet-asks.js'

/** What the counters of the fleet say to the events of a chunk, as its sessions are folded one after another. */
export interface FleetReadings {
  /** The readings that `event` is judged by; undefined where none are. */
  of(
    id: string,
    event: SessionEvent,
    state: SessionState | undefined,
    rules: Rules | undefined,
  ): Readings | undefined
  /** What storing a session with these `runs` does to the counters; sessions folded later count it. */
  counts(id: string, runs: readonly RunAt[]): readonly FleetCount[]
}

export type Readings = Readonly<Record<string, number>>

/** What a session ran, by the event at `offset`. */
export interface RunAt extends FleetRun {
  readonly offset: bigint
}

/** A counter outlives its window by so much, for partitions that lag. */
const MARGIN_MS = 3_600_000

interface FleetAnswer extends FleetReading {
  readonly ask: FleetAsk
  /** What was told of it, once it was asked for. */
  reading: number
}

/** @param answers of the store, one for each of `asks` */
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
  /** Sessions of this chunk that the store did not know to be in the window. */
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

/** What was let run because there was room is stored only while there is; what ran all the same is counted whatever there is. */
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
