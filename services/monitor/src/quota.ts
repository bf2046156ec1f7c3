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
