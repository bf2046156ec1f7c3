import { tenantOf } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/** Most events within one second of append time, in a partition. Unlimited if left out. */
export interface Quotas {
  readonly sessionEventsPerSecondMax?: number | undefined
  readonly tenantEventsPerSecondMax?: number | undefined
}

/** The quota that a record exceeds. */
export type QuotaScope = 'session' | 'tenant'

interface Window {
  second: number
  countedTo: bigint
  readonly sessions: Map<string, number>
  readonly tenants: Map<string, number>
  /** Offsets that exceeded a quota. */
  readonly over: Map<bigint, QuotaScope>
}

export type QuotaGate = ReturnType<typeof createQuotaGate>

/**
 * Counts records by their append times. A redelivered record gets the same answer until it is settled. Source:
 * docs/decisions/20261122-tenants-and-quotas.md.
 */
export function createQuotaGate({ sessionEventsPerSecondMax, tenantEventsPerSecondMax }: Quotas) {
  const windows = new Map<number, Window>()

  const windowOf = (partition: number): Window => {
    const known = windows.get(partition)
    if (known) return known
    const made = { second: 0, countedTo: -1n, sessions: new Map(), tenants: new Map(), over: new Map() }
    windows.set(partition, made)
    return made
  }
  const count = ({ sessions, tenants }: Window, key: string): QuotaScope | undefined => {
    if (isOver(sessions, key, sessionEventsPerSecondMax)) return 'session'
    if (tenantEventsPerSecondMax === undefined) return undefined
    return isOver(tenants, tenantOf(key), tenantEventsPerSecondMax) ? 'tenant' : undefined
  }

  return {
    /** Counts the partition's next record; undefined if it is within its quotas. */
    scopeOver: ({ partition, offset, timeMs, key }: LogRecord): QuotaScope | undefined => {
      const window = windowOf(partition)
      if (offset <= window.countedTo) return window.over.get(offset)
      window.countedTo = offset
      const second = Math.floor(timeMs / 1000)
      if (second !== window.second) {
        window.second = second
        window.sessions.clear()
        window.tenants.clear()
      }
      const scope = count(window, key ?? '')
      if (scope) window.over.set(offset, scope)
      return scope
    },
    /** Everything counted so far in the partition is committed and will not be redelivered. */
    settle: (partition: number): void => windows.get(partition)?.over.clear(),
    /** Other owners may have had our partitions. */
    reset: (): void => windows.clear(),
  }
}

function isOver(counts: Map<string, number>, name: string, max: number | undefined): boolean {
  if (max === undefined) return false
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count > max
}

export interface MonitorLimits extends Quotas {
  /** Records of a chunk. */
  readonly chunkEventsMax: number
  readonly eventBytesMax: number
  readonly casAttemptsMax: number
  /** A session without events ends after this. */
  readonly idleTtlMs: number
  readonly endedTtlMs: number
  /** Most records of a partition that are replayed when the store has lost data. */
  readonly rebuildEventsMax: number
  /** Bounds of a replay for sessions that are moved to another policy. */
  readonly warmStartRecordsMax: number
  readonly warmStartMillisMax: number
  readonly warmStartSessionsMax: number
  /** How often due deadlines are published. */
  readonly deadlinesEveryMs: number
  /** How long the group waits for a silent monitor before it reassigns its partitions. */
  readonly sessionTimeoutMs: number
  /** Differences of a candidate written within a second; all are counted. */
  readonly shadowRecordsPerSecondMax: number
  /** Sessions tracked for a candidate's specs, and the cells of all of them together. */
  readonly shadowSessionsMax: number
  readonly shadowCellsMax: number
}

export const MONITOR_LIMITS = {
  chunkEventsMax: 256,
  eventBytesMax: 256 * 1024,
  casAttemptsMax: 5,
  idleTtlMs: 24 * 3_600_000,
  endedTtlMs: 3_600_000,
  rebuildEventsMax: 1_000_000,
  warmStartRecordsMax: 100_000,
  warmStartMillisMax: 5_000,
  warmStartSessionsMax: 20_000,
  deadlinesEveryMs: 1_000,
  sessionTimeoutMs: 10_000,
  shadowRecordsPerSecondMax: 100,
  shadowSessionsMax: 20_000,
  shadowCellsMax: 4_000_000,
  sessionEventsPerSecondMax: 200,
} as const satisfies MonitorLimits
