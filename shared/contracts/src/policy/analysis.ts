import { z } from 'zod'
import { specIdSchema } from './ids.js'
import { stepPatternSchema } from './pattern.js'

/** So many steps does a sequence have at most. */
export const SEQUENCE_MAX = 8

/** Runs of a session, told by the steps that ran. Stated apart from the specs that are to prevent them. */
export const runSchema = z.union([
  z
    .strictObject({
      sequence: z
        .array(stepPatternSchema)
        .min(1)
        .max(SEQUENCE_MAX)
        .describe('Steps that ran one after another, whatever ran between.'),
      unless: stepPatternSchema
        .optional()
        .describe('Once such a step has come back well, the sequence begins anew.'),
    })
    .describe('These steps ran in this order.'),
  z
    .strictObject({
      endsAfter: stepPatternSchema,
      without: stepPatternSchema.describe('What should have come back well after it.'),
    })
    .describe('The session ended after the one step without the other.'),
])
export type Run = z.infer<typeof runSchema>

const ids = z.array(specIdSchema).max(64)
const text = z.string().min(1).max(1000)

/** Systems-theoretic process analysis: from what must not be suffered to what must be required. Source: Towards Verifiably Safe Tool Use §3. */
export const analysisSchema = z.strictObject({
  stakeholders: z
    .array(z.strictObject({ id: specIdSchema, text, values: z.array(text).max(16).optional() }))
    .max(64)
    .optional(),
  losses: z
    .array(z.strictObject({ id: specIdSchema, text, stakeholders: ids.optional() }))
    .max(64)
    .optional()
    .describe('What a stakeholder must not suffer.'),
  hazards: z
    .array(
      z.strictObject({
        id: specIdSchema,
        text,
        losses: ids.optional(),
        reached: runSchema.optional().describe('The runs that are the hazard: what verification looks for.'),
      }),
    )
    .max(64)
    .optional()
    .describe('States of the system that can lead to a loss.'),
  unsafeControlActions: z
    .array(z.strictObject({ id: specIdSchema, text, hazards: ids.optional() }))
    .max(256)
    .optional(),
  requirements: z
    .array(
      z.strictObject({
        id: specIdSchema,
        text,
        hazards: ids.optional(),
        unsafeControlActions: ids.optional(),
      }),
    )
    .max(256)
    .optional(),
  goals: z
    .array(z.strictObject({ id: specIdSchema, text, reached: runSchema }))
    .max(64)
    .optional()
    .describe('What agents are for: verification shows that the policy leaves it possible.'),
})
export type Analysis = z.infer<typeof analysisSchema>
