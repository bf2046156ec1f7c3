import { z } from 'zod'
import {
  type Capability,
  type Confidentiality,
  type ObjectKind,
  type Reach,
  type Reversibility,
  CAPABILITIES,
  CONFIDENTIALITIES,
  FINAL_ACTS,
  OBJECT_KINDS,
  REACHES,
  REVERSIBILITIES,
  TRUSTS,
} from '../words.js'
import { patternSchema } from './catalogue.js'

/** Recipients of a step's data relative to the catalogue's organisation. */
const RECIPIENTS = ['internal', 'external'] as const

const tagSchema = z.string().min(1).max(64)

const someOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.array(z.enum(words)).min(1).max(words.length)

/** A CEL expression over `args`, the arguments that the client discloses. */
export const expressionSchema = z.string().min(1).max(500)

/** Schemas of lists of words, under names: written out, their types would stand in each pattern of each kind of spec. */
export interface CapabilitiesSchema extends z.ZodType<Capability[]> {}
export interface ConfidentialitiesSchema extends z.ZodType<Confidentiality[]> {}
export interface ReversibilitiesSchema extends z.ZodType<Reversibility[]> {}
export interface ActsSchema extends z.ZodType<(typeof FINAL_ACTS)[number][]> {}
export interface ObjectsSchema extends z.ZodType<ObjectKind[]> {}
export interface ReachesSchema extends z.ZodType<Reach[]> {}
const capabilitiesSchema: CapabilitiesSchema = someOf(CAPABILITIES)
const confidentialitiesSchema: ConfidentialitiesSchema = someOf(CONFIDENTIALITIES)
const reversibilitiesSchema: ReversibilitiesSchema = someOf(REVERSIBILITIES)
const actsSchema: ActsSchema = someOf(FINAL_ACTS)
const objectsSchema: ObjectsSchema = someOf(OBJECT_KINDS)
const reachesSchema: ReachesSchema = someOf(REACHES)

/** Members that select steps. A step matches if it has one value of each list, and `where` holds. */
export const patternMembers = {
  tools: z
    .array(patternSchema)
    .min(1)
    .max(512)
    .optional()
    .describe('Names; `*` matches any run of characters.'),
  capability: capabilitiesSchema.optional(),
  confidentiality: confidentialitiesSchema
    .optional()
    .describe('Of the data that the step returns: exactly these.'),
  trust: someOf(TRUSTS).optional().describe('Of the data that the step returns.'),
  reversibility: reversibilitiesSchema.optional(),
  tags: z
    .array(tagSchema)
    .min(1)
    .max(16)
    .optional()
    .describe('One of the free names that label the tool or its result.'),
  act: actsSchema
    .optional()
    .describe(
      'What the step does that cannot be taken back. With `object` and `reach` it is about one thing that the step does. Unknown if the client reports no effects, or did not understand the step.',
    ),
  object: objectsSchema.optional().describe('The kind of what it does that to.'),
  reach: reachesSchema
    .optional()
    .describe(
      '`own`: the session made it; `project`: inside the working folder; `shared`: beyond it; `live`: what people use now; `control`: what guards or starts the agent.',
    ),
  recipient: z
    .enum(RECIPIENTS)
    .optional()
    .describe(
      '`external`: somebody outside of the organisation gets it. Unknown if the client reports no recipients.',
    ),
  where: expressionSchema
    .optional()
    .describe(
      'A CEL expression over `args`: true or false. Unknown if it reads an argument that is not disclosed.',
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

/** The same for JSON Schema, which has no refinements, so that editors check it. */
const SOME_CONDITION = { anyOf: PATTERN_MEMBERS.map((member) => ({ required: [member] })) }

/** Steps of a kind. */
export const stepPatternSchema = bare.refine(hasCondition, NO_CONDITION).meta(SOME_CONDITION)

/** Steps of a kind within a window. */
export const recentPatternSchema = z
  .strictObject({
    ...patternMembers,
    within: windowSchema.optional().describe('Default: ever in the session.'),
  })
  .refine(hasCondition, NO_CONDITION)
  .meta(SOME_CONDITION)
export type RecentPattern = z.infer<typeof recentPatternSchema>
