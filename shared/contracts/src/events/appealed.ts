import { z } from 'zod'
import { digestSchema, idSchema, lineSchema, toolNameSchema } from '../ids.js'
import { VERDICTS } from '../words.js'
import { envelope } from './envelope.js'

/** Reasons of a decision that an appeal repeats. */
export const APPEALED_REASONS_MAX = 32
/** What a decision should have been, as its appeal says. */
export const EXPECTED_VERDICTS = ['allow', 'block'] as const
export type ExpectedVerdict = (typeof EXPECTED_VERDICTS)[number]

/** A decision was wrong, by who met it. Source: docs/decisions/20261129-appeals.md. */
export const appealedSchema = z.strictObject({
  ...envelope,
  type: z.literal('decision.appealed'),
  decisionId: z.string().min(1).max(400).describe('The decision that was wrong.'),
  callId: idSchema.describe('The step of that decision.'),
  tool: toolNameSchema,
  verdict: z.enum(VERDICTS).describe('What it said.'),
  expected: z
    .enum(EXPECTED_VERDICTS)
    .describe(
      'What it should have said. `block`: the step did harm, which a fit takes as the truth. `allow`: it was stopped or asked about for nothing.',
    ),
  reasons: z
    .array(lineSchema(300))
    .max(APPEALED_REASONS_MAX)
    .describe(
      'Its reasons that counted, each with source and code, as `irreversible:irreversible_not_asked`.',
    ),
  versions: z
    .strictObject({
      bundle: z.string().max(200),
      policy: z.string().max(200),
      catalogue: z.string().max(200),
      engine: z.string().max(200),
    })
    .optional()
    .describe("What it was decided by: with these, the session's events replay to it."),
  by: lineSchema(200).describe('The person who appeals.'),
  reason: lineSchema(2000).optional(),
  signature: digestSchema,
})
