import type { ICustomPartitioner, Message } from 'kafkajs'
import { partitionOf } from '../partitioner.js'

/**
 * Places messages as Kafka's Java clients do, and remembers where: kafkajs asks again at each retry, and a message without a key
 * that then went elsewhere could be lost where part of the request had succeeded.
 */
export interface Placement {
  readonly createPartitioner: ICustomPartitioner
  /** Where the message goes; undefined before anything was sent, when nobody knows how many partitions there are. */
  of(message: Message): number | undefined
}

export function createPlacement(): Placement {
  const placed = new WeakMap<Message, number>()
  let nextKeyless = Math.floor(Math.random() * 1_000)
  let count = 0
  const place = (message: Message): number => {
    const partition =
      typeof message.key === 'string' ? partitionOf(message.key, count) : nextKeyless++ % count
    placed.set(message, partition)
    return partition
  }
  return {
    createPartitioner:
      () =>
      ({ message, partitionMetadata }) => {
        count = partitionMetadata.length
        return placed.get(message) ?? place(message)
      },
    of: (message) => placed.get(message) ?? (count > 0 ? place(message) : undefined),
  }
}
