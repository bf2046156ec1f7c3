import { z } from 'zod'
import {
  expressionSchema,
  patternMembers,
  recentPatternSchema,
  stepPatternSchema,
  windowSchema,
} from './pattern.js'

/** Ids of what stands in a policy: specs, requirements, hazards, … */
export const specIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1–64 letters, digits, `.`, `_`, `-`')

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
        '`labels` (left out): whatever was read may be in whatever leaves. `values`: fingerprints decide where they can; what is known to carry none passes.',
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

/** Sources whose results an allowlist spec may lift. */
export const LIFTABLE_SOURCES = [
  'line',
  'integrity',
  'irreversible',
  'hazard',
  'forward',
  'confirmation',
  'unlabelled',
] as const
export type LiftableSource = (typeof LIFTABLE_SOURCES)[number]

export const TIERS = ['blocklist', 'mustlist', 'allowlist', 'confirmation'] as const
export type Tier = (typeof TIERS)[number]

const spec = {
  id: specIdSchema,
  requirements: z.array(specIdSchema).max(32).optional().describe('Requirement ids that this spec serves.'),
  message: z.string().max(500).optional(),
  /** The steps that it speaks on. */
  ...patternMembers,
}
const alternative = z.string().max(500).optional().describe('Something safer that would do.')
const counts = z
  .enum(['steps', 'proposals'])
  .optional()
  .describe('What its windows of steps count: steps that were let run (left out), or blocked proposals too.')

const restricting = { ...spec, alternative, counts, ...conditionMembers, ...countingMembers }

export const requiresSchema = recentPatternSchema.describe(
  'Such a step must have come back well before this one; while it is in flight the answer says what to wait for.',
)

export const followedBySchema = z.strictObject({
  step: stepPatternSchema.describe('What pays: let run after this step, and come back well.'),
  within: z
    .union([windowSchema, z.literal('session')])
    .describe('How long there is time; `session`: until it ends.'),
  exit: z
    .enum(['allow', 'confirm', 'block'])
    .optional()
    .describe(
      'What becomes of the block on other steps once a proposal that would have paid was itself blocked: it is lifted with a warning, a human is asked (left out), or it stays.',
    ),
})

export const specSchema = z.discriminatedUnion('tier', [
  z.strictObject({ ...restricting, tier: z.literal('blocklist') }),
  z.strictObject({
    ...restricting,
    tier: z.literal('confirmation'),
    verdict: z.enum(['warn', 'confirm']).optional().describe('Left out: `confirm`.'),
  }),
  z.strictObject({
    ...spec,
    counts,
    ...conditionMembers,
    tier: z.literal('allowlist'),
    lifts: z.array(z.enum(LIFTABLE_SOURCES)).min(1),
  }),
  z.strictObject({
    ...spec,
    alternative,
    counts,
    tier: z.literal('mustlist'),
    requires: requiresSchema.optional(),
    followedBy: followedBySchema.optional(),
    verdict: z
      .enum(['warn', 'confirm', 'block'])
      .optional()
      .describe('On the step that comes too early, or that would pass the deadline. Left out: `block`.'),
  }),
])
export type Spec = z.infer<typeof specSchema>
export type SpecOf<T extends Tier> = Extract<Spec, { tier: T }>
