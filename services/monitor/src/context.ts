import type { Sessions } from './fold/sessions.js'
import type { Topics } from '@plimsoll/contracts'
import type { ControlView } from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'
import type { Clock, EventLog, LogRecord, Logger, SessionStore } from '@plimsoll/runtime'
import type { PartitionControls } from './controls/partition-controls.js'
import type { HeldControls } from './controls/record.js'
import type { IsCounted } from './fold/counting.js'
import type { Warmth } from './fold/fold.js'
import type { Lifetimes } from './fold/lifetime.js'
import type { MonitorMetrics } from './metrics/index.js'
import type { Held, StoredProgress } from './records/progress.js'
import type { ValidatedRecord } from './records/validate.js'
import type { MonitorRegistry } from './registry.js'
import type { ShadowComparison } from './shadow/index.js'

/** What folding and storing needs, live as well as in a rebuild. */
export interface StoreContext {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  /** Of the events topic. */
  readonly partitions: number
  readonly rulesCache: RulesCache
  readonly controls: PartitionControls
  readonly lifetimes: Lifetimes
  readonly isCounted: IsCounted
  readonly warmStart: WarmStart
  readonly casAttemptsMax: number
  readonly chunkEventsMax: number
  /** Records that are read back at most of a partition. */
  readonly rebuildEventsMax: number
  readonly logger: Logger
}

/** The points between two steps of the delivery order, where a test may end the process. */
export const ARROWS = ['decoded', 'loaded', 'folded', 'stored', 'produced', 'committed'] as const
export type Arrow = (typeof ARROWS)[number]

export interface ChunkContext extends StoreContext {
  readonly registry: MonitorRegistry
  /** Reads the registry again unless that was done lately; tells whether it did. */
  readonly refreshRarely: () => Promise<boolean>
  /** Signs what the partitions report; without it no control change is ever admitted. */
  readonly signingKey: string | undefined
  /** Takes records as they come, behind the quotas. */
  readonly validateNext: (record: LogRecord) => ValidatedRecord
  readonly metrics: MonitorMetrics
  readonly shadow: Pick<ShadowComparison, 'compare'>
  readonly clock: Clock
  readonly onArrow: (arrow: Arrow) => void
}

/** Builds what the specs of a policy remember of the sessions that are moved to it. Source: docs/decisions/20261121-pinning.md. */
export interface WarmStart {
  /** Reads the log back where one of `held` moves, once for a change of a partition; bounded. */
  prepare(order: WarmOrder): Promise<Warmth>
  /** Other owners may have had our partitions. */
  reset(): void
}

export interface WarmOrder extends Pick<HistoryOrder, 'partition' | 'upTo' | 'timeMs' | 'isOwned'> {
  readonly held: readonly Held[]
  readonly view: ControlView
  readonly controls: HeldControls
}

export interface HistoryOrder {
  readonly partition: number
  /** Exclusive. */
  readonly upTo: bigint
  /** Append time there. */
  readonly timeMs: number
  /** What stands at `upTo`. */
  readonly controls: HeldControls
  readonly admit: (record: LogRecord) => ValidatedRecord
  readonly isOwned: () => boolean
  readonly clock: Clock
  /** Bounds: records back from `upTo`, milliseconds from the first record on, sessions that live at a time. */
  readonly recordsMax: number
  readonly millisMax: number
  readonly sessionsMax: number
}

/** A piece of a partition's log, with the sessions in it. */
export interface Chunk {
  readonly partition: number
  readonly first: bigint
  readonly last: bigint
  /** Append time of the first record, and the latest of all. */
  readonly firstTimeMs: number
  readonly latestTimeMs: number
  /** False once the partition is another's. */
  readonly isOwned: () => boolean
  readonly sessions: Sessions
}

/** Finds out what the store has lost before a chunk is folded, and reads it back from the log. */
export interface ReadBack {
  /** Rebuilds the partition where the store is not as far as the chunk; tells whether it did. */
  catchUp(chunk: Chunk, stored: StoredProgress): Promise<boolean>
  /** Looks for the beginning of sessions that have no readable record; tells whether it has read. */
  findMissing(chunk: Chunk, stored: StoredProgress, held: readonly Held[]): Promise<boolean>
  /** The chunk is in the store. */
  done(chunk: Pick<Chunk, 'partition' | 'last'>): void
  /** Other owners may have had our partitions. */
  reset(): void
}
