import { type Topics, registryKey } from '@plimsoll/contracts'
import { type EventLog, type RefusedRecord, openRegistry } from '@plimsoll/runtime'
import { partitionsOf } from '../records.js'
import { type ControlChannel, createReportWatch } from './send-control.js'

export interface ControlChannelOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly signingKey: string
  /** Of the monitors. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called for each record of the registry that is refused. Must not throw. */
  readonly onRefused?: (record: RefusedRecord) => void
  /** Called for each report of a partition, once `sendControl` knows of it. Must not throw. */
  readonly onReport?: () => void
  readonly signal: AbortSignal
}

/**
 * Opens the registry with its reports before anything is sent, so that no answer is missed; the caller closes `registry`. Rejects with
 * `config_invalid` if there is no such topic. It waits without end for a log that is away: ping it first.
 */
export async function openControlChannel({
  onRefused,
  onReport,
  signal,
  ...rest
}: ControlChannelOptions): Promise<ControlChannel> {
  const { log, topics, signingKey } = rest
  const partitions = (await partitionsOf(log, topics.events)).length
  const reports = createReportWatch()
  const refused = new Set<string>()
  const registry = await openRegistry({
    log,
    topic: topics.registry,
    signingKey,
    onReport: (report) => {
      reports.take(report)
      onReport?.()
    },
    onRefused: (record) => {
      if (record.reason === 'signature_invalid') refused.add(record.key)
      onRefused?.(record)
    },
    signal,
  })
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  const foreign = () =>
    new Set(numbers.filter((p) => !registry.report(p) && refused.has(registryKey.partition(p))))
  return { ...rest, partitions, registry, reports, foreign }
}
