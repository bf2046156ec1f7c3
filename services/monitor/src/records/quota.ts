import { tenantOf } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/** Most events of one second of the log's clock, in a partition. Unbounded where one is left out. */
export interface Quotas {
  readonly sessionEventsPerSecondMax?: number | undefined
  readonly tenantEventsPerSecondMax?: number | undefined
}

/** Whose quota a record is over. */
export type QuotaScope = 'session' | 'tenant'

/**
 * Counts records by the append times that they have. What a redelivered record was told before it is told again, as long as it has
 * not been settled. Source: docs/decisions/20261122-tenants-and-quotas.md.
 */
export interface QuotaGate {
  /** Takes the partition's next record; undefined where it is within its quotas. */
  scopeOver(record: LogRecord): QuotaScope | undefined
  /** Everything up to here in the partition is committed and will not come again. */
  settle(partition: number): void
  /** The partitions may have been another's meanwhile. */
  reset(): void
}

interface Window {
  second: number
  countedTo: bigint
  readonly sessions: Map<string, number>
  readonly tenants: Map<string, number>
  /** Offsets that were over, with whose quota it was. */
  readonly over: Map<bigint, QuotaScope>
}

export function createQuotaGate({ sessionEventsPerSecondMax, tenantEventsPerSecondMax }: Quotas): QuotaGate {
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
    scopeOver: ({ partition, offset, timeMs, key }) => {
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
    settle: (partition) => windows.get(partition)?.over.clear(),
    reset: () => windows.clear(),
  }
}

function isOver(counts: Map<string, number>, name: string, max: number | undefined): boolean {
  if (max === undefined) return false
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count > max
}

export interface MonitorLimits extends Quotas {
  /** Records carried through the delivery order at a time. */
  readonly chunkEventsMax: number
  readonly eventBytesMax: number
  readonly casAttemptsMax: number
  /** A session that is heard of no more ends after this. */
  readonly idleTtlMs: number
  readonly endedTtlMs: number
  /** Records of a partition that are read back at most, where the store has lost something. */
  readonly rebuildEventsMax: number
  /** Where running sessions are moved to another policy: what is read back of a partition to build what its specs remember of them. */
  readonly warmStartRecordsMax: number
  readonly warmStartMillisMax: number
  readonly warmStartSessionsMax: number
  /** How often it is looked for what has come due. */
  readonly deadlinesEveryMs: number
  /** How long the group waits for a silent monitor before another takes its partitions. */
  readonly sessionTimeoutMs: number
  /** Differences of a candidate that are written within a second; all are counted. */
  readonly shadowRecordsPerSecondMax: number
  /** Sessions that a candidate's specs follow at a time, and the numbers that they remember of all of them together. */
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
