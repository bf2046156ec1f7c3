import { type Topics, decisionSchema } from '@plimsoll/contracts'
import { findFleetSpecs } from '@plimsoll/engine'
import { type EventLog, type LogRecord, type ReadRange, partitionOf } from '@plimsoll/runtime'
import { type FleetReadings, type Readings, createFleetReadings } from '../fold/fleet-readings.js'

/** Readings of events of one partition, as the decisions on them recorded them. */
export type Recorded = ReadonlyMap<string, Readings>

export const NOTHING_RECORDED: Recorded = new Map()

/** Decisions whose readings are kept: some 200 bytes each. Those beyond are not known. */
const RECORDED_MAX = 200_000
/** Append times of two topics are of two brokers' clocks. */
const SKEW_MS = 60_000

const SPEC_PREFIX = Buffer.from('"spec:')

/**
 * What the decisions since `fromMs` recorded of the fleet's counters, for sessions of `partition` of the events topic.
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
    // Published again it says the same; another event of the same id was refused.
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

function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * For events that are folded again: the readings that were recorded. Where there is none a limit is taken not to have spoken, so that what may
 * have run counts as run. Source: docs/decisions/20261122-fleet-limits.md.
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

/** Where what was recorded is not read. */
export const UNRECORDED_FLEET: FleetReadings = recordedFleet(NOTHING_RECORDED)
