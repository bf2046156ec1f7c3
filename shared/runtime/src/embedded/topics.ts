import type { TopicSpec } from '../event-log.js'
import { createTopic, type Topic } from './topic.js'

/** The topics of a log by name: what outlives the `EventLog`s over it. */
export interface EmbeddedTopics {
  find(name: string): Topic | undefined
  /** Makes the topic where there is none of that name. */
  ensure(spec: TopicSpec): void
  /** Resolves once there is such a topic, or with undefined when `signal` is aborted. */
  whenMade(name: string, signal: AbortSignal): Promise<Topic | undefined>
}

export interface EmbeddedTopicsOptions {
  /** Records kept of a partition; 100,000 by default. */
  readonly retentionRecordsMax?: number
}

/** Topics in this process, empty at first. Give them to several `createEmbeddedLog` to have several clients of one log. */
export function createEmbeddedTopics(options: EmbeddedTopicsOptions = {}): EmbeddedTopics {
  const { retentionRecordsMax = 100_000 } = options
  const topics = new Map<string, Topic>()
  const waiting = new Set<() => void>()
  return {
    find: (name) => topics.get(name),
    ensure: (spec) => {
      if (topics.has(spec.topic)) return
      topics.set(spec.topic, createTopic(spec, retentionRecordsMax))
      for (const wake of waiting) wake()
    },
    whenMade: (name, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          const topic = topics.get(name)
          if (!topic && !signal.aborted) return
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve(topic)
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
        wake()
      }),
  }
}
