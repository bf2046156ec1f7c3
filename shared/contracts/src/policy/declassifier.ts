import { z } from 'zod'
import { specIdSchema } from './ids.js'
import { stepPatternSchema } from './pattern.js'

/**
 * A step that, come back well, changes what was read before it: a declassifier lowers a confidentiality or takes a tag away, an endorser
 * makes untrusted data trusted. `from` and `to` are labels: a confidentiality, a tag, or `untrusted`; without `to` nothing is left of it.
 */
export const declassifierSchema = z.strictObject({
  id: specIdSchema,
  step: stepPatternSchema,
  from: z.string().min(1).max(64),
  to: z.string().min(1).max(64).optional(),
})
export type Declassifier = z.infer<typeof declassifierSchema>
