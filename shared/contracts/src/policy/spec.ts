import { z } from 'zod'
import { conditionMembers, countingMembers } from './condition.js'
import { specIdSchema } from './ids.js'
import { patternMembers, recentPatternSchema, stepPatternSchema, windowSchema } from './pattern.js'

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
      'What becomes of the block on other steps once a proposal that would have paid was itself blocked: it is let go with a warning, a human is asked (left out), or it stays.',
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
