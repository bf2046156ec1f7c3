import { z } from 'zod'
import { idSchema, toolNameSchema, versionSchema } from '../ids.js'
import { VERDICTS } from '../words.js'

export const SHADOW_SCHEMA = 1

/** Maximum reasons of a side in a record. */
export const SHADOW_REASONS_MAX = 32

const probability = z.number().min(0).max(1)

const judgementSchema = z.strictObject({
  bundle: versionSchema,
  policy: versionSchema,
  catalogue: versionSchema,
  verdict: z.enum(VERDICTS),
  category: z.string().describe('The category of the chain, or `aggregate`.'),
  hazard: probability.describe('p1: probability that this step is itself the violation.'),
  probability: probability.describe("P(violated within the bundle's horizon)."),
  band: z.int().min(0).max(3).describe('How many forward thresholds `probability` has reached.'),
  reasons: z
    .array(
      z.strictObject({
        source: z.string(),
        code: z.string().describe('The id of a spec, or a code of the source.'),
        verdict: z.enum(VERDICTS),
        liftedBy: z.string().optional(),
      }),
    )
    .max(SHADOW_REASONS_MAX)
    .describe('The reasons for the verdict, the most severe first.'),
})

/**
 * A step on which a candidate in shadow (bundle, policy, catalogue, or several) differs from the session's pinned versions in verdict or
 * band. Both sides judge as if no approval had been requested in the session, and without stops. Records can be lost; metrics count them
 * all.
 */
export const shadowRecordSchema = z.strictObject({
  schema: z.literal(SHADOW_SCHEMA),
  decisionId: z.string().describe('The decision on the step.'),
  sessionId: idSchema,
  tenant: z.string(),
  tool: toolNameSchema,
  step: z.int().min(1).describe('Number of the step in the session.'),
  time: z.int().describe('Append time of the proposal, milliseconds since 1970.'),
  decided: z.enum(VERDICTS).describe('The verdict of the decision.'),
  active: judgementSchema,
  candidate: judgementSchema,
  causes: z
    .array(
      z.strictObject({
        source: z.string().describe('`allowlist`: the spec lifts the reasons of others.'),
        code: z.string(),
        how: z.enum(['speaks', 'harsher', 'lifts_no_more', 'silent', 'milder', 'lifts']),
      }),
    )
    .max(SHADOW_REASONS_MAX)
    .describe('What causes the difference; empty if the two differ in band only.'),
})
export type ShadowRecord = z.infer<typeof shadowRecordSchema>
