import { PlimsollError, topicsOf, type Topics } from '@plimsoll/contracts'
import { openRegistry, type EventLog, type OnRelease, type Registry } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import type { Context } from '../command.js'
import { inTime } from '../pipeline/in-time.js'
import { refusalsTold } from './refused.js'
import { createReportWatch, type ReportWatch } from './report-watch.js'
import type { ControlConfig } from './settings.js'

/** Where changes are sent from: the log, the registry as it stands, and the reports as they come. */
export interface ControlDesk {
  readonly log: Pick<EventLog, 'produce' | 'group'>
  readonly topics: Topics
  /** Of the events topic. */
  readonly partitions: number
  readonly registry: Registry
  readonly reports: ReportWatch
  readonly signingKey: string
  /** Of the monitors. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Opens the desk that `config` names; no answer to what is sent from it can be missed. */
export async function openDesk(
  config: ControlConfig,
  { stderr, signal }: Context,
  onRelease: OnRelease,
): Promise<ControlDesk> {
  const log = createKafkaLog(kafkaConnectionOf(config))
  onRelease(() => log.close())
  const topics = topicsOf(config.topicPrefix)
  // A tail would wait without end for a log that is away.
  await log.ping()
  const partitions = await countPartitions(log, topics)
  const reports = createReportWatch()
  const registry = await inTime(signal, [topics.registry], (signal) =>
    openRegistry({
      log,
      topic: topics.registry,
      signingKey: config.signingKey,
      onReport: reports.take,
      onRefused: refusalsTold(stderr, onRelease),
      signal,
    }),
  )
  onRelease(() => registry.close())
  const { signingKey, group } = config
  return { log, topics, partitions, registry, reports, signingKey, group, now: Date.now }
}

async function countPartitions(log: EventLog, { events }: Topics): Promise<number> {
  const partitions = await log.describe(events)
  if (partitions) return partitions.length
  throw new PlimsollError(
    'config_invalid',
    `there is no topic \`${events}\`: see whether KAFKA_BROKERS and PLIMSOLL_TOPIC_PREFIX are those of the monitors`,
  )
}
