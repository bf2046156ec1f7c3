import type { PlimsollError, Topics } from '@plimsoll/contracts'
import type { Clock, EventLog, Logger, Metrics, SessionStore } from '@plimsoll/runtime'
import type { Arrow } from './context.js'
import type { Counting } from './counting.js'
import type { DeadlineArrow } from './deadlines/lookout.js'
import type { IdentitySettings } from './identity.js'
import type { MonitorLimits } from './limits.js'
import type { RuleDocuments } from './rule-documents.js'

export interface MonitorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  /** What is there without a registry; the first are what new sessions get until a control change says otherwise. */
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly group: string
  /** Verifies internal events and control changes, without it each of them is refused; and signs deadlines, without it there are none. */
  readonly signingKey?: string | undefined
  /** Who agents are; without, whatever they say is taken. */
  readonly identity?: IdentitySettings | undefined
  /** Makes missing topics with so many partitions and replicas (the log's default); where this is left out they must be there. */
  readonly create?: { readonly partitions: number; readonly replicas?: number } | undefined
  readonly limits?: Partial<MonitorLimits>
  /** All sessions are counted where it is left out. */
  readonly counting?: Counting
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Told when it cannot go on: `log_changed`, `record_too_new`, `config_invalid`. The process should end. */
  readonly onFatal?: (error: PlimsollError) => void
  /** For tests of the delivery order. */
  readonly onArrow?: (arrow: Arrow) => void
  /** For tests of what comes due. */
  readonly onDeadlineArrow?: (arrow: DeadlineArrow) => void
}
