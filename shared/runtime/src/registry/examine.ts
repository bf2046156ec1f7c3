import {
  controlSchema,
  DOCUMENT_SCHEMAS,
  documentKindOf,
  isSignedBy,
  parseRegistryKey,
  partitionReportSchema,
  versionOf,
  type Control,
  type PartitionReport,
  type RegisteredDocument,
  type Signed,
} from '@plimsoll/contracts'
import type { z } from 'zod'
import type { LogRecord } from '../event-log.js'

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
  const told = issues
    .slice(0, PROBLEMS_MAX)
    .map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  const more = issues.length - told.length
  return more > 0 ? `${told.join('; ')}; and ${more} more` : told.join('; ')
}

const PROBLEMS_MAX = 5
