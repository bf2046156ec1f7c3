import { z } from 'zod'
import { specIdSchema } from './ids.js'
import { expressionSchema, recentPatternSchema, stepPatternSchema, windowSchema } from './pattern.js'

/** Over what something is counted: the whole session, or a window that slides in eighths of its length. */
const perSchema = z.union([z.literal('session'), windowSchema])
export type Per = z.infer<typeof perSchema>

/** Values kept of one session to tell different ones apart. */
export const DISTINCT_MAX = 32

export const flowSpecSchema = z
  .strictObject({
    from: recentPatternSchema.describe('Steps whose results bring the data; `within`: how long it counts.'),
    to: stepPatternSchema.describe('Steps by which it may leave.'),
    by: z
      .enum(['labels', 'values'])
      .optional()
      .describe(
        '`labels` (left out): whatever was read may be in whatever leaves. `values`: fingerprints tell where they can; what is known not to carry any passes.',
      ),
    declassifiers: z
      .array(specIdSchema)
      .max(32)
      .optional()
      .describe('Ids of those declassifiers and endorsers of the document that count for this flow.'),
  })
  .describe('Data of a kind that leaves by steps of a kind.')

/** What must have happened before for a spec to speak on a step of its kind. All that are given must hold. */
export const conditionMembers = {
  after: recentPatternSchema
    .optional()
    .describe('Such a step ran before. With the blocklist: never this after that.'),
  before: recentPatternSchema.optional().describe('No such step has come back well before.'),
  between: z
    .strictObject({ from: stepPatternSchema, to: stepPatternSchema })
    .optional()
    .describe('A step `from` ran, and none `to` has come back well since.'),
}

export const countingMembers = {
  atMost: z
    .strictObject({ times: z.int().min(0).max(1_000_000), per: perSchema })
    .optional()
    .describe('With this step more steps of the kind would have run than `times`.'),
  sum: z
    .strictObject({ of: expressionSchema, max: z.number().min(0), per: perSchema })
    .optional()
    .describe(
      "With this step the values of `of` over the kind's steps would add up to more than `max`; below 0 counts as 0.",
    ),
  distinct: z
    .strictObject({ of: expressionSchema, max: z.int().min(1).max(DISTINCT_MAX), per: perSchema })
    .optional()
    .describe(
      'With this step there would be more different values of `of` than `max`; of a list each value counts.',
    ),
  fleet: z
    .strictObject({
      sessions: z.int().min(0).max(1_000_000),
      seconds: z
        .int()
        .min(1)
        .max(30 * 86_400),
      of: z.enum(['tenant', 'deployment']).optional().describe('Left out: `tenant`.'),
    })
    .optional()
    .describe('With this session more sessions would have run such a step in the window than `sessions`.'),
  flow: flowSpecSchema.optional(),
}
