import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, PartitionInfo, SessionStore } from '@plimsoll/runtime'
import { type Progress, progressIdOf, readProgress } from './progress.js'

/**
 * Knows the log again: the session store remembers how many partitions the topic had, and the progress of each. A topic that was made
 * again, cut short or repartitioned would make stored offsets lie. Rejects with `log_changed` unless the log is the one the store's records
 * speak of. Asks `describe` itself, and only after it has read what is remembered: other monitors go on meanwhile, and what they
 * remember must not be newer than what it is held against.
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

/** Has the store know the log by its number of partitions; what it knew goes when it is flushed. */
export const rememberLog = (store: SessionStore, topic: string, partitions: number): Promise<void> =>
  store.writeMeta(nameOf(topic), { partitions: String(partitions) })

const nameOf = (topic: string): string => `log:${topic}`

async function progressOf(store: SessionStore, count: number): Promise<readonly (Progress | undefined)[]> {
  const ids = Array.from({ length: count }, (_, partition) => progressIdOf(partition))
  return (await store.load(ids)).map((stored) => readProgress(stored).progress)
}

/** In the same log, whatever was appended after the latest time up to an offset lies beyond that offset. */
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
  return new PlimsollError(
    'log_changed',
    `topic \`${topic}\` is not the one the session store knows: ${what}`,
  )
}
