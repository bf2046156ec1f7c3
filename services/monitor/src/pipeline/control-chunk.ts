import { type Fault, registryKey } from '@plimsoll/contracts'
import { type Batch, revisionAfter } from '@plimsoll/runtime'
import { foldControl } from '../controls/fold.js'
import { type HeldControls, controlsIdOf, controlsWrite, faultIn, reportOf } from '../controls/record.js'
import type { Chunk } from '../fold/sessions.js'
import type { ReadBack } from '../rebuild/read-back.js'
import { outgoingOf } from '../records/emission.js'
import { NO_OFFSET, contended, progressIdOf, readProgress } from '../records/progress.js'
import type { ValidControl } from '../records/validate.js'
import { chunkOf } from './chunk.js'
import { type ChunkContext, nextProgress } from './store-chunk.js'

/** A control change, applied or refused. */
interface Taken {
  readonly held: HeldControls
  /** Why it was refused; undefined if it was applied. */
  readonly fault: Fault | undefined
  /** False if it was folded earlier. */
  readonly isNew: boolean
}

/**
 * Carries a control change through the delivery order, as `processChunk` does sessions: its report is the outbox. Source:
 * docs/decisions/20261122-controls.md.
 */
export async function processControl(
  context: ChunkContext,
  readBack: ReadBack,
  batch: Batch,
  admitted: ValidControl,
): Promise<() => Promise<void>> {
  const { log, topics, metrics, clock, store, onArrow } = context
  const { record, control } = admitted
  const { partition } = batch
  const chunk = chunkOf(batch, [record], new Map())
  onArrow('decoded')
  const { held, fault, isNew } = await storeControl(context, readBack, chunk, admitted)
  context.controls.changed(partition, held)
  onArrow('stored')
  const emission = { offset: record.offset, decision: undefined, fault }
  const answered = fault ? [{ record, emission, sessionId: null }] : []
  const report = { key: registryKey.partition(partition), value: held.report }
  await Promise.all([
    ...outgoingOf(answered, topics).map(({ topic, records }) => log.produce(topic, records)),
    ...(held.report === '' ? [] : [log.produce(topics.registry, [report])]),
  ])
  const now = clock.now()
  onArrow('produced')
  await batch.commit(record.offset)
  onArrow('committed')
  if (isNew) metrics.controlTaken(control.type, fault === undefined)
  metrics.chunkDone({
    batch,
    lastOffset: record.offset,
    admitted: [admitted],
    folded: new Map(),
    answered,
    now,
  })
  return () => store.trim([{ id: controlsIdOf(partition), revision: held.revision }])
}

/** load → fold → compare-and-set of the controls and the progress; repeated if another owner wrote first. */
async function storeControl(
  context: ChunkContext,
  readBack: ReadBack,
  chunk: Chunk,
  admitted: ValidControl,
): Promise<Taken> {
  const { store, metrics, onArrow } = context
  const { partition } = chunk
  for (let attempt = 0; attempt < context.limits.casAttemptsMax; attempt++) {
    const ids = [controlsIdOf(partition), progressIdOf(partition)]
    const [stored, reached] = await metrics.timed('load', () => store.load(ids))
    const progress = readProgress(reached)
    if (await readBack.catchUp(chunk, progress)) continue
    const held = await context.controls.held(partition, stored, progress.progress?.controls ?? NO_OFFSET)
    onArrow('loaded')
    const taken = await take(context, admitted, held)
    onArrow('folded')
    const transition = nextProgress(chunk, progress, taken.held.offset)
    const writes = [
      ...(taken.isNew ? [controlsWrite(partition, held.revision, taken.held)] : []),
      ...(transition ? [transition] : []),
    ]
    const answers = writes.length > 0 ? await metrics.timed('store', () => store.compareAndSet(writes)) : []
    if (answers.every((isStored) => isStored)) {
      readBack.done(chunk)
      return taken
    }
    metrics.conflicts(1)
  }
  throw contended(partition)
}

async function take(
  context: ChunkContext,
  { record, control }: ValidControl,
  held: HeldControls,
): Promise<Taken> {
  const { rulesCache, registry, signingKey } = context
  const { offset, partition } = record
  if (offset < held.offset) return { held: { ...held, report: '' }, fault: undefined, isNew: false }
  if (offset === held.offset) return { held, fault: faultIn(held.report), isNew: false }
  let folded = foldControl(held.log, control, offset, rulesCache)
  if (folded.fault?.code === 'version_unavailable') {
    await registry.refresh()
    folded = foldControl(held.log, control, offset, rulesCache)
  }
  const { log, fault } = folded
  // Without a key no change is valid, so this is never empty.
  const report =
    signingKey === undefined
      ? ''
      : reportOf({ partition, offset, control: control.id, fault, log }, signingKey)
  return { held: { revision: revisionAfter(held.revision), offset, log, report }, fault, isNew: true }
}
