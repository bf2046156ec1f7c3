import { PlimsollError } from '@plimsoll/contracts'
import {
  APPEND_TIME,
  TIMESTAMP_TYPE,
  type LogRecord,
  type OutgoingRecord,
  type TopicSpec,
} from '../event-log.js'
import { partitionOf } from '../partitioner.js'
import { createGroup, type Group } from './group.js'
import { createPartitionLog, type PartitionLog } from './partition-log.js'

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
