import { z } from 'zod'
import { fingerprintsSchema } from './fingerprints.js'
import { CONFIDENTIALITIES, TAINTS } from './words.js'

/**
 * What a session takes over from a relative: a sub-agent from whoever delegated to it, and back with its answer. It only raises what a
 * session has come to, and vouches for nothing. Source: docs/reference/labels.md, relatives.
 */
export const inheritsSchema = z.strictObject({
  taint: z.enum(TAINTS).optional().describe('What the relative has read.'),
  confidentiality: z
    .enum(CONFIDENTIALITIES)
    .optional()
    .describe('Of the most confidential data that the relative knows.'),
  unseen: z
    .boolean()
    .optional()
    .describe('Whether it knows sensitive data that is not, or not all, among the fingerprints.'),
  fingerprints: z
    .strictObject({
      untrusted: fingerprintsSchema.optional(),
      instructed: fingerprintsSchema
        .optional()
        .describe('Of parts of untrusted results that read like instructions.'),
      sensitive: fingerprintsSchema.optional(),
    })
    .optional()
    .describe('Of what the relative has read, under the key that its root session shares with all of them.'),
})
export type Inherits = z.infer<typeof inheritsSchema>
