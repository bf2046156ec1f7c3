import { SECONDS_BUCKETS, type Batch, type Counter, type Metrics } from '@plimsoll/runtime'
import type { Admitted } from './admit.js'
import type { Answered } from './emission.js'
import type { Folded } from './fold.js'

/** What the monitor measures; its steps call these and hold no metric themselves. */
export interface MonitorMetrics {
  /** Runs `work`, a round trip to the session store, and takes its time. */
  timed<T>(operation: 'load' | 'store' | 'trim', work: () => Promise<T>): Promise<T>
  /** Runs `work`, which folds the events that a session has in a chunk, and takes its time. */
  folding(work: () => Folded): Folded
  conflicts(count: number): void
  /** A batch has come: from now on its records are behind. */
  batchTaken(batch: Pick<Batch, 'partition' | 'records' | 'endOffset'>): void
  /** The partitions that are ours now; of others we know no lag. */
  assigned(partitions: readonly number[]): void
  chunkDone(done: ChunkDone): void
  retried(code: string): void
  ready(isReady: boolean): void
}

export interface ChunkDone {
  readonly batch: Pick<Batch, 'partition' | 'endOffset'>
  readonly lastOffset: bigint
  readonly admitted: readonly Admitted[]
  readonly folded: readonly Folded[]
  readonly answered: readonly Answered[]
  /** The moment after the decisions were produced, milliseconds since 1970. */
  readonly now: number
}

const COUNT_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
const FOLD_BUCKETS = [1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 1e-2]

export function createMonitorMetrics(metrics: Metrics): MonitorMetrics {
  const made = instruments(metrics)
  const lagging = new Set<number>()
  const setLag = (partition: number, records: bigint) => {
    lagging.add(partition)
    made.lag.set({ partition: String(partition) }, Number(records))
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
      if (first) setLag(partition, endOffset - first.offset)
    },
    assigned(partitions) {
      for (const partition of lagging) if (!partitions.includes(partition)) setLag(partition, 0n)
    },
    conflicts(count) {
      if (count > 0) made.conflicts.inc({}, count)
    },
    chunkDone(done) {
      made.chunk.observe({}, done.admitted.length)
      setLag(done.batch.partition, done.batch.endOffset - done.lastOffset - 1n)
      for (const each of done.admitted) countAdmitted(each, made)
      for (const each of done.folded) countFolded(each, made)
      for (const { emission, record } of done.answered) {
        if (emission.fault) made.deadLetters.inc({ code: emission.fault.code })
        if (emission.decision !== undefined)
          made.endToEnd.observe({}, Math.max(0, done.now - record.timeMs) / 1000)
      }
    },
    retried: (code) => made.retries.inc({ code }),
    ready: (isReady) => made.ready.set({}, isReady ? 1 : 0),
  }
}

function countAdmitted(
  admitted: Admitted,
  made: { events: Counter<'type'>; decisions: Counter<'verdict' | 'category' | 'kind'> },
): void {
  made.events.inc({ type: admitted.kind === 'event' ? admitted.event.type : 'invalid' })
  if (admitted.kind === 'fault' && admitted.refusal)
    made.decisions.inc({ verdict: 'block', category: 'none', kind: 'refusal' })
}

/** Only what was folded anew is counted: a redelivered event was counted when it was folded first. */
function countFolded(
  folded: Folded,
  made: { decisions: Counter<'verdict' | 'category' | 'kind'>; passedOver: Counter },
): void {
  for (const { decision } of folded.outcomes) {
    if (!decision) continue
    const category = decision.risk?.category ?? 'none'
    made.decisions.inc({ verdict: decision.verdict, category, kind: decision.kind })
  }
  if (folded.passedOver > 0) made.passedOver.inc({}, folded.passedOver)
}

function instruments(metrics: Metrics) {
  const seconds = { buckets: SECONDS_BUCKETS }
  return {
    events: metrics.counter({
      name: 'events_total',
      help: 'Records taken from the events topic, by type.',
      labels: ['type'],
    }),
    decisions: metrics.counter({
      name: 'decisions_total',
      help: 'Decisions made, by verdict, category of the chain and kind.',
      labels: ['verdict', 'category', 'kind'],
    }),
    deadLetters: metrics.counter({
      name: 'dead_letters_total',
      help: 'Events set aside, by error code.',
      labels: ['code'],
    }),
    passedOver: metrics.counter({
      name: 'events_passed_over_total',
      help: 'Redelivered events with nothing left to answer.',
    }),
    conflicts: metrics.counter({
      name: 'store_conflicts_total',
      help: 'Compare-and-sets refused because another owner was faster.',
    }),
    retries: metrics.counter({
      name: 'batch_retries_total',
      help: 'Batches taken again after an error, by its code.',
      labels: ['code'],
    }),
    decide: metrics.histogram({
      name: 'decision_seconds',
      help: 'Time to fold one event, mean of those its session has in a chunk.',
      buckets: FOLD_BUCKETS,
    }),
    endToEnd: metrics.histogram({
      name: 'end_to_end_seconds',
      help: "From an event's append to its decision's.",
      ...seconds,
    }),
    store: metrics.histogram({
      name: 'store_seconds',
      help: 'Round trips to the session store.',
      labels: ['operation'],
      ...seconds,
    }),
    chunk: metrics.histogram({
      name: 'chunk_events',
      help: 'Records carried through the delivery order at a time.',
      buckets: COUNT_BUCKETS,
    }),
    lag: metrics.gauge({
      name: 'lag_events',
      help: 'Records behind the last one done, by partition.',
      labels: ['partition'],
    }),
    ready: metrics.gauge({ name: 'ready', help: '1 while the monitor consumes and its store answers.' }),
  }
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000
