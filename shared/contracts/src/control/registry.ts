import { z } from 'zod'
import { digestSchema, versionSchema } from '../ids.js'
import { controlLogSchema } from './controls.js'

/**
 * The registry topic holds three kinds of record, distinguished by their keys. Values are JSON.
 * - `<version>`: a document (model bundle, policy or catalogue), keyed by its content hash;
 * - `control/<id>`: a control change as the operator sent it, for audit;
 * - `partition/<number>`: a `PartitionReport`, the result of the latest change in a partition of the events topic.
 * Source: docs/decisions/20261122-controls.md.
 */
type RegistryKey =
  | { readonly kind: 'document'; readonly version: string }
  | { readonly kind: 'control'; readonly id: string }
  | { readonly kind: 'partition'; readonly partition: number }

export const registryKey = {
  document: (version: string): string => version,
  control: (id: string): string => `control/${id}`,
  partition: (partition: number): string => `partition/${partition}`,
} as const

/** The parsed key; undefined if it is not a registry key. */
export function parseRegistryKey(key: string): RegistryKey | undefined {
  if (versionSchema.safeParse(key).success) return { kind: 'document', version: key }
  const [, kind, name = ''] = /^(control|partition)\/(.+)$/.exec(key) ?? []
  if (kind === 'control') return { kind, id: name }
  if (kind === 'partition' && /^\d{1,9}$/.test(name)) return { kind, partition: Number(name) }
  return undefined
}

export const REPORT_SCHEMA = 1

/** The result of the latest control change in one partition, signed with the deployment's key. */
export const partitionReportSchema = z.strictObject({
  schema: z.literal(REPORT_SCHEMA),
  partition: z.int().min(0),
  offset: z.string().regex(/^\d+$/).describe('Offset of the change in the partition.'),
  control: z.string().describe('Id of the change.'),
  refused: z
    .strictObject({ code: z.string(), message: z.string() })
    .optional()
    .describe('Why it was refused; absent if it was applied.'),
  controls: controlLogSchema.describe('The controls after it.'),
  signature: digestSchema,
})
export type PartitionReport = z.infer<typeof partitionReportSchema>
