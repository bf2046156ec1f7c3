import { PlimsollError } from '@plimsoll/contracts'
import type { TopicSpec } from '../event-log.js'
import { createTopic, type Topic } from './topic.js'

/** The topics of a log by name. */
export interface TopicRegistry {
  find(name: string): Topic | undefined
  /** Makes the topic where there is none of that name. */
  ensure(spec: TopicSpec): void
  /** Resolves once there is such a topic; rejects with `closed` if the registry is closed before. */
  whenMade(name: string): Promise<Topic>
  close(): void
}

export function createTopicRegistry(retentionRecordsMax: number): TopicRegistry {
  const topics = new Map<string, Topic>()
  const waiting = new Set<() => void>()
  let isClosed = false
  const wakeAll = () => {
    for (const wake of waiting) wake()
  }
  return {
    find: (name) => topics.get(name),
    ensure: ({ topic, partitions }) => {
      if (topics.has(topic)) return
      topics.set(topic, createTopic(topic, partitions, retentionRecordsMax))
      wakeAll()
    },
    whenMade: (name) =>
      new Promise((resolve, reject) => {
        const wake = () => {
          const topic = topics.get(name)
          if (!topic && !isClosed) return
          waiting.delete(wake)
          if (topic && !isClosed) resolve(topic)
          else reject(new PlimsollError('closed', 'the log has been closed'))
        }
        waiting.add(wake)
        wake()
      }),
    close: () => {
      isClosed = true
      wakeAll()
    },
  }
}
