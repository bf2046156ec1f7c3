import { PlimsollError } from '@plimsoll/contracts'
import { topicSpecs, type PartitionInfo } from '@plimsoll/runtime'
import type { MonitorOptions } from './monitor.js'

/**
 * The partitions of the events topic, all topics made where that is asked for. Throws `config_invalid` where one is missing, or takes its
 * times from producers. Source: docs/decisions/20261121-time.md.
 */
export async function prepareTopics({
  log,
  topics,
  create,
}: MonitorOptions): Promise<readonly PartitionInfo[]> {
  const names = Object.values(topics) as string[]
  if (create) await log.createTopics(topicSpecs(topics, create))
  const described = await Promise.all(names.map((topic) => log.describe(topic)))
  const missing = names.filter((_, i) => described[i] === undefined)
  if (missing.length > 0)
    throw new PlimsollError(
      'config_invalid',
      `no topic \`${missing.join('`, `')}\`: make it, or set PLIMSOLL_CREATE_TOPICS=true`,
    )
  if ((await log.stampsTime(topics.events)) === false)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topics.events}\` takes its times from producers: set its message.timestamp.type to LogAppendTime`,
    )
  return described[names.indexOf(topics.events)] ?? []
}
