import { isSessionId, type LogRecord } from '@plimsoll/runtime'
import type { StoreContext } from '../context.js'
import { cut } from '../cut.js'
import { contended, createRun, type FoldedBack, type Run, type Stretch } from './run.js'

const LOOK_EVERY = 1_000n

/**
 * Folds a stretch of the log into the store, a chunk at a time and as it is done live, but for what is published: nothing is.
 * Rejects with `contended` where another owner is at it.
 */
export async function foldBack(context: StoreContext, stretch: Stretch): Promise<FoldedBack> {
  const { log, topics, chunkEventsMax } = context
  const { partition, from, upTo, only, isOwned, onRead } = stretch
  const run: Run = createRun(context, stretch)
  let waiting: LogRecord[] = []
  const flush = async () => {
    const records = waiting
    waiting = []
    if (!isOwned()) throw contended(partition)
    for (const each of cut(records, chunkEventsMax, stretch.admit)) {
      if (each.kind === 'control') await run.takeControl(each.admitted)
      else await run.takeEvents(each.admitted)
    }
    const last = records.at(-1)
    if (last) onRead?.(last.offset)
  }
  const isWanted = ({ key }: LogRecord) => !only || (key !== null && (only.has(key) || !isSessionId(key)))
  const onRecord = (record: LogRecord): Promise<void> | undefined => {
    run.count(record)
    // Where few records are wanted nothing else would find out that the partition has gone.
    if (record.offset % LOOK_EVERY === 0n && !isOwned()) throw contended(partition)
    if (isWanted(record)) waiting.push(record)
    return waiting.length >= chunkEventsMax ? flush() : undefined
  }
  if (from < upTo) await log.read(topics.events, onRecord, { ranges: [{ partition, from, to: upTo }] })
  await flush()
  return run.result()
}
