import { type Topics, decisionSchema, parseJson } from '@plimsoll/contracts'
import { findFleetSpecs } from '@plimsoll/engine'
import { type EventLog, type LogRecord, type ReadRange, partitionOf } from '@plimsoll/runtime'
import { type FleetReadings, type Readings, createFleetReadings } from '../fold/fleet-readings.js'

/** Fleet readings of events of one partition, as recorded in their decisions. */
export type Recorded = ReadonlyMap<string, Readings>

export const NOTHING_RECORDED: Recorded = new Map()

/** Most decisions whose readings are kept, some 200 bytes each; further ones are unknown. */
const RECORDED_MAX = 200_000
/** Append times of two topics come from the clocks of two brokers. */
const SKEW_MS = 60_000

const SPEC_PREFIX = Buffer.from('"spec:')

/**
 * Reads the fleet readings in decisions since `fromMs`, for sessions of `partition` of the events topic.
 *
 * @param partitions of the events topic
 */
export async function readRecorded(
  log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>,
  { decisions: topic }: Pick<Topics, 'decisions'>,
  { partition, partitions, fromMs }: { partition: number; partitions: number; fromMs: number },
): Promise<Recorded> {
  const recorded = new Map<string, Readings>()
  const take = ({ key, value }: LogRecord) => {
    if (key === null || !value?.includes(SPEC_PREFIX) || recorded.size >= RECORDED_MAX) return
    if (partitionOf(key, partitions) !== partition) return
    const { data: decision } = decisionSchema.safeParse(parseJson(value))
    if (!decision || decision.sessionId !== key) return
    const at = placeOf(decision.sessionId, decision.eventId)
    // A republished decision is the same; another event with the same id was refused.
    if (!recorded.has(at)) recorded.set(at, readingsIn(decision.facts))
  }
  const ranges: ReadRange[] = []
  for (const each of (await log.describe(topic)) ?? []) {
    const from = await log.offsetAt(topic, each.partition, Math.max(0, fromMs - SKEW_MS))
    if (from !== undefined) ranges.push({ partition: each.partition, from })
  }
  if (ranges.length > 0) await log.read(topic, take, { ranges })
  return recorded
}

const placeOf = (sessionId: string, eventId: string): string => `${sessionId} ${eventId}`

function readingsIn(facts: Readonly<Record<string, unknown>>): Readings {
  const readings: Record<string, number> = {}
  for (const [name, reading] of Object.entries(facts))
    if (name.startsWith('spec:') && typeof reading === 'number') readings[name] = reading
  return readings
}

/**
 * For replayed events: the recorded readings. Without one the limit is assumed not to have applied, so that a step that may have run counts
 * as run. Source: docs/decisions/20261122-fleet-limits.md.
 */
export function recordedFleet(recorded: Recorded): FleetReadings {
  return {
    of: (id, { event }, state, rules) => {
      const asked = rules ? findFleetSpecs(event, state, rules) : []
      if (asked.length === 0) return undefined
      const known = recorded.get(placeOf(id, event.id))
      return Object.fromEntries(asked.map(({ limit: { reading } }) => [reading, known?.[reading] ?? 0]))
    },
    counts: (id, runs) => createFleetReadings([], []).counts(id, runs),
  }
}

/** For replays that do not read decisions. */
export const UNRECORDED_FLEET: FleetReadings = recordedFleet(NOTHING_RECORDED)
