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
  /** Told of the partitions it has from now on; those it had before it has no more unless they are among them. */
  assign(partitions: readonly number[]): void
}

/** The members of a consumer group and what they have committed. Each change of the members shares the partitions out again. */
export interface Group {
  join(member: GroupMember): void
  leave(member: GroupMember): void
  /** The offset after the last one done; undefined where nothing was committed yet. */
  committed(partition: number): number | undefined
  commit(partition: number, nextOffset: number): void
  memberCount(): number
  readonly need: Need
}

export function createGroup(partitionCount: number): Group {
  const members: GroupMember[] = []
  const committed = new Map<number, number>()
  const rebalance = () => {
    for (const [i, member] of members.entries()) {
      const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)
      member.assign(partitions.filter((partition) => partition % members.length === i))
    }
  }
  return {
    join: (member) => {
      members.push(member)
      rebalance()
    },
    leave: (member) => {
      const at = members.indexOf(member)
      if (at < 0) return
      members.splice(at, 1)
      member.assign([])
      rebalance()
    },
    committed: (partition) => committed.get(partition),
    commit: (partition, nextOffset) => {
      committed.set(partition, nextOffset)
    },
    memberCount: () => members.length,
    need: (partition) => (members.length > 0 ? (committed.get(partition) ?? 0) : undefined),
  }
}

/** The records of one partition, in memory, with those who wait for the next. */
export interface PartitionLog {
  readonly firstOffset: () => number
  readonly nextOffset: () => number
  append(record: Omit<LogRecord, 'offset' | 'timeMs'>, timeMs: number): void
  /** At most `max` records from `offset` on; from the first there is where `offset` lies before it. */
  read(offset: number, max: number): readonly LogRecord[]
  /** The first offset appended at `timeMs` or later. */
  offsetAt(timeMs: number): number | undefined
  /** Forgets what lies before `offset`. */
  trimTo(offset: number): void
  /** Resolves once there is a record at `offset` or beyond, or when `signal` is aborted. */
  whenBeyond(offset: number, signal: AbortSignal): Promise<void>
}

export function createPartitionLog(): PartitionLog {
  const records: LogRecord[] = []
  const waiting = new Set<() => void>()
  let first = 0
  const next = () => first + records.length
  return {
    firstOffset: () => first,
    nextOffset: next,
    append: (record, timeMs) => {
      // Append times never run backwards, as little as offsets do.
      const time = Math.max(timeMs, records.at(-1)?.timeMs ?? timeMs)
      records.push({ ...record, offset: BigInt(next()), timeMs: time })
      for (const wake of waiting) wake()
    },
    read: (offset, max) => {
      const from = Math.max(offset - first, 0)
      return records.slice(from, from + max)
    },
    offsetAt: (timeMs) => {
      const index = records.findIndex((record) => record.timeMs >= timeMs)
      return index < 0 ? undefined : first + index
    },
    trimTo: (offset) => {
      const count = Math.min(Math.max(offset - first, 0), records.length)
      records.splice(0, count)
      first += count
    },
    whenBeyond: (offset, signal) =>
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

/** The lowest offset of a partition that somebody has still to read; undefined where it does not matter to them. */
export type Need = (partition: number) => number | undefined

export interface Topic {
  readonly name: string
  /** As they would be called in Kafka. */
  readonly settings: Readonly<Record<string, string>>
  readonly partitions: readonly PartitionLog[]
  append(record: OutgoingRecord, timeMs: number): void
  group(name: string): Group
  /** Undefined where nobody has consumed as `name` yet. */
  findGroup(name: string): Group | undefined
  /** Keeps what `need` names from being forgotten, until the function that is returned is called. */
  keep(need: Need): () => void
}

/**
 * The topic that `spec` describes, which keeps about `retentionRecordsMax` records in each: the oldest go, but never one that a present
 * reader has still to read; rather `append` throws `queue_full`.
 */
export function createTopic(spec: TopicSpec, retentionRecordsMax: number): Topic {
  const { topic: name, partitions: count, config } = spec
  const partitions = Array.from({ length: count }, createPartitionLog)
  const groups = new Map<string, Group>()
  const needs = new Set<Need>()
  let nextKeyless = 0

  const makeRoom = (log: PartitionLog, partition: number): void => {
    if (log.nextOffset() - log.firstOffset() < retentionRecordsMax) return
    const wanted = [...needs].flatMap((need) => need(partition) ?? [])
    // A tenth at a time, so that the cost of moving what stays is spread over many appends.
    const target = log.firstOffset() + Math.max(1, Math.floor(retentionRecordsMax / 10))
    log.trimTo(Math.min(target, ...wanted))
    if (log.nextOffset() - log.firstOffset() < retentionRecordsMax) return
    throw new PlimsollError(
      'queue_full',
      `partition ${partition} of topic \`${name}\` is full of records not yet read`,
    )
  }

  return {
    name,
    settings: { 'cleanup.policy': 'delete', ...config, [TIMESTAMP_TYPE]: APPEND_TIME },
    partitions,
    append: (record, timeMs) => {
      const partition = record.key === null ? nextKeyless++ % count : partitionOf(record.key, count)
      const log = partitions[partition]
      if (!log) return
      makeRoom(log, partition)
      log.append(stored(name, partition, record), timeMs)
    },
    group: (groupName) => {
      const group = groups.get(groupName) ?? createGroup(count)
      if (!groups.has(groupName)) {
        groups.set(groupName, group)
        needs.add(group.need)
      }
      return group
    },
    findGroup: (groupName) => groups.get(groupName),
    keep: (need) => {
      needs.add(need)
      return () => needs.delete(need)
    },
  }
}

/** A copy, so that what the producer does to its buffers afterwards does not reach into the log. */
function stored(
  topic: string,
  partition: number,
  record: OutgoingRecord,
): Omit<LogRecord, 'offset' | 'timeMs'> {
  const { key, value, headers = {} } = record
  return { topic, partition, key, value: value === null ? null : Buffer.from(value), headers: { ...headers } }
}
