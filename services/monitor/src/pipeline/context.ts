import type { Topics } from '@plimsoll/contracts'
import type { RulesCache } from '@plimsoll/policy'
import type { Clock, EventLog, LogRecord, Logger, SessionStore } from '@plimsoll/runtime'
import type { PartitionControls } from '../controls/partition-controls.js'
import type { IsCounted } from '../fold/counting.js'
import type { Lifetimes } from '../fold/lifetime.js'
import type { MonitorMetrics } from '../metrics/index.js'
import type { WarmStart } from '../rebuild/warm-start.js'
import type { MonitorRegistry } from '../registry.js'
import type { ShadowComparison } from '../shadow/index.js'
import type { ValidatedRecord } from './validate.js'

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
