import type { Topics } from '@plimsoll/contracts'
import type { TopicSpec } from './event-log.js'

export interface TopicSizes {
  /** Of topics keyed by session; the registry has one. */
  readonly partitions: number
  /** Default: that of the brokers. */
  readonly replicas?: number
}

/** A candidate is tried for days; metrics have the totals. */
const SHADOW_KEPT_MS = 7 * 24 * 3_600_000

/** Specs of a deployment's topics, for the monitor's start and `plimsoll doctor --create`. */
export function topicSpecs(topics: Topics, { partitions, replicas }: TopicSizes): TopicSpec[] {
  const { registry, shadow, ...flowing } = topics
  const copies = {
    ...(replicas !== undefined && { replicas }),
    // Two of three replicas must have a record, so that it survives the loss of a broker.
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
