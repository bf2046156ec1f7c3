import { z } from 'zod'
import { fingerprintsSchema } from './fingerprints.js'

/** Limits that a user's text sets to what a session changes, as fingerprints of their names. */
export const limitsSchema = z.strictObject({
  only: fingerprintsSchema
    .max(20)
    .optional()
    .describe('Places to which changes are restricted: a change with none of these names needs an approval.'),
  never: fingerprintsSchema
    .max(20)
    .optional()
    .describe('What stays as it is: a change with one of these names needs an approval.'),
  waits: fingerprintsSchema
    .max(20)
    .optional()
    .describe('All that may change before a later message asks for a change.'),
  allows: fingerprintsSchema
    .max(20)
    .optional()
    .describe('What a later message asks to change: earlier limits no longer forbid it.'),
  goes: z.literal(true).optional().describe('A later message asks for a change, which ends `waits`.'),
})
export type Limits = z.infer<typeof limitsSchema>
