import { z } from 'zod'
import { PERMITTED_SCOPES } from '../words.js'
import {
  type StepPattern,
  expressionSchema,
  patternMembers,
  recentPatternSchema,
  stepPatternSchema,
  windowSchema,
} from './pattern.js'

/** Ids in a policy: of specs, requirements, hazards, … */
export const specIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1–64 letters, digits, `.`, `_`, `-`')

/** The range of a count: the whole session, or a window that slides in eighths of its length. */
const perSchema = z.union([z.literal('session'), windowSchema])
export type Per = z.infer<typeof perSchema>

/** Maximum distinct values kept of one session. */
const DISTINCT_MAX = 32

const flowSpecSchema = z
  .strictObject({
    from: recentPatternSchema.describe('Steps whose results bring the data; `within`: how long it counts.'),
    to: stepPatternSchema.describe('Steps by which it can leave.'),
    by: z
      .enum(['labels', 'values'])
      .optional()
      .describe(
        '`labels` (default): any outgoing step may hold any data that was read. `values`: fingerprints decide if they can; a step known to hold none of the data passes.',
      ),
    declassifiers: z
      .array(specIdSchema)
      .max(32)
      .optional()
      .describe('Ids of the declassifiers and endorsers that apply to this flow.'),
  })
  .describe('Data of a kind that leaves by steps of a kind.')

/** The conditions on earlier steps for a spec to match. All given conditions must hold. */
const conditionMembers = {
  after: recentPatternSchema
    .optional()
    .describe('Such a step ran before. In the blocklist: never this step after that one.'),
  before: recentPatternSchema.optional().describe('No such step has completed with `ok` before.'),
  between: z
    .strictObject({ from: stepPatternSchema, to: stepPatternSchema })
    .optional()
    .describe('A step `from` ran, and no step `to` has completed with `ok` since.'),
}

/** How far an approval may reach. Source: docs/decisions/20261125-approvals.md. */
export const approvalTermsSchema = z
  .strictObject({
    scopes: z.array(z.enum(PERMITTED_SCOPES)).min(1),
    arguments: z
      .enum(['same', 'any'])
      .optional()
      .describe(
        'The steps that an approval beyond `once` covers: with the `same` arguments (default), or with `any`.',
      ),
    seconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .describe('How long an approval for the session counts.'),
    days: z
      .int()
      .min(1)
      .max(90)
      .optional()
      .describe('With the scope `always`: how long such an approval counts.'),
  })
  .refine(
    ({ scopes, days }) => (days !== undefined) === scopes.includes('always'),
    'expected `days` with the scope `always`, and only with it',
  )
  .refine(
    ({ scopes }) => scopes.includes('session') || !scopes.includes('always'),
    'the scope `always` goes with `session`',
  )
  .meta({
    description:
      'Scopes that a human may choose for an approval. Default: `once`. Never for a step that is irreversible or does an irreversible act; for a program only with the `same` arguments.',
    $comment: 'Besides: `days` goes with the scope `always`, and `always` with `session`.',
  })
export type ApprovalTerms = z.infer<typeof approvalTermsSchema>

const countingMembers = {
  atMost: z
    .strictObject({ times: z.int().min(0).max(1_000_000), per: perSchema })
    .optional()
    .describe('With this step, more than `times` steps of the kind would have run.'),
  sum: z
    .strictObject({ of: expressionSchema, max: z.number().min(0), per: perSchema })
    .optional()
    .describe(
      "With this step, the sum of `of` over the kind's steps would exceed `max`; values below 0 count as 0.",
    ),
  distinct: z
    .strictObject({ of: expressionSchema, max: z.int().min(1).max(DISTINCT_MAX), per: perSchema })
    .optional()
    .describe(
      'With this step, there would be more than `max` distinct values of `of`; each value of a list counts.',
    ),
  fleet: z
    .strictObject({
      sessions: z.int().min(0).max(1_000_000),
      seconds: z
        .int()
        .min(1)
        .max(30 * 86_400),
      of: z.enum(['tenant', 'deployment']).optional().describe('Default: `tenant`.'),
    })
    .optional()
    .describe('With this session, more than `sessions` sessions would have run such a step in the window.'),
  flow: flowSpecSchema.optional(),
}

/** Sources whose reasons an allowlist spec may lift. */
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

const TIERS = ['blocklist', 'mustlist', 'allowlist', 'confirmation'] as const
export type Tier = (typeof TIERS)[number]

const spec = {
  id: specIdSchema,
  requirements: z
    .array(specIdSchema)
    .max(32)
    .optional()
    .describe('Ids of the requirements that this spec implements.'),
  message: z.string().max(500).optional(),
  /** The steps that it matches. */
  ...patternMembers,
}
const alternative = z.string().max(500).optional().describe('A safer alternative.')
const counts = z
  .enum(['steps', 'proposals'])
  .optional()
  .describe('The unit of its step windows: steps that ran (default), or blocked proposals too.')

const restricting = { ...spec, alternative, counts, ...conditionMembers, ...countingMembers }

const requiresSchema = recentPatternSchema.describe(
  'Such a step must have completed with `ok` before this one; while it is in flight the decision names the call to wait for.',
)

const followedBySchema = z.strictObject({
  step: stepPatternSchema.describe('The step that pays: it runs after this one and completes with `ok`.'),
  within: z.union([windowSchema, z.literal('session')]).describe('The time limit; `session`: until its end.'),
  exit: z
    .enum(['allow', 'confirm', 'block'])
    .optional()
    .describe(
      'The block on other steps after a proposal that would have paid was itself blocked: it becomes a warning, needs approval (default), or stays.',
    ),
})

export const specSchema = z.discriminatedUnion('tier', [
  z.strictObject({ ...restricting, tier: z.literal('blocklist') }),
  z.strictObject({
    ...restricting,
    tier: z.literal('confirmation'),
    verdict: z.enum(['warn', 'confirm']).optional().describe('Default: `confirm`.'),
    approval: approvalTermsSchema.optional(),
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
      .describe('For the step that is too early, or that would miss the deadline. Default: `block`.'),
  }),
])
export type Spec = z.infer<typeof specSchema>
export type SpecOf<T extends Tier> = Extract<Spec, { tier: T }>

type KeysOf<T> = T extends unknown ? keyof T : never

/** Members of a spec that are no condition: a new member of the schema is one, unless it stands here. */
type PlainKey =
  | keyof StepPattern
  | 'id'
  | 'requirements'
  | 'message'
  | 'tier'
  | 'alternative'
  | 'counts'
  | 'verdict'
  | 'approval'
  | 'lifts'

/** A member by which a spec depends on what came before the step. `CONDITIONS` of shared/policy says what each is. */
export type ConditionKey = Exclude<KeysOf<Spec>, PlainKey>
type ValueIn<S, K> = S extends unknown ? (K extends keyof S ? NonNullable<S[K]> : never) : never
export type ConditionValue<K extends ConditionKey> = ValueIn<Spec, K>
/** The conditions that a spec of this type can have. */
export type ConditionsOf<S extends Spec> = S extends unknown ? Pick<S, Extract<keyof S, ConditionKey>> : never
