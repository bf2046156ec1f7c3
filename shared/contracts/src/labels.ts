import { z } from 'zod'
import { CAPABILITIES, CONFIDENTIALITIES, EVIDENCES, REVERSIBILITIES, TRUSTS } from './words.js'

/**
 * What a tool is. `confidentiality` and `trust` speak of the data it returns; left out, it returns nothing of note (exposure
 * `none`) from a trusted source. `tags` are open names such as `pii`.
 */
export const toolLabelsSchema = z.strictObject({
  capability: z.enum(CAPABILITIES),
  confidentiality: z.enum(CONFIDENTIALITIES).optional(),
  trust: z.enum(TRUSTS).optional(),
  reversibility: z.enum(REVERSIBILITIES),
  tags: z.array(z.string().max(64)).max(16).optional(),
})
export type ToolLabels = z.infer<typeof toolLabelsSchema>

/** Labels that a client declares for one step: they can only raise what the catalogue says. */
export const claimedLabelsSchema = toolLabelsSchema.partial()
export type ClaimedLabels = z.infer<typeof claimedLabelsSchema>

/** Value-level evidence: is sensitive data that the session has read in this step's arguments? */
export const evidenceSchema = z.strictObject({ sensitive: z.enum(EVIDENCES) })

export const patternSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'expected a tool name, `*` standing for any run of characters')

/** A tool catalogue: which labels which tools carry. An exact name goes before patterns, earlier patterns before later ones. */
export const catalogueSchema = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('plimsoll.catalogue'),
  name: z.string().min(1).max(64),
  tools: z
    .array(z.strictObject({ tools: z.array(patternSchema).min(1).max(512), labels: toolLabelsSchema }))
    .max(4096),
})
export type Catalogue = z.infer<typeof catalogueSchema>
