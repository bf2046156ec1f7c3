import {
  PlimsollError,
  type Control,
  type PartitionReport,
  type RegisteredDocument,
} from '@plimsoll/contracts'
import type { EventLog, LogRecord } from '../event-log.js'
import { silentLogger, type Logger } from '../logger.js'
import { createContents, REGISTRY_LIMITS, type RegistryLimits } from './contents.js'
import { examine, type Refusal } from './examine.js'

/**
 * The documents, control changes and partitions' reports of the registry topic, as far as it has been read. Only what can be believed
 * is in it: a document whose hash is its key and which its schema takes; a change or a report that is signed, where the key is known.
 * What is not is refused, and what stood before it stays; so does what the topic has lost since it was read.
 */
export interface Registry {
  document(version: string): RegisteredDocument | undefined
  /** In the order in which they were registered. */
  documents(): readonly RegisteredDocument[]
  /** What `partition` of the events topic said last; undefined where it has had no control change. */
  report(partition: number): PartitionReport | undefined
  /** The audit, oldest first. */
  controls(): readonly Control[]
  /** Reads to the topic's present end: what was registered before the call is then there. Rejects with `log_unavailable`. */
  refresh(signal?: AbortSignal): Promise<void>
  /** Follows no more. Harmless a second time. */
  close(): Promise<void>
}

export type RegistryLog = Pick<EventLog, 'describe' | 'read' | 'tail'>

export interface RegistryOptions {
  readonly log: RegistryLog
  readonly topic: string
  /** The deployment's key; without it nobody's signature is looked at. */
  readonly signingKey?: string | undefined
  readonly logger?: Logger
  /** Told of each record that is not taken. Must not throw. */
  readonly onRefused?: (refusal: RefusedRecord) => void
  /** Told of each report as it comes. Must not throw. */
  readonly onReport?: (report: PartitionReport) => void
  /** Whether to go on reading by itself, as by default, or at `refresh` alone. */
  readonly follow?: boolean
  readonly limits?: Partial<RegistryLimits>
  readonly signal?: AbortSignal
}

export interface RefusedRecord extends Refusal {
  /** At most 80 characters of it. */
  readonly key: string
  readonly offset: bigint
}

/**
 * Opens the registry in `topic`; resolves when it has been read to its end. Throws `config_invalid` where there is no such topic or it
 * has not one partition, and `log_unavailable`.
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { log, topic, signal, follow = true, logger = silentLogger } = options
  await assertOrdered(log, topic)
  const contents = createContents({ ...REGISTRY_LIMITS, ...options.limits })
  const closing = new AbortController()
  const over = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  let next = 0n

  const refuse = ({ key, offset }: LogRecord, { reason, message }: Refusal) => {
    const refused = { key: (key ?? '').slice(0, KEY_SHOWN_MAX), offset, reason, message }
    // Not as `key`: what is called so is never logged.
    logger.warn('a record of the registry is not taken', {
      topic,
      record: refused.key,
      offset,
      reason,
      message,
    })
    options.onRefused?.(refused)
  }
  const take = (record: LogRecord) => {
    // Two readers may bring it, each all that lies behind `next` and in order: what comes first is what comes next.
    if (record.offset < next) return
    next = record.offset + 1n
    // A deletion takes nothing from those who run on what was deleted.
    if (record.value === null) return
    const examined = examine(record, options.signingKey)
    if ('refusal' in examined) return refuse(record, examined.refusal)
    const refusal = contents.add(examined.entry, record.value.byteLength)
    if (refusal) return refuse(record, refusal)
    if (examined.entry.kind === 'report') options.onReport?.(examined.entry.report)
  }
  const refresh = (signal?: AbortSignal) =>
    log.read(topic, take, {
      ranges: [{ partition: 0, from: next }],
      signal: signal ? AbortSignal.any([signal, over]) : over,
    })

  const tail = follow ? log.tail(topic, take, { from: 'beginning', signal: over }) : undefined
  try {
    await Promise.all([tail, refresh()])
  } catch (error) {
    closing.abort()
    await tail?.catch(() => undefined)
    throw error
  }
  return {
    document: contents.document,
    documents: contents.documents,
    report: contents.report,
    controls: contents.controls,
    refresh,
    close: async () => {
      closing.abort()
      await (await tail)?.close()
    },
  }
}

const KEY_SHOWN_MAX = 80

/** Records of several partitions would have no order among them. */
async function assertOrdered(log: RegistryLog, topic: string): Promise<void> {
  const partitions = await log.describe(topic)
  if (!partitions)
    throw new PlimsollError(
      'config_invalid',
      `there is no topic \`${topic}\`: \`plimsoll doctor --create\` makes what is missing`,
    )
  if (partitions.length !== 1)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topic}\` has ${partitions.length} partitions: make it anew with one, and publish its documents again`,
    )
}
