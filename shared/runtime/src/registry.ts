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
} from '@plimsoll/contracts'
import type { z } from 'zod'
import type { EventLog, LogRecord } from './ports/event-log.js'
import { type Logger, silentLogger } from './telemetry/logger.js'

/**
 * What a registry holds in memory at most: the documents' text in bytes (their parsed form takes about three times as much), the latest
 * changes of the audit, and one report a partition.
 */
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

/** The registry's records that were taken, by what they are. */
export interface RegistryContents {
  /** Takes what the next record says, of `bytes`; tells where it is more than there may be. */
  add(entry: Entry, bytes: number): Refusal | undefined
  document(version: string): RegisteredDocument | undefined
  documents(): readonly RegisteredDocument[]
  report(partition: number): PartitionReport | undefined
  controls(): readonly Control[]
}

export function createContents(limits: RegistryLimits): RegistryContents {
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
    // The topic still has it.
    if (controls.size > limits.controlsMax && oldest !== undefined) controls.delete(oldest)
  }
  const addReport = (report: PartitionReport): Refusal | undefined => {
    if (report.partition >= limits.partitionsMax)
      return tooMuch(`there are at most ${limits.partitionsMax} partitions`)
    reports.set(report.partition, report)
    return undefined
  }

  return {
    add: (entry, bytes) => {
      if (entry.kind === 'document') return addDocument(entry.registered, bytes)
      return entry.kind === 'control' ? addControl(entry.control) : addReport(entry.report)
    },
    document: (version) => documents.get(version),
    documents: () => [...documents.values()],
    report: (partition) => reports.get(partition),
    controls: () => [...controls.values()],
  }
}

const tooMuch = (message: string): Refusal => ({ reason: 'too_much', message })

/** Why a record of the registry is not taken. */
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
  /** One line that says what is wrong with it. */
  readonly message: string
}

export type Entry =
  | { readonly kind: 'document'; readonly registered: RegisteredDocument }
  | { readonly kind: 'control'; readonly control: Control }
  | { readonly kind: 'report'; readonly report: PartitionReport }

export type Examined = { readonly entry: Entry } | { readonly refusal: Refusal }

/**
 * What `record` of the registry's topic says, or why it cannot be believed. Signatures are looked at where `signingKey` is given.
 * Throws nothing: anybody who may write to the topic may have written it.
 */
export function examine({ key, value }: LogRecord, signingKey: string | undefined): Examined {
  const named = parseRegistryKey(key ?? '')
  if (!named) return refused('key_unknown', 'its key names no version, no control change and no partition')
  const content = parseJson(value)
  if (content === undefined) return refused('not_json', 'its value is not JSON')
  if (named.kind === 'document') return documentIn(content, named.version)
  if (named.kind === 'control') return controlIn(content, named.id, signingKey)
  return reportIn(content, named.partition, signingKey)
}

const refused = (reason: RefusalReason, message: string): Examined => ({ refusal: { reason, message } })

/** Undefined for what is no JSON: JSON has no other undefined. */
function parseJson(value: Buffer | null): unknown {
  try {
    return JSON.parse(String(value)) as unknown
  } catch {
    return undefined
  }
}

function documentIn(content: unknown, version: string): Examined {
  const kind = documentKindOf(content)
  if (!kind) return refused('schema_invalid', 'its `kind` is that of no document')
  const { data, error } = DOCUMENT_SCHEMAS[kind].safeParse(content)
  if (error) return refused('schema_invalid', `it is no ${kind}: ${problemsOf(error)}`)
  const actual = versionIn(data)
  // Of what was parsed, which is what sessions will be judged by.
  if (actual !== version)
    return refused(
      'hash_mismatch',
      `its content is of version \`${actual ?? 'unknown'}\`, which its key is not`,
    )
  return { entry: { kind: 'document', registered: { kind, version, document: data } as RegisteredDocument } }
}

/** Undefined where the content is nested too deeply to be hashed. */
function versionIn(document: object): string | undefined {
  try {
    return versionOf(document)
  } catch {
    return undefined
  }
}

function controlIn(content: unknown, id: string, signingKey: string | undefined): Examined {
  const { data: control, error } = controlSchema.safeParse(content)
  if (error) return refused('schema_invalid', `it is no control change: ${problemsOf(error)}`)
  if (control.id !== id || control.partition !== null)
    return refused('key_mismatch', `it is the change \`${control.id}\` of partition ${control.partition}`)
  return isGenuine(control, signingKey) ? { entry: { kind: 'control', control } } : unsigned
}

function reportIn(content: unknown, partition: number, signingKey: string | undefined): Examined {
  const { data: report, error } = partitionReportSchema.safeParse(content)
  if (error) return refused('schema_invalid', `it is no report of a partition: ${problemsOf(error)}`)
  if (report.partition !== partition)
    return refused('key_mismatch', `it is the report of partition ${report.partition}`)
  return isGenuine(report, signingKey) ? { entry: { kind: 'report', report } } : unsigned
}

const unsigned = refused('signature_invalid', "its signature is not of the deployment's key")

const isGenuine = (record: Signed, key: string | undefined): boolean =>
  key === undefined || isSignedBy(record, key)

/** The first few; a damaged bundle can have thousands. */
function problemsOf({ issues }: z.ZodError): string {
  const reported = issues
    .slice(0, PROBLEMS_MAX)
    .map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  const more = issues.length - reported.length
  return more > 0 ? `${reported.join('; ')}; and ${more} more` : reported.join('; ')
}

const PROBLEMS_MAX = 5

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
  readonly watch?: boolean
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
  const { log, topic, signal, watch: follow = true, logger = silentLogger } = options
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
      `topic \`${topic}\` has ${partitions.length} partitions: recreate it with one, and publish its documents again`,
    )
}

export type RegisterLog = Pick<EventLog, 'produce' | 'settings'>

/**
 * Writes `document` to the registry in `topic` under its version, which it gives. A document that is there already is written once more,
 * which changes nothing and mends it where somebody has written over it. Throws `document_invalid` where it is larger than the topic
 * takes, and what `produce` throws.
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
  // A log that does not tell says so when it is written to.
  if (!(bytes + RECORD_OVERHEAD_BYTES > max)) return
  throw new PlimsollError(
    'document_invalid',
    `${documentKindOf(document)} \`${document.name}\` takes ${bytes} bytes, and topic \`${topic}\` takes ${max}: ` +
      `raise its ${MESSAGE_BYTES_SETTING} to ${bytes + RECORD_OVERHEAD_BYTES} at least`,
  )
}

const MESSAGE_BYTES_SETTING = 'max.message.bytes'
/** Kafka's batch and record headers, with the key. */
const RECORD_OVERHEAD_BYTES = 256
