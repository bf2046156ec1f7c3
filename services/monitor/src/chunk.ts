import { PlimsollError, type Topics } from '@plimsoll/contracts'
import type { Batch, Clock, EventLog, LogRecord, SessionStore, StoredRecord } from '@plimsoll/runtime'
import { admit, type Admitted, type AdmissionRules } from './admit.js'
import { outgoingOf, type Answered } from './emission.js'
import { foldSession, type Folded, type FoldRules, type SessionEvent } from './fold.js'
import type { MonitorMetrics } from './metrics.js'

/** The points between two steps of the delivery order, where a test may end the process. */
export const ARROWS = ['decoded', 'loaded', 'folded', 'stored', 'produced', 'committed'] as const
export type Arrow = (typeof ARROWS)[number]

export interface ChunkContext {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  readonly admission: AdmissionRules
  readonly folding: FoldRules
  readonly casAttemptsMax: number
  readonly metrics: MonitorMetrics
  readonly clock: Clock
  readonly onArrow: (arrow: Arrow) => void
}

/** The sessions of a chunk with their events, in log order. */
type Sessions = ReadonlyMap<string, readonly SessionEvent[]>

/**
 * Carries one chunk of a partition through the delivery order up to the commit; what it gives back trims the outboxes and may run
 * behind. Source: docs/decisions/20261121-delivery-order.md.
 */
export async function processChunk(
  context: ChunkContext,
  batch: Batch,
  records: readonly LogRecord[],
): Promise<() => Promise<void>> {
  const { log, metrics, topics, onArrow } = context
  const first = records[0]
  const last = records.at(-1)
  if (!first || !last) return async () => {}
  const admitted = records.map((record) => admit(record, context.admission))
  const sessions = bySession(admitted)
  onArrow('decoded')
  const stored = await storeSessions(context, sessions, first.offset)
  const answered = inLogOrder([...refusalsOf(admitted), ...answersOf(sessions, stored)])
  onArrow('stored')
  await Promise.all(outgoingOf(answered, topics).map(({ topic, records }) => log.produce(topic, records)))
  const now = context.clock.now()
  onArrow('produced')
  await batch.commit(last.offset)
  onArrow('committed')
  metrics.chunkDone({ batch, lastOffset: last.offset, admitted, folded: [...stored.values()], answered, now })
  return () => context.store.trim(writtenWithOutbox(stored))
}

/**
 * load → fold → compare-and-set, again for the sessions whose write was refused because another owner was faster. Nothing of a
 * refused fold is given back.
 */
async function storeSessions(
  context: ChunkContext,
  sessions: Sessions,
  chunkStart: bigint,
): Promise<Map<string, Folded>> {
  const done = new Map<string, Folded>()
  let open = [...sessions.keys()]
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === context.casAttemptsMax)
      throw new PlimsollError('contended', `${open.length} sessions are written by another owner as well`)
    const folded = await foldSessions(context, sessions, open, chunkStart)
    open = await storeFolded(context, folded, done)
    context.metrics.conflicts(open.length)
  }
  return done
}

async function foldSessions(
  { store, folding, metrics, onArrow }: ChunkContext,
  sessions: Sessions,
  ids: readonly string[],
  chunkStart: bigint,
): Promise<ReadonlyMap<string, Folded>> {
  const loaded = await metrics.timed('load', () => store.load(ids))
  onArrow('loaded')
  const fold = (id: string, record: StoredRecord | undefined) =>
    metrics.folding(() => foldSession(id, record, sessions.get(id) ?? [], chunkStart, folding))
  const folded = new Map(ids.map((id, i) => [id, fold(id, loaded[i])]))
  onArrow('folded')
  return folded
}

/** Puts what is stored into `done`; gives the sessions whose write was refused. */
async function storeFolded(
  { store, metrics }: ChunkContext,
  folded: ReadonlyMap<string, Folded>,
  done: Map<string, Folded>,
): Promise<string[]> {
  const writes = [...folded.values()].flatMap(({ write }) => (write ? [write] : []))
  const answers = writes.length > 0 ? await metrics.timed('store', () => store.compareAndSet(writes)) : []
  const refused = writes.filter((_, i) => answers[i] !== true).map(({ id }) => id)
  const isRefused = new Set(refused)
  for (const [id, each] of folded) if (!isRefused.has(id)) done.set(id, each)
  return refused
}

function bySession(admitted: readonly Admitted[]): Map<string, SessionEvent[]> {
  const sessions = new Map<string, SessionEvent[]>()
  for (const each of admitted) {
    if (each.kind !== 'event') continue
    const events = sessions.get(each.event.sessionId)
    if (events) events.push(each)
    else sessions.set(each.event.sessionId, [each])
  }
  return sessions
}

/** Answers that need no session: faults of the record itself. */
function refusalsOf(admitted: readonly Admitted[]): Answered[] {
  return admitted.flatMap((each) => {
    if (each.kind !== 'fault') return []
    const { record, fault, refusal } = each
    const emission = { offset: record.offset, decision: refusal && JSON.stringify(refusal), fault }
    return [{ record, emission, sessionId: refusal?.sessionId ?? null }]
  })
}

function answersOf(sessions: Sessions, stored: ReadonlyMap<string, Folded>): Answered[] {
  const answered: Answered[] = []
  for (const [sessionId, events] of sessions) {
    const records = new Map(events.map(({ record }) => [record.offset, record]))
    for (const emission of stored.get(sessionId)?.emissions ?? []) {
      const record = records.get(emission.offset)
      if (record) answered.push({ record, emission, sessionId })
    }
  }
  return answered
}

const inLogOrder = (answered: Answered[]): Answered[] =>
  answered.sort((a, b) => Number(a.record.offset - b.record.offset))

function writtenWithOutbox(stored: ReadonlyMap<string, Folded>): { id: string; revision: number }[] {
  return [...stored.values()].flatMap(({ write }) =>
    write && write.outbox !== '' ? [{ id: write.id, revision: write.expected + 1 }] : [],
  )
}
