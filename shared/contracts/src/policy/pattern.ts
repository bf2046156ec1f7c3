import { z } from 'zod'
import { CAPABILITIES, CONFIDENTIALITIES, REVERSIBILITIES, TRUSTS } from '../words.js'
import { patternSchema } from './catalogue.js'

/** Where a step's data goes, seen from the catalogue's organisation. */
export const RECIPIENTS = ['internal', 'external'] as const

const tagSchema = z.string().min(1).max(64)

const someOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.array(z.enum(words)).min(1).max(words.length)

/** A CEL expression over `args`, the arguments that the client discloses. */
export const expressionSchema = z.string().min(1).max(500)

/** Members by which steps are told apart. A step matches where it has one of each list, and `where` holds. */
export const patternMembers = {
  tools: z
    .array(patternSchema)
    .min(1)
    .max(512)
    .optional()
    .describe('Names, `*` standing for any run of characters.'),
  capability: someOf(CAPABILITIES).optional(),
  confidentiality: someOf(CONFIDENTIALITIES)
    .optional()
    .describe('Of the data that the step returns: these very ones, no others.'),
  trust: someOf(TRUSTS).optional().describe('Of the data that the step returns.'),
  reversibility: someOf(REVERSIBILITIES).optional(),
  tags: z
    .array(tagSchema)
    .min(1)
    .max(16)
    .optional()
    .describe('One of the open names that label the tool or its result.'),
  recipient: z
    .enum(RECIPIENTS)
    .optional()
    .describe(
      '`external`: somebody outside of the organisation gets it. Unknown if the client reports no recipients.',
    ),
  where: expressionSchema
    .optional()
    .describe(
      'A CEL expression over `args`: true or false. Not known where an argument that it reads is not disclosed.',
    ),
}
export const PATTERN_MEMBERS = Object.keys(patternMembers) as readonly (keyof typeof patternMembers)[]

/** How far back or ahead: steps of the session, or seconds on the log's clock. */
export const windowSchema = z.union([
  z.strictObject({ steps: z.int().min(1).max(10_000) }),
  z.strictObject({
    seconds: z
      .int()
      .min(1)
      .max(30 * 86_400),
  }),
])
export type Window = z.infer<typeof windowSchema>

const bare = z.strictObject(patternMembers)
export type StepPattern = z.infer<typeof bare>

const hasCondition = (pattern: object): boolean => PATTERN_MEMBERS.some((member) => member in pattern)
const NO_CONDITION = `expected at least one of ${PATTERN_MEMBERS.map((member) => `\`${member}\``).join(', ')}`

/** The same for JSON Schema, which knows nothing of refinements: editors tell it as it is written. */
const SOME_CONDITION = { anyOf: PATTERN_MEMBERS.map((member) => ({ required: [member] })) }

/** Steps of a kind. */
export const stepPatternSchema = bare.refine(hasCondition, NO_CONDITION).meta(SOME_CONDITION)

/** Steps of a kind, lately. */
export const recentPatternSchema = z
  .strictObject({
    ...patternMembers,
    within: windowSchema.optional().describe('Left out: ever in the session.'),
  })
  .refine(hasCondition, NO_CONDITION)
  .meta(SOME_CONDITION)
export type RecentPattern = z.infer<typeof recentPatternSchema>
