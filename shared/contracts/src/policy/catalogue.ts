import { z } from 'zod'
import { CAPABILITIES, CONFIDENTIALITY_LABELS, EVIDENCES, REVERSIBILITIES, TRUSTS } from '../words.js'

/**
 * What a tool is. `confidentiality` and `trust` speak of the data it returns: `none` is nothing of note. Left out in the `labels` of a catalogue's
 * entry they are unknown; left out elsewhere they say nothing, which raises nothing. `tags` are open names such as `pii`.
 */
export const toolLabelsSchema = z.strictObject({
  capability: z.enum(CAPABILITIES),
  confidentiality: z.enum(CONFIDENTIALITY_LABELS).optional(),
  trust: z.enum(TRUSTS).optional(),
  reversibility: z.enum(REVERSIBILITIES),
  tags: z.array(z.string().max(64)).max(16).optional(),
})
export type ToolLabels = z.infer<typeof toolLabelsSchema>

/** Labels that a client declares for one step: they can only raise what the catalogue says, so that `none` is the same as nothing. */
export const claimedLabelsSchema = toolLabelsSchema.partial()
export type ClaimedLabels = z.infer<typeof claimedLabelsSchema>

/** Value-level evidence: is sensitive data that the session has read in this step's arguments? */
export const evidenceSchema = z.strictObject({ sensitive: z.enum(EVIDENCES) })

export const patternSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'expected a tool name, `*` standing for any run of characters')

/** What an argument holds, and so which reading of it says more than the tool's name. */
export const ARGUMENT_READINGS = [
  'path',
  'sql',
  'shell',
  'code',
  'url',
  'http_method',
  'recipients',
  'amount',
  'flag',
] as const
export type ArgumentReading = (typeof ARGUMENT_READINGS)[number]

const argumentNameSchema = z
  .string()
  .min(1)
  .max(64)
  .describe("an argument's name at the top of a call, or `*` for every argument")

const argumentRuleSchema = z.strictObject({
  in: argumentNameSchema,
  as: z.enum(ARGUMENT_READINGS).describe('how the argument is read'),
})
export type ArgumentRule = z.infer<typeof argumentRuleSchema>

const whenRuleSchema = z
  .strictObject({
    in: argumentNameSchema,
    equals: z
      .union([z.string().max(256), z.number(), z.boolean()])
      .optional()
      .describe('the value itself'),
    matches: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('a pattern on a text value, `*` standing for any run of characters'),
    labels: claimedLabelsSchema.describe('what a call with such a value is at least'),
  })
  .refine(
    ({ equals, matches }) => (equals === undefined) !== (matches === undefined),
    'expected one of `equals`, `matches`',
  )
export type WhenRule = z.infer<typeof whenRuleSchema>

/** One line of a catalogue: what some tools are, and what their arguments make of them. */
export const catalogueEntrySchema = z.strictObject({
  tools: z.array(patternSchema).min(1).max(512).describe('names or patterns of the tools meant'),
  description: z.string().max(1000).optional().describe('for readers of the catalogue'),
  labels: toolLabelsSchema.describe(
    'the worst that such a tool can do; `confidentiality` or `trust` left out is unknown: what the policy takes an unlabelled tool for',
  ),
  least: toolLabelsSchema
    .optional()
    .describe('how far its arguments may bring a call down; left out, arguments can only raise `labels`'),
  arguments: z
    .array(argumentRuleSchema)
    .max(64)
    .optional()
    .describe('which arguments are read, and how; left out (with `when`), they are read by their names'),
  when: z.array(whenRuleSchema).max(64).optional().describe('what single values of an argument say'),
  guessed: z
    .literal(true)
    .optional()
    .describe(
      'proposed on a guess, and no human has looked: `plimsoll label check` fails until it is taken away',
    ),
})
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>

/** Whom the agents work for; where it is left out, nobody counts as inside or outside. */
export const organisationSchema = z.strictObject({
  domains: z
    .array(
      z
        .string()
        .max(253)
        .regex(
          /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/,
          'expected a domain in lower case, or `*.` and a domain for all below it',
        ),
    )
    .max(256)
    .describe('its domains, each by itself: `*.example.com` stands for all below `example.com`'),
})
export type Organisation = z.infer<typeof organisationSchema>

/** A tool catalogue: which labels which tools carry. An exact name goes before patterns, earlier patterns before later ones. */
export const catalogueSchema = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('plimsoll.catalogue'),
  name: z.string().min(1).max(64),
  organisation: organisationSchema.optional(),
  tools: z.array(catalogueEntrySchema).max(4096),
})
export type Catalogue = z.infer<typeof catalogueSchema>
