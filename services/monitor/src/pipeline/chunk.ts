import { type ControlView, modeOf } from '@plimsoll/engine'
import { type Batch, type LogRecord, revisionAfter } from '@plimsoll/runtime'
import type { Folded } from '../fold/fold.js'
import { type Chunk, type Sessions, bySession } from '../fold/sessions.js'
import type { ReadBack } from '../rebuild/read-back.js'
import { type Answered, outgoingOf } from '../records/emission.js'
import type { EventsCut, InvalidRecord } from '../records/validate.js'
import { type ChunkContext, storeChunk } from './store-chunk.js'

/**
 * Carries one chunk of a partition through the delivery order up to the commit. Returns the function that trims the outboxes, which may run
 * later. Source: docs/decisions/20261121-delivery-order.md.
 */
export async function processChunk(
  context: ChunkContext,
  readBack: ReadBack,
  batch: Batch,
  cut: EventsCut,
): Promise<() => Promise<void>> {
  const { log, metrics, topics, onArrow } = context
  const chunk = chunkOf(
    batch,
    cut.admitted.map(({ record }) => record),
    bySession(cut.admitted),
  )
  onArrow('decoded')
  const { folded: stored, view } = await storeChunk(context, readBack, chunk)
  const admitted = cut.admitted.map((each) => (each.kind === 'fault' ? modeForFault(view, each) : each))
  const faults = admitted.filter((each) => each.kind === 'fault')
  const answered = inLogOrder([...refusalsOf(faults), ...answersOf(chunk.sessions, stored)])
  onArrow('stored')
  await Promise.all(outgoingOf(answered, topics).map(({ topic, records }) => log.produce(topic, records)))
  const now = context.clock.now()
  onArrow('produced')
  await batch.commit(chunk.last)
  onArrow('committed')
  metrics.chunkDone({ batch, lastOffset: chunk.last, admitted, folded: stored, answered, now })
  context.shadow.compare(view, stored.values())
  return () => context.store.trim(writtenWithOutbox(stored))
}

/** The chunk of `records`, which must not be empty. */
export function chunkOf(
  { partition, isOwned }: Pick<Batch, 'partition' | 'isOwned'>,
  records: readonly LogRecord[],
  sessions: Sessions,
): Chunk {
  const first = records[0]
  const last = records.at(-1)
  if (!first || !last) throw new RangeError('expected at least one record')
  return {
    partition,
    first: first.offset,
    last: last.offset,
    firstTimeMs: first.timeMs,
    latestTimeMs: records.reduce((latest, { timeMs }) => Math.max(latest, timeMs), 0),
    sessions,
    isOwned,
  }
}

/** In observe mode a refused step still runs. Only the tenant of its agent is known. */
function modeForFault(view: ControlView, admitted: InvalidRecord): InvalidRecord {
  const { refusal } = admitted
  if (!refusal) return admitted
  return { ...admitted, refusal: { ...refusal, mode: modeOf(view.factsFor(refusal.tenant, '')) } }
}

/** Answers to faults of the record itself, which need no session. */
function refusalsOf(faults: readonly InvalidRecord[]): Answered[] {
  return faults.map(({ record, fault, refusal }) => {
    const emission = { offset: record.offset, decision: refusal && JSON.stringify(refusal), fault }
    return { record, emission, sessionId: refusal?.sessionId ?? null }
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
  const written: { id: string; revision: number }[] = []
  for (const { write } of stored.values())
    if (write && write.outbox !== '') written.push({ id: write.id, revision: revisionAfter(write.expected) })
  return written
}
