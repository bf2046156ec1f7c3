import {
  type Control,
  type Documents,
  type PartitionReport,
  type RegisteredDocument,
  type Signed,
  DOCUMENT_SCHEMAS,
  PlimsollError,
  canonicalJson,
  controlSchema,
  documentKindOf,
  isSignedBy,
  parseRegistryKey,
  partitionReportSchema,
  registryKey,
  versionOf,
  parseJson,
} from '@plimsoll/contracts'
import type { z } from 'zod'
import type { EventLog, LogRecord } from './ports/event-log.js'
import { type Logger, silentLogger } from './telemetry/logger.js'

/** Memory bounds: bytes of the documents' text (parsed, they take about three times as much), latest changes of the audit, partitions. */
export interface RegistryLimits {
  readonly documentBytesMax: number
  readonly controlsMax: number
  readonly partitionsMax: number
}

export const REGISTRY_LIMITS: RegistryLimits = {
  documentBytesMax: 128 * 1024 * 1024,
  controlsMax: 10_000,
  partitionsMax: 4096,
}

/** The accepted records of the registry. */
export function createContents(limits: RegistryLimits) {
  const documents = new Map<string, RegisteredDocument>()
  const controls = new Map<string, Control>()
  const reports = new Map<number, PartitionReport>()
  let documentBytes = 0

  const addDocument = (registered: RegisteredDocument, bytes: number): Refusal | undefined => {
    if (documents.has(registered.version)) return undefined
    if (documentBytes + bytes > limits.documentBytesMax)
      return tooMuch(`the documents would take more than ${limits.documentBytesMax} bytes`)
    documentBytes += bytes
    documents.set(registered.version, registered)
    return undefined
  }
  const addControl = (control: Control): undefined => {
    if (controls.has(control.id)) return
    controls.set(control.id, control)
    const [oldest] = controls.keys()
    // The topic still has the oldest.
    if (controls.size > limits.controlsMax && oldest !== undefined) controls.delete(oldest)
  }
  const addReport = (report: PartitionReport): Refusal | undefined => {
    if (report.partition >= limits.partitionsMax)
      return tooMuch(`there are at most ${limits.partitionsMax} partitions`)
    reports.set(report.partition, report)
    return undefined
  }

  return {
    /** Adds an entry of `bytes`; returns a refusal if it exceeds a limit. */
    add: (entry: Entry, bytes: number): Refusal | undefined => {
      if (entry.kind === 'document') return addDocument(entry.registered, bytes)
      return entry.kind === 'control' ? addControl(entry.control) : addReport(entry.report)
    },
    document: (version: string): RegisteredDocument | undefined => documents.get(version),
    documents: (): readonly RegisteredDocument[] => [...documents.values()],
    report: (partition: number): PartitionReport | undefined => reports.get(partition),
    controls: (): readonly Control[] => [...controls.values()],
  }
}

const tooMuch = (message: string): Refusal => ({ reason: 'too_much', message })

