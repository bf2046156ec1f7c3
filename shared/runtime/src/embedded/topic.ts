import { PlimsollError } from '@plimsoll/contracts'
import {
  type LogRecord,
  type OutgoingRecord,
  type TopicSpec,
  APPEND_TIME,
  TIMESTAMP_TYPE,
} from '../ports/event-log.js'
import { partitionOf } from '../ports/partitioner.js'

export interface GroupMember {
  /** Sets the member's partitions, in place of earlier ones. */
  assign(partitions: readonly number[]): void
}

export type Group = ReturnType<typeof createGroup>

/** The members of a consumer group and their commits. Each change of the members reassigns the partitions. */
function createGroup(partitionCount: number) {
  const members: GroupMember[] = []
  const committed = new Map<number, number>()
  const rebalance = () => {
    for (const [i, member] of members.entries()) {
      const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)
      member.assign(partitions.filter((partition) => partition % members.length === i))
    }
  }
  return {
    join: (member: GroupMember): void => {
      members.push(member)
      rebalance()
    },
    leave: (member: GroupMember): void => {
      const at = members.indexOf(member)
      if (at < 0) return
      members.splice(at, 1)
      member.assign([])
      rebalance()
    },
    /** The next offset; undefined if nothing was committed. */
    committed: (partition: number): number | undefined => committed.get(partition),
    commit: (partition: number, nextOffset: number): void => void committed.set(partition, nextOffset),
    memberCount: (): number => members.length,
    need: (partition: number): number | undefined =>
      members.length > 0 ? (committed.get(partition) ?? 0) : undefined,
  }
}

export type PartitionLog = ReturnType<typeof createPartitionLog>

/** The records of one partition in memory. */
export function createPartitionLog() {
  const records: LogRecord[] = []
  const waiting = new Set<() => void>()
  let first = 0
  const next = () => first + records.length
  return {
    firstOffset: (): number => first,
    nextOffset: next,
    append: (record: Omit<LogRecord, 'offset' | 'timeMs'>, timeMs: number): void => {
      // Append times never run backwards.
      const time = Math.max(timeMs, records.at(-1)?.timeMs ?? timeMs)
      records.push({ ...record, offset: BigInt(next()), timeMs: time })
      for (const wake of waiting) wake()
    },
    /** At most `max` records from `offset`, or from the first offset if that is later. */
    read: (offset: number, max: number): readonly LogRecord[] => {
      const from = Math.max(offset - first, 0)
      return records.slice(from, from + max)
    },
    /** The first offset appended at `timeMs` or later. */
    offsetAt: (timeMs: number): number | undefined => {
      const index = records.findIndex((record) => record.timeMs >= timeMs)
      return index < 0 ? undefined : first + index
    },
    /** Deletes the records before `offset`. */
    trimTo: (offset: number): void => {
      const count = Math.min(Math.max(offset - first, 0), records.length)
      records.splice(0, count)
      first += count
    },
    /** Resolves once there is a record at `offset` or later, or when `signal` is aborted. */
    whenBeyond: (offset: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const wake = () => {
          if (next() <= offset && !signal.aborted) return
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
        wake()
      }),
  }
}

/** The lowest offset of a partition that a reader still needs; undefined if it needs none. */
type Need = (partition: number) => number | undefined

export type Topic = ReturnType<typeof createTopic>

/**
 * Creates the topic of `spec`. A partition keeps about `retentionRecordsMax` records and deletes the oldest, but none that a current reader
 * still needs: then `append` throws `queue_full`.
 */
export function createTopic(spec: TopicSpec, retentionRecordsMax: number) {
  const { topic: name, partitions: count, config } = spec
  const partitions = Array.from({ length: count }, createPartitionLog)
  const groups = new Map<string, Group>()
  const needs = new Set<Need>()
  let nextKeyless = 0

  const makeRoom = (log: PartitionLog, partition: number): void => {
    if (log.nextOffset() - log.firstOffset() < retentionRecordsMax) return
    const wanted = [...needs].flatMap((need) => need(partition) ?? [])
    // A tenth at a time, which spreads the cost of moving the rest over many appends.
    const target = log.firstOffset() + Math.max(1, Math.floor(retentionRecordsMax / 10))
    log.trimTo(Math.min(target, ...wanted))
    if (log.nextOffset() - log.firstOffset() < retentionRecordsMax) return
    throw new PlimsollError(
      'queue_full',
      `partition ${partition} of topic \`${name}\` is full of unread records`,
    )
  }

  return {
    name,
    /** By their names in Kafka. */
    settings: { 'cleanup.policy': 'delete', ...config, [TIMESTAMP_TYPE]: APPEND_TIME },
    partitions,
    append: (record: OutgoingRecord, timeMs: number): void => {
      const partition = record.key === null ? nextKeyless++ % count : partitionOf(record.key, count)
      const log = partitions[partition]
      if (!log) return
      makeRoom(log, partition)
      log.append(stored(name, partition, record), timeMs)
    },
    group: (groupName: string): Group => {
      const group = groups.get(groupName) ?? createGroup(count)
      if (!groups.has(groupName)) {
        groups.set(groupName, group)
        needs.add(group.need)
      }
      return group
    },
    /** Undefined before the first consumer of the group. */
    findGroup: (groupName: string): Group | undefined => groups.get(groupName),
    /** Keeps the records that `need` names until the returned function is called. */
    keep: (need: Need): (() => void) => {
      needs.add(need)
      return () => void needs.delete(need)
    },
  }
}

/** A copy, independent of the producer's buffers. */
function stored(
  topic: string,
  partition: number,
  record: OutgoingRecord,
): Omit<LogRecord, 'offset' | 'timeMs'> {
  const { key, value, headers = {} } = record
  return { topic, partition, key, value: value === null ? null : Buffer.from(value), headers: { ...headers } }
}
