import { PlimsollError } from '@plimsoll/contracts'
import { APPEND_TIME, TIMESTAMP_TYPE, topicSpecs, type PartitionInfo } from '@plimsoll/runtime'
import type { MonitorOptions } from './options.js'

/**
 * The partitions of the events topic, all topics made where that is asked for. Throws `config_invalid` where one is missing, or takes its
 * times from producers. Source: docs/decisions/20261121-time.md.
 */
export async function prepareTopics({
  log,
  topics,
  create,
}: MonitorOptions): Promise<readonly PartitionInfo[]> {
  // Nobody waits for what lies in the shadow: a deployment whose topics were made before there was one goes on.
  const { shadow: _, ...needed } = topics
  const names = Object.values(needed)
  if (create) await log.createTopics(topicSpecs(topics, create))
  const described = await Promise.all(names.map((topic) => log.describe(topic)))
  const missing = names.filter((_, i) => described[i] === undefined)
  if (missing.length > 0)
    throw new PlimsollError(
      'config_invalid',
      `no topic \`${missing.join('`, `')}\`: make it, or set PLIMSOLL_CREATE_TOPICS=true`,
    )
  // A log that keeps its settings to itself is taken at its word.
  const { [TIMESTAMP_TYPE]: stampedBy = APPEND_TIME } = (await log.settings(topics.events)) ?? {}
  if (stampedBy !== APPEND_TIME)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topics.events}\` takes its times from producers: set its ${TIMESTAMP_TYPE} to ${APPEND_TIME}`,
    )
  return described[names.indexOf(topics.events)] ?? []
}
