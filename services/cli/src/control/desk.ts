import { PlimsollError, registryKey, topicsOf, type Topics } from '@plimsoll/contracts'
import { openRegistry, type EventLog, type OnRelease, type Registry } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import type { Context } from '../command.js'
import { inTime } from '../pipeline/in-time.js'
import { refusalsTold } from './refused.js'
import { createReportWatch, type ReportWatch } from './report-watch.js'
import type { ControlConfig } from './settings.js'

/** Where changes are sent from: the log, the registry as it stands, and the reports as they come. */
export interface ControlDesk {
  readonly log: Pick<EventLog, 'produce' | 'group' | 'settings'>
  readonly topics: Topics
  /** Of the events topic. */
  readonly partitions: number
  readonly registry: Registry
  readonly reports: ReportWatch
  /** Partitions that have told of themselves, but under another key than ours. */
  readonly foreign: () => ReadonlySet<number>
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
  const tell = refusalsTold(stderr, onRelease)
  const refused = new Set<string>()
  const registry = await inTime(signal, [topics.registry], (signal) =>
    openRegistry({
      log,
      topic: topics.registry,
      signingKey: config.signingKey,
      onReport: reports.take,
      onRefused: (record) => {
        if (record.reason === 'signature_invalid') refused.add(record.key)
        tell(record)
      },
      signal,
    }),
  )
  onRelease(() => registry.close())
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  const foreign = () =>
    new Set(numbers.filter((p) => !registry.report(p) && refused.has(registryKey.partition(p))))
  const { signingKey, group } = config
  return { log, topics, partitions, registry, reports, foreign, signingKey, group, now: Date.now }
}

async function countPartitions(log: EventLog, { events }: Topics): Promise<number> {
  const partitions = await log.describe(events)
  if (partitions) return partitions.length
  throw new PlimsollError(
    'config_invalid',
    `there is no topic \`${events}\`: see whether KAFKA_BROKERS and PLIMSOLL_TOPIC_PREFIX are those of the monitors`,
  )
}
