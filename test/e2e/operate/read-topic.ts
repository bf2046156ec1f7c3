import type { EventLog, LogRecord } from '@plimsoll/runtime'

/** All records now in `topic`, from its beginning, read as `group`: partition by partition, each in order. */
export async function readTopic(log: EventLog, topic: string, group: string): Promise<LogRecord[]> {
  const partitions = (await log.describe(topic)) ?? []
  const records = partitions.map((): LogRecord[] => [])
  let missing = partitions.reduce(
    (sum, { firstOffset, nextOffset }) => sum + Number(nextOffset - firstOffset),
    0,
  )
  let onComplete = () => {}
  const complete = new Promise<void>((resolve) => (onComplete = resolve))
  if (missing === 0) return []
  const reading = await log.consume({
    topic,
    group,
    onBatch: async (batch) => {
      const last = batch.records.at(-1)
      if (!last) return
      await batch.commit(last.offset)
      // Once committed it is not delivered again.
      records[batch.partition]?.push(...batch.records)
      missing -= batch.records.length
      if (missing <= 0) onComplete()
    },
  })
  await complete
  await reading.close()
  return records.flat()
}
