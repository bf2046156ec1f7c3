import type { Quotas } from './quota.js'

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
