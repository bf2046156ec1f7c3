import { z } from 'zod'
import { controlLogSchema } from './controls.js'
import { digestSchema, versionSchema } from './ids.js'

/**
 * The registry topic holds three kinds of record, told apart by their keys. Values are JSON.
 * - `<version>`: a document (model bundle, policy or catalogue), whose content hash the key is;
 * - `control/<id>`: a control change, as the operator sent it: the audit;
 * - `partition/<number>`: what a partition of the events topic made of the latest change: a `PartitionReport`.
 * Source: docs/decisions/20261122-controls.md.
 */
export type RegistryKey =
  | { readonly kind: 'document'; readonly version: string }
  | { readonly kind: 'control'; readonly id: string }
  | { readonly kind: 'partition'; readonly partition: number }

export const registryKey = {
  document: (version: string): string => version,
  control: (id: string): string => `control/${id}`,
  partition: (partition: number): string => `partition/${partition}`,
} as const

/** What `key` names; undefined where it is none of ours. */
export function parseRegistryKey(key: string): RegistryKey | undefined {
  if (versionSchema.safeParse(key).success) return { kind: 'document', version: key }
  const [, kind, name = ''] = /^(control|partition)\/(.+)$/.exec(key) ?? []
  if (kind === 'control') return { kind, id: name }
  if (kind === 'partition' && /^\d{1,9}$/.test(name)) return { kind, partition: Number(name) }
  return undefined
}

export const REPORT_SCHEMA = 1

/** What one partition made of the latest control change, signed with the deployment's key. */
export const partitionReportSchema = z.strictObject({
  schema: z.literal(REPORT_SCHEMA),
  partition: z.int().min(0),
  offset: z.string().regex(/^\d+$/).describe('Offset of the change in the partition.'),
  control: z.string().describe('Id of the change.'),
  refused: z
    .strictObject({ code: z.string(), message: z.string() })
    .optional()
    .describe('Why it was refused; absent where it was applied.'),
  controls: controlLogSchema.describe('What stands after it.'),
  signature: digestSchema,
})
export type PartitionReport = z.infer<typeof partitionReportSchema>
