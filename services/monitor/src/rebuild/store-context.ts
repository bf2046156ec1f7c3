import type { Topics } from '@plimsoll/contracts'
import { type RulesCache, createRulesCache } from '@plimsoll/policy'
import type { Clock, EventLog, LogRecord, Logger, SessionStore } from '@plimsoll/runtime'
import { type PartitionControls, createPartitionControls } from '../controls/partition-controls.js'
import type { HeldControls } from '../controls/record.js'
import { type Counting, type IsCounted, createIsCounted } from '../fold/counting.js'
import type { Lifetimes } from '../fold/fold.js'
import { type IdentitySettings, identityRulesOf } from '../records/identity.js'
import type { MonitorLimits } from '../records/quota.js'
import { type AdmissionRules, type ValidatedRecord, validateRecord } from '../records/validate.js'
import type { MonitorRegistry } from '../registry.js'
import type { RuleDocuments } from '../rule-documents.js'
import { type WarmStart, createWarmStart } from './warm-start.js'

/** What folding and storing needs, in a running monitor and in a rebuild. */
export interface StoreContext {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  /** Partitions of the events topic. */
  readonly partitions: number
  readonly rulesCache: RulesCache
  readonly controls: PartitionControls
  readonly lifetimes: Lifetimes
  readonly isCounted: IsCounted
  readonly warmStart: WarmStart
  readonly limits: MonitorLimits
  readonly logger: Logger
  readonly clock: Clock
  readonly admission: AdmissionRules
  readonly admit: (record: LogRecord) => ValidatedRecord
}

export interface StoreContextOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly partitions: number
  readonly registry: MonitorRegistry
  readonly signingKey?: string | undefined
  readonly identity?: IdentitySettings | undefined
  readonly limits: MonitorLimits
  readonly counting?: Counting
  readonly logger: Logger
  readonly clock: Clock
  /** Called with the controls of a partition when they are read or change. */
  readonly onControls?: (partition: number, held: HeldControls, rulesCache: RulesCache) => void
}

export function createStoreContext(options: StoreContextOptions): StoreContext {
  const { log, store, topics, partitions, registry, signingKey, limits, logger, clock } = options
  const rulesCache = createRulesCache({ defaults: options.documents, document: registry.document })
  const { eventBytesMax } = limits
  const identity = identityRulesOf(options.identity, limits)
  const admission = { eventBytesMax, signingKey, identity, partitions }
  const admit = (record: LogRecord) => validateRecord(record, admission)
  const lifetimes = { ...limits, withDeadlines: signingKey !== undefined }
  return {
    log,
    store,
    topics,
    partitions,
    rulesCache,
    controls: createPartitionControls({
      store,
      registry,
      logger,
      onChanged: (partition, held) => options.onControls?.(partition, held, rulesCache),
    }),
    lifetimes,
    isCounted: createIsCounted(options.counting),
    warmStart: createWarmStart({ log, topics, rulesCache, lifetimes, limits, logger, clock, admit }),
    limits,
    logger,
    clock,
    admission,
    admit,
  }
}