/** Why a record of the registry is refused. */
export const REFUSAL_REASONS = [
  'key_unknown',
  'not_json',
  'schema_invalid',
  'hash_mismatch',
  'key_mismatch',
  'signature_invalid',
  'too_much',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

export interface Refusal {
  readonly reason: RefusalReason
  /** One line. */
  readonly message: string
}

export type Entry =
  | { readonly kind: 'document'; readonly registered: RegisteredDocument }
  | { readonly kind: 'control'; readonly control: Control }
  | { readonly kind: 'report'; readonly report: PartitionReport }

type Examined = { readonly entry: Entry } | { readonly refusal: Refusal }

/**
 * Validates `record` of the registry's topic; verifies signatures if there is a `signingKey`. Never throws: anyone with access to the topic may
 * have written it.
 */
export function examine({ key, value }: LogRecord, signingKey: string | undefined): Examined {
  const named = parseRegistryKey(key ?? '')
  if (!named) return refused('key_unknown', 'its key is no version, control change or partition')
  const content = parseJson(value)
  if (content === undefined) return refused('not_json', 'its value is not JSON')
  if (named.kind === 'document') return documentIn(content, named.version)
  if (named.kind === 'control') return controlIn(content, named.id, signingKey)
  return reportIn(content, named.partition, signingKey)
}

const refused = (reason: RefusalReason, message: string): Examined => ({ refusal: { reason, message } })

function documentIn(content: unknown, version: string): Examined {
  const kind = documentKindOf(content)
  if (!kind) return refused('schema_invalid', 'its `kind` is unknown')
  const { data, error } = DOCUMENT_SCHEMAS[kind].safeParse(content)
  if (error) return refused('schema_invalid', `invalid ${kind}: ${problemsOf(error)}`)
  const actual = versionIn(data)
  // Of the parsed document, which sessions will be judged by.
  if (actual !== version)
    return refused(
      'hash_mismatch',
      `its content has version \`${actual ?? 'unknown'}\`, another than its key`,
    )
  return { entry: { kind: 'document', registered: { kind, version, document: data } as RegisteredDocument } }
}

/** Undefined if the content is nested too deeply to be hashed. */
function versionIn(document: object): string | undefined {
  try {
    return versionOf(document)
  } catch {
    return undefined
  }
}

function controlIn(content: unknown, id: string, signingKey: string | undefined): Examined {
  const { data: control, error } = controlSchema.safeParse(content)
  if (error) return refused('schema_invalid', `invalid control change: ${problemsOf(error)}`)
  if (control.id !== id || control.partition !== null)
    return refused('key_mismatch', `it is the change \`${control.id}\` of partition ${control.partition}`)
  return isGenuine(control, signingKey) ? { entry: { kind: 'control', control } } : unsigned
}

function reportIn(content: unknown, partition: number, signingKey: string | undefined): Examined {
  const { data: report, error } = partitionReportSchema.safeParse(content)
  if (error) return refused('schema_invalid', `invalid report of a partition: ${problemsOf(error)}`)
  if (report.partition !== partition)
    return refused('key_mismatch', `it is the report of partition ${report.partition}`)
  return isGenuine(report, signingKey) ? { entry: { kind: 'report', report } } : unsigned
}

const unsigned = refused('signature_invalid', "its signature does not verify with the deployment's key")

const isGenuine = (record: Signed, key: string | undefined): boolean =>
  key === undefined || isSignedBy(record, key)

/** The first problems; a damaged bundle can have thousands. */
function problemsOf({ issues }: z.ZodError): string {
  const reported = issues
    .slice(0, PROBLEMS_MAX)
    .map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  const more = issues.length - reported.length
  return more > 0 ? `${reported.join('; ')}; and ${more} more` : reported.join('; ')
}

const PROBLEMS_MAX = 5

/**
 * The documents, control changes and partition reports of the registry topic, as far as read. It has valid records only: documents that match
 * their schema and whose hash is their key; changes and reports with a valid signature, if the key is known. A refused record does not replace
 * an earlier one, and records that the topic loses later stay.
 */
export interface Registry {
  document(version: string): RegisteredDocument | undefined
  /** In the order of registration. */
  documents(): readonly RegisteredDocument[]
  /** The last report of `partition` of the events topic; undefined before its first control change. */
  report(partition: number): PartitionReport | undefined
  /** The audit, oldest first. */
  controls(): readonly Control[]
  /** Reads to the current end of the topic: includes everything registered before the call. Rejects with `log_unavailable`. */
  refresh(signal?: AbortSignal): Promise<void>
  /** Stops reading. Idempotent. */
  close(): Promise<void>
}

export type RegistryLog = Pick<EventLog, 'describe' | 'read' | 'tail'>

export interface RegistryOptions {
  readonly log: RegistryLog
  readonly topic: string
  /** The deployment's key; without it signatures are not verified. */
  readonly signingKey?: string | undefined
  readonly logger?: Logger
  /** Called for each refused record. Must not throw. */
  readonly onRefused?: (refusal: RefusedRecord) => void
  /** Called for each new report. Must not throw. */
  readonly onReport?: (report: PartitionReport) => void
  /** Whether to keep reading (default), or only at `refresh`. */
  readonly watch?: boolean
  readonly limits?: Partial<RegistryLimits>
  readonly signal?: AbortSignal
}

export interface RefusedRecord extends Refusal {
  /** At most 80 characters. */
  readonly key: string
  readonly offset: bigint
}

/**
 * Opens the registry in `topic`; resolves once it is read to its end. Throws `config_invalid` if the topic is missing or has several
 * partitions, and `log_unavailable`.
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { log, topic, signal, watch: follow = true, logger = silentLogger } = options
  await assertOrdered(log, topic)
  const contents = createContents({ ...REGISTRY_LIMITS, ...options.limits })
  const closing = new AbortController()
  const over = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  let next = 0n

  const refuse = ({ key, offset }: LogRecord, { reason, message }: Refusal) => {
    const refused = { key: (key ?? '').slice(0, KEY_SHOWN_MAX), offset, reason, message }
    // Not named `key`: fields with that name are redacted.
    logger.warn('refused a record of the registry', {
      topic,
      record: refused.key,
      offset,
      reason,
      message,
    })
    options.onRefused?.(refused)
  }
  const take = (record: LogRecord) => {
    // Two readers may pass a record. Both read everything from `next` in order, so the first to arrive is the next one.
    if (record.offset < next) return
    next = record.offset + 1n
    // A deleted document stays for those who use it.
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

/** Records of several partitions would have no order. */
async function assertOrdered(log: RegistryLog, topic: string): Promise<void> {
  const partitions = await log.describe(topic)
  if (!partitions)
    throw new PlimsollError(
      'config_invalid',
      `there is no topic \`${topic}\`: \`plimsoll doctor --create\` creates missing topics`,
    )
  if (partitions.length !== 1)
    throw new PlimsollError(
      'config_invalid',
      `topic \`${topic}\` has ${partitions.length} partitions: recreate it with one, and publish its documents again`,
    )
}

export type RegisterLog = Pick<EventLog, 'produce' | 'settings'>

/**
 * Writes `document` to the registry in `topic` under its version, which it returns. An existing document is written again, which repairs it if
 * it was overwritten. Throws `document_invalid` if it is larger than the topic accepts, and what `produce` throws.
 */
export async function registerDocument(
  log: RegisterLog,
  topic: string,
  document: Documents[keyof Documents],
): Promise<string> {
  const version = versionOf(document)
  const value = canonicalJson(document)
  await assertFits(log, topic, document, Buffer.byteLength(value))
  await log.produce(topic, [{ key: registryKey.document(version), value }])
  return version
}

async function assertFits(
  log: RegisterLog,
  topic: string,
  document: Documents[keyof Documents],
  bytes: number,
): Promise<void> {
  const max = Number((await log.settings(topic))?.[MESSAGE_BYTES_SETTING])
  // If the limit is unknown, the write fails.
  if (!(bytes + RECORD_OVERHEAD_BYTES > max)) return
  throw new PlimsollError(
    'document_invalid',
    `${documentKindOf(document)} \`${document.name}\` has ${bytes} bytes, and topic \`${topic}\` accepts ${max}: ` +
      `raise its ${MESSAGE_BYTES_SETTING} to at least ${bytes + RECORD_OVERHEAD_BYTES}`,
  )
}

const MESSAGE_BYTES_SETTING = 'max.message.bytes'
/** Kafka's batch and record headers, with the key. */
const RECORD_OVERHEAD_BYTES = 256
