import type { Topics } from '@plimsoll/contracts'
import type { TopicSpec } from './event-log.js'

export interface TopicSizes {
  /** Of the topics whose keys are sessions; the registry has one. */
  readonly partitions: number
  /** The brokers' default where it is left out. */
  readonly replicas?: number
}

/** A candidate is tried for days, and what it counts for is told by metrics. */
const SHADOW_KEPT_MS = 7 * 24 * 3_600_000

/** What a deployment's topics are made with, by anyone who makes them: a monitor at its start, `plimsoll doctor --create`. */
export function topicSpecs(topics: Topics, { partitions, replicas }: TopicSizes): TopicSpec[] {
  const { registry, shadow, ...flowing } = topics
  const copies = {
    ...(replicas !== undefined && { replicas }),
    // Of three copies two must have a record before it counts: no broker that fails takes one with it.
    config: { ...(replicas !== undefined && replicas >= 3 && { 'min.insync.replicas': '2' }) },
  }
  const compacted = { ...copies.config, 'cleanup.policy': 'compact' }
  return [
    ...Object.values(flowing as Record<string, string>).map((topic) => ({ topic, partitions, ...copies })),
    {
      ...copies,
      topic: shadow,
      partitions,
      config: { ...copies.config, 'retention.ms': String(SHADOW_KEPT_MS) },
    },
    { ...copies, topic: registry, partitions: 1, config: compacted },
  ]
}
