import type { ControlType, Versions } from '@plimsoll/contracts'
import type { Batch, DueKind, Metrics } from '@plimsoll/runtime'
import type { HeldControls } from '../controls/record.js'
import type { Folded } from '../fold/fold.js'
import type { Answered } from '../records/emission.js'
import type { ValidatedRecord } from '../records/validate.js'
import type { ShadowCounts } from '../shadow/index.js'
import { type PartitionGauges, createPartitionGauges } from './partition-gauges.js'
import { createSessionCounts } from './sessions.js'
import { createShadowCounts } from './shadow.js'
import { createInstruments } from './specs.js'

export { MONITOR_METRICS } from './specs.js'

/** What the monitor measures; its steps call these and hold no metric themselves. */
export interface MonitorMetrics {
  /** Runs `work`, a round trip to the session store, and takes its time. */
  timed<T>(operation: 'load' | 'store' | 'trim' | 'fleet', work: () => Promise<T>): Promise<T>
  /** Runs `work`, which folds the events that a session has in a chunk, and takes its time. */
  folding(work: () => Folded): Folded
  conflicts(count: number): void
  /** A batch has come: from now on its records are behind. */
  batchTaken(batch: Pick<Batch, 'partition' | 'records' | 'endOffset'>): void
  /** The partitions that are ours now; of others we know nothing. */
  assigned(partitions: readonly number[]): void
  chunkDone(done: ChunkDone): void
  controlTaken(type: ControlType, isApplied: boolean): void
  controlsStand(partition: number, held: HeldControls, defaults: Versions): void
  /** Of the candidate beside the active bundle. */
  readonly shadow: ShadowCounts
  dueCounted: PartitionGauges['sessions']
  deadlinesPublished(kind: DueKind, count: number): void
  rebuilt(why: 'flushed' | 'behind' | 'missing', sessions: number): void
  /** So many records were read back for sessions that move to another policy. */
  warmStartRead(records: number): void
  documentRefused(reason: string): void
  retried(code: string): void
  ready(isReady: boolean): void
}

export interface ChunkDone {
  readonly batch: Pick<Batch, 'partition' | 'endOffset'>
  readonly lastOffset: bigint
  readonly admitted: readonly ValidatedRecord[]
  readonly folded: ReadonlyMap<string, Folded>
  readonly answered: readonly Answered[]
  /** The moment after the decisions were produced, milliseconds since 1970. */
  readonly now: number
}

export function createMonitorMetrics(metrics: Metrics): MonitorMetrics {
  const made = createInstruments(metrics)
  const sessions = createSessionCounts(made)
  const status = createPartitionGauges(made)

  const countAdmitted = (admitted: ValidatedRecord) => {
    made.events.inc({ type: typeOf(admitted) })
    if (admitted.kind === 'event' && admitted.isUnproved === true)
      made.unproved.inc({ type: admitted.event.type })
    if (admitted.kind !== 'fault') return
    if (admitted.refusal) sessions.decided(admitted.refusal)
    if (admitted.scope) made.quotaRefusals.inc({ scope: admitted.scope })
  }

  return {
    async timed(operation, work) {
      const start = performance.now()
      const result = await work()
      made.store.observe({ operation }, secondsSince(start))
      return result
    },
    folding(work) {
      const start = performance.now()
      const folded = work()
      const { length } = folded.outcomes
      const seconds = secondsSince(start) / length
      for (let i = 0; i < length; i++) made.decide.observe({}, seconds)
      return folded
    },
    batchTaken({ partition, records, endOffset }) {
      const [first] = records
      if (first) status.lag(partition, endOffset - first.offset)
    },
    assigned: status.assigned,
    conflicts(count) {
      if (count > 0) made.conflicts.inc({}, count)
    },
    chunkDone(done) {
      made.chunk.observe({}, done.admitted.length)
      status.lag(done.batch.partition, done.batch.endOffset - done.lastOffset - 1n)
      for (const each of done.admitted) countAdmitted(each)
      for (const each of done.folded.values()) {
        sessions.folded(each)
        if (each.warmed) made.warmStarts.inc({ from: each.warmed })
      }
      sessions.settle()
      for (const { emission, record } of done.answered) {
        if (emission.fault) made.deadLetters.inc({ code: emission.fault.code })
        if (emission.decision !== undefined)
          made.endToEnd.observe({}, Math.max(0, done.now - record.timeMs) / 1000)
      }
    },
    controlTaken: (type, isApplied) =>
      made.controls.inc({ type, outcome: isApplied ? 'applied' : 'refused' }),
    controlsStand: status.controls,
    shadow: createShadowCounts(made),
    dueCounted: status.sessions,
    deadlinesPublished: (kind, count) => made.deadlines.inc({ kind }, count),
    rebuilt: (why, count) => {
      made.rebuilds.inc({ why })
      made.rebuiltSessions.inc({}, count)
    },
    warmStartRead: (records) => made.warmStartRecords.inc({}, records),
    documentRefused: (reason) => made.documentsRefused.inc({ reason }),
    retried: (code) => made.retries.inc({ code }),
    ready: (isReady) => made.ready.set({}, isReady ? 1 : 0),
  }
}

function typeOf(admitted: ValidatedRecord): string {
  if (admitted.kind === 'event') return admitted.event.type
  return admitted.kind === 'control' ? admitted.control.type : 'invalid'
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000
