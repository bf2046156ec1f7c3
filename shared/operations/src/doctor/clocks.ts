import { randomUUID } from 'node:crypto'
import { PROBE_HEADER, REGISTRY_PROBE_KEY } from '@plimsoll/contracts'
import type { Clock, EventLog, LogRecord, SessionStore } from '@plimsoll/runtime'
import { type Finding, fail, ok, warn } from './redis.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A span of time in its largest whole unit, such as `7 d` or `90 s`; `ms` milliseconds. */
export function spanText(ms: number): string {
  for (const [unit, size] of UNITS) if (ms >= size && ms % size === 0) return `${ms / size} ${unit}`
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`
}

const WARN_MS = 1_000
const FAIL_MS = 30_000

/** A reading of another clock, between two of ours. Milliseconds since 1970. */
export interface Reading {
  readonly beforeMs: number
  readonly theirsMs: number
  readonly afterMs: number
}

/** How far the other clock is ahead of ours at least, milliseconds; less than 0 where it is behind. */
export function skewOf({ beforeMs, theirsMs, afterMs }: Reading): number {
  if (theirsMs < beforeMs) return theirsMs - beforeMs
  return Math.max(0, theirsMs - afterMs)
}

export function clockFinding(whose: string, reading: Reading): Finding {
  const name = `clock of ${whose}`
  const skew = skewOf(reading)
  const size = Math.abs(skew)
  if (size < 1) return ok(name, 'agrees with ours')
  const what = `at least ${spanText(size)} ${skew > 0 ? 'ahead of' : 'behind'} ours`
  if (size <= WARN_MS) return ok(name, what)
  const remedy = 'have both machines keep time by NTP: deadlines and approvals go by these clocks'
  return size <= FAIL_MS ? warn(name, what, remedy) : fail(name, what, remedy)
}

export async function readStoreClock(store: Pick<SessionStore, 'describe'>, clock: Clock): Promise<Reading> {
  const beforeMs = clock.now()
  const { timeMs: theirsMs } = await store.describe()
  return { beforeMs, theirsMs, afterMs: clock.now() }
}

/**
 * Reads the clock of the log by a probe: a tombstone in the registry under its own key, which compaction removes. Undefined if the probe is
 * not found again.
 */
export async function readLogClock(
  log: Pick<EventLog, 'produce' | 'describe' | 'read'>,
  registry: string,
  clock: Clock,
): Promise<Reading | undefined> {
  const id = randomUUID()
  const from = (await log.describe(registry))?.[0]?.nextOffset ?? 0n
  const beforeMs = clock.now()
  await log.produce(registry, [{ key: REGISTRY_PROBE_KEY, value: null, headers: { [PROBE_HEADER]: id } }])
  const afterMs = clock.now()
  let theirsMs: number | undefined
  const take = ({ headers, timeMs }: LogRecord) => {
    if (headers[PROBE_HEADER] === id) theirsMs = timeMs
  }
  await log.read(registry, take, { ranges: [{ partition: 0, from }] })
  return theirsMs === undefined ? undefined : { beforeMs, theirsMs, afterMs }
}
