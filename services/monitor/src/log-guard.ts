import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, PartitionInfo, SessionStore } from '@plimsoll/runtime'

/**
 * Knows the log again: the session store remembers how many partitions the topic had, and of each partition an offset with the
 * latest append time up to it. A topic that was made anew, cut short or repartitioned would make stored offsets lie.
 */
export interface LogGuard {
  /**
   * Rejects with `log_changed` unless the log is the one the store's records speak of. Asks `describe` itself, and only after it has
   * read what is remembered: other monitors go on meanwhile, and what they remember must not be newer than what it is held against.
   */
  check(describe: () => Promise<readonly PartitionInfo[]>): Promise<readonly PartitionInfo[]>
  /** Other monitors may have had our partitions: what they remembered counts again. */
  reassigned(): void
  /** Remembers that everything up to `offset`, appended at `timeMs` or before, is in the store. */
  remember(partition: number, offset: bigint, timeMs: number): Promise<void>
}

export function createLogGuard(log: EventLog, store: SessionStore, topic: string): LogGuard {
  const name = `log:${topic}`
  const latest = new Map<number, number>()

  /** The latest time remembered by whoever had the partition before us. */
  const latestOf = async (partition: number): Promise<number> => {
    const ours = latest.get(partition)
    if (ours !== undefined) return ours
    return markOf((await store.readMeta(name))[`p${partition}`])?.timeMs ?? 0
  }

  return {
    async check(describe) {
      const known = await store.readMeta(name)
      const partitions = await describe()
      const count = known['partitions']
      if (count === undefined) await store.writeMeta(name, { partitions: String(partitions.length) })
      else if (Number(count) !== partitions.length)
        throw changed(topic, `it had ${count} partitions and has ${partitions.length}`)
      for (const info of partitions) {
        const mark = markOf(known[`p${info.partition}`])
        if (mark) await checkPartition(log, topic, info, mark)
      }
      return partitions
    },
    reassigned: () => latest.clear(),
    async remember(partition, offset, timeMs) {
      const time = Math.max(timeMs, await latestOf(partition))
      latest.set(partition, time)
      await store.writeMeta(name, { [`p${partition}`]: `${offset}:${time}` })
    },
  }
}

interface Mark {
  readonly offset: bigint
  readonly timeMs: number
}

/** In the same log, whatever was appended after the mark's time lies beyond the mark's offset. */
async function checkPartition(log: EventLog, topic: string, info: PartitionInfo, mark: Mark): Promise<void> {
  const { partition, nextOffset } = info
  if (nextOffset <= mark.offset)
    throw changed(
      topic,
      `partition ${partition} ends at ${nextOffset}, but offset ${mark.offset} was read from it`,
    )
  const later = await log.offsetAt(topic, partition, mark.timeMs + 1)
  if (later !== undefined && later <= mark.offset)
    throw changed(topic, `partition ${partition} holds other records than those read before`)
}

function markOf(text: string | undefined): Mark | undefined {
  const [offset, time] = (text ?? '').split(':')
  return offset && time ? { offset: BigInt(offset), timeMs: Number(time) } : undefined
}

function changed(topic: string, what: string): PlimsollError {
  return new PlimsollError(
    'log_changed',
    `topic \`${topic}\` is not the one the session store knows: ${what}`,
  )
}
