import type { ControlType } from '@plimsoll/contracts'
import type { Batch, DueKind, Metrics } from '@plimsoll/runtime'
import type { Folded } from '../fold/fold.js'
import type { Answered } from '../records/emission.js'
import type { ValidatedRecord } from '../records/validate.js'
import type { ShadowCounts } from '../shadow/index.js'
import { createPartitionGauges } from './partition-gauges.js'
import { createSessionCounts } from './sessions.js'
import { type MonitorInstruments, createBoundedLabel, createInstruments } from './specs.js'

export { MONITOR_METRICS } from './specs.js'

export interface ChunkDone {
  readonly batch: Pick<Batch, 'partition' | 'endOffset'>
  readonly lastOffset: bigint
  readonly admitted: readonly ValidatedRecord[]
  readonly folded: ReadonlyMap<string, Folded>
  readonly answered: readonly Answered[]
  /** When the decisions had been produced, milliseconds since 1970. */
  readonly now: number
}

export type MonitorMetrics = ReturnType<typeof createMonitorMetrics>

/** What the monitor measures: its parts call these functions and hold no metric themselves. */
export function createMonitorMetrics(metrics: Metrics) {
  const made = createInstruments(metrics)
  const sessions = createSessionCounts(made)
  const status = createPartitionGauges(made)

  const countAdmitted = (admitted: ValidatedRecord) => {
    made.events.inc({ type: typeOf(admitted) })
    if (admitted.kind === 'event' && admitted.isUnproved === true)
      made.unproved.inc({ type: admitted.event.type })
    if (admitted.kind === 'event' && admitted.droppedSignals !== undefined)
      made.unknownSignals.inc({ type: admitted.event.type }, admitted.droppedSignals)
    if (admitted.kind !== 'fault') return
    if (admitted.refusal) sessions.decided(admitted.refusal)
    if (admitted.scope) made.quotaRefusals.inc({ scope: admitted.scope })
  }

  return {
    /** Measures `work`, a round trip to the session store. */
    async timed<T>(operation: 'load' | 'store' | 'trim' | 'fleet', work: () => Promise<T>): Promise<T> {
      const start = performance.now()
      const result = await work()
      made.store.observe({ operation }, secondsSince(start))
      return result
    },
    /** Measures `work`, which folds the events of one session in a chunk. */
    folding(work: () => Folded): Folded {
      const start = performance.now()
      const folded = work()
      const { length } = folded.outcomes
      const seconds = secondsSince(start) / length
      for (let i = 0; i < length; i++) made.decide.observe({}, seconds)
      return folded
    },
    batchTaken({ partition, records, endOffset }: Pick<Batch, 'partition' | 'records' | 'endOffset'>): void {
      const [first] = records
      if (first) status.lag(partition, endOffset - first.offset)
    },
    assigned: status.assigned,
    conflicts(count: number): void {
      if (count > 0) made.conflicts.inc({}, count)
    },
    chunkDone(done: ChunkDone): void {
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
    controlTaken: (type: ControlType, isApplied: boolean) =>
      made.controls.inc({ type, outcome: isApplied ? 'applied' : 'refused' }),
    controlsStand: status.controls,
    shadow: createShadowCounts(made),
    dueCounted: status.sessions,
    deadlinesPublished: (kind: DueKind, count: number) => made.deadlines.inc({ kind }, count),
    rebuilt: (why: 'flushed' | 'behind' | 'missing') => made.rebuilds.inc({ why }),
    documentRefused: (reason: string) => made.documentsRefused.inc({ reason }),
    retried: (code: string) => made.retries.inc({ code }),
    ready: (isReady: boolean) => made.ready.set({}, isReady ? 1 : 0),
  }
}

function typeOf(admitted: ValidatedRecord): string {
  if (admitted.kind === 'event') return admitted.event.type
  return admitted.kind === 'control' ? admitted.control.type : 'invalid'
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000

/** Candidates with series of their own; each has some twenty. */
const CANDIDATES_MAX = 10
/** Specs and other causes with series of their own. */
const CAUSES_MAX = 100

function createShadowCounts(made: MonitorInstruments): ShadowCounts {
  const candidateLabel = createBoundedLabel(CANDIDATES_MAX)
  const causeLabel = createBoundedLabel(CAUSES_MAX)
  return {
    compared: ({ name, shadow: { active, candidate }, change }) => {
      const version = candidateLabel(name)
      made.shadowSteps.inc({ version, active: active.verdict, candidate: candidate.verdict })
      made.shadowDifference.inc({ version }, Math.abs(candidate.probability - active.probability))
      if (!change) return
      for (const { source, code, how } of change.causes)
        made.shadowChanges.inc({ version, cause: causeLabel(`${source}:${code}`), how, change: change.kind })
    },
    failed: (candidate, reason) => made.shadowErrors.inc({ version: candidateLabel(candidate), reason }),
    skipped: (candidate) => made.shadowSkipped.inc({ version: candidateLabel(candidate) }),
    dropped: (count) => made.shadowDropped.inc({}, count),
  }
}
