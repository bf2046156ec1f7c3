import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, PartitionInfo, SessionStore } from '@plimsoll/runtime'
import { type Progress, progressIdOf, readProgress } from './progress.js'

/**
 * Checks that the store's records refer to this log: the store keeps the number of partitions and the progress of each. Stored
 * offsets are wrong for a topic that was recreated, truncated or repartitioned: then it rejects with `log_changed`. Calls `describe` after
 * reading the store: other monitors write meanwhile, and the stored progress must not be newer than the description.
 */
export async function checkLog(
  log: EventLog,
  store: SessionStore,
  topic: string,
  describe: () => Promise<readonly PartitionInfo[]>,
): Promise<readonly PartitionInfo[]> {
  const { partitions: known } = await store.readMeta(nameOf(topic))
  const progress = await progressOf(store, Number(known ?? 0))
  const partitions = await describe()
  if (known === undefined) await rememberLog(store, topic, partitions.length)
  else if (Number(known) !== partitions.length)
    throw changed(topic, `it had ${known} partitions and has ${partitions.length}`)
  for (const info of partitions) {
    const reached = progress[info.partition]
    if (reached) await checkPartition(log, topic, info, reached)
  }
  return partitions
}

/** Stores the number of partitions, which is lost when the store is flushed. */
export const rememberLog = (store: SessionStore, topic: string, partitions: number): Promise<void> =>
  store.writeMeta(nameOf(topic), { partitions: String(partitions) })

const nameOf = (topic: string): string => `log:${topic}`

async function progressOf(store: SessionStore, count: number): Promise<readonly (Progress | undefined)[]> {
  const ids = Array.from({ length: count }, (_, partition) => progressIdOf(partition))
  return (await store.load(ids)).map((stored) => readProgress(stored).progress)
}

/** In the same log, records appended after the latest time up to an offset come after that offset. */
async function checkPartition(
  log: EventLog,
  topic: string,
  { partition, nextOffset }: PartitionInfo,
  { offset, timeMs }: Progress,
): Promise<void> {
  if (nextOffset <= offset)
    throw changed(
      topic,
      `partition ${partition} ends at ${nextOffset}, but offset ${offset} was read from it`,
    )
  const later = await log.offsetAt(topic, partition, timeMs + 1)
  if (later !== undefined && later <= offset)
    throw changed(topic, `partition ${partition} holds other records than those read before`)
}

function changed(topic: string, what: string): PlimsollError {
  return new PlimsollError('log_changed', `topic \`${topic}\` is not the one in the session store: ${what}`)
}
