import { z } from 'zod'
import { digestSchema, versionSchema } from '../ids.js'
import { controlLogSchema } from './controls.js'

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

/**
 * Whether `name` matches `pattern`, in which `*` stands for any run of characters (none too) and everything else for itself.
 * Linear in practice and never more than |pattern| × |name|: only the last `*` is ever tried again.
 *
 * @example matchesTool('mcp__*__send_*', 'mcp__mail__send_email') // true
 */
export function matchesTool(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let i = 0
  while (i < name.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = i
    } else if (pattern[at] === name[i]) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
