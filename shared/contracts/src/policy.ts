import { z } from 'zod'
import { patternSchema, toolLabelsSchema } from './labels.js'
import { VERDICTS } from './words.js'

const specIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1–64 letters, digits, `.`, `_`, `-`')
const verdictSchema = z.enum(VERDICTS)

/** Sources whose results an allowlist spec may lift. */
export const LIFTABLE_SOURCES = ['line', 'hazard', 'forward', 'confirmation', 'unlabelled'] as const

const spec = {
  id: specIdSchema,
  requirements: z.array(specIdSchema).max(32).optional().describe('Requirement ids that this spec serves.'),
  tools: z.array(patternSchema).min(1).max(512),
  message: z.string().max(500).optional(),
}

const specSchema = z.discriminatedUnion('tier', [
  z.strictObject({ ...spec, tier: z.literal('blocklist'), alternative: z.string().max(500).optional() }),
  z.strictObject({ ...spec, tier: z.literal('allowlist'), lifts: z.array(z.enum(LIFTABLE_SOURCES)).min(1) }),
  z.strictObject({ ...spec, tier: z.literal('confirmation'), alternative: z.string().max(500).optional() }),
])

/** A policy: specs in tiers, and what each verdict source answers. Source: DESIGN §4. */
export const policySchema = z
  .strictObject({
    schema: z.literal(1),
    kind: z.literal('plimsoll.policy'),
    name: z.string().min(1).max(64),
    specs: z.array(specSchema).max(10_000),
    line: z
      .strictObject({ present: verdictSchema, absent: verdictSchema, unknown: verdictSchema })
      .describe('A step that is outgoing and irreversible after something sensitive was read, by evidence.'),
    hazard: z
      .tuple([verdictSchema, verdictSchema, verdictSchema])
      .describe("Verdicts at the bundle's three hazard thresholds."),
    forward: z
      .strictObject({
        verdicts: z.tuple([verdictSchema, verdictSchema, verdictSchema]),
        hysteresis: z.number().min(0).max(0.5),
      })
      .describe(
        'Verdicts on entering bands 1, 2 and 3 of the forward risk; a band is left `hysteresis` below its threshold.',
      ),
    unlabelled: z
      .strictObject({ verdict: verdictSchema, labels: toolLabelsSchema })
      .describe('A tool that no catalogue labels: what is answered, and what it is taken to be.'),
    approvals: z.strictObject({
      ttlSeconds: z
        .int()
        .min(1)
        .max(7 * 86_400),
    }),
  })
  .superRefine((policy, context) => {
    const seen = new Set<string>()
    for (const [i, { id }] of policy.specs.entries()) {
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: ['specs', i, 'id'], message: `spec \`${id}\` stands twice` })
      seen.add(id)
    }
  })
  .meta({ $comment: 'Besides: no two specs have one id.' })

export type Policy = z.infer<typeof policySchema>
export type Spec = Policy['specs'][number]
export type LiftableSource = (typeof LIFTABLE_SOURCES)[number]
