import { z } from 'zod'
import { CAPABILITIES, CONFIDENTIALITY_LABELS, EVIDENCES, REVERSIBILITIES, TRUSTS } from '../words.js'
import { worldSchema } from './world.js'

/**
 * The labels of a tool. `confidentiality` and `trust` describe the data it returns; `none` means nothing sensitive. A catalogue's entry
 * without them leaves them unknown; elsewhere a missing label raises nothing. `tags` are free names such as `pii`.
 */
export const toolLabelsSchema = z.strictObject({
  capability: z.enum(CAPABILITIES),
  confidentiality: z.enum(CONFIDENTIALITY_LABELS).optional(),
  trust: z.enum(TRUSTS).optional(),
  reversibility: z.enum(REVERSIBILITIES),
  tags: z.array(z.string().max(64)).max(16).optional(),
})
export type ToolLabels = z.infer<typeof toolLabelsSchema>

/** Labels that a client declares for one step: they can only raise the catalogue's, so `none` is the same as no label. */
export const claimedLabelsSchema = toolLabelsSchema.partial()
export type ClaimedLabels = z.infer<typeof claimedLabelsSchema>

/** Value-level evidence: is sensitive data that the session has read in this step's arguments? */
export const evidenceSchema = z.strictObject({ sensitive: z.enum(EVIDENCES) })

export const patternSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'expected a tool name, `*` standing for any run of characters')

/** The content of an argument, which selects the reader that refines the tool's labels. */
export const ARGUMENT_READINGS = [
  'path',
  'sql',
  'shell',
  'code',
  'url',
  'powershell',
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
      .describe('a pattern for a text value; `*` matches any run of characters'),
    labels: claimedLabelsSchema.describe('the minimum labels of a call with such a value'),
  })
  .refine(
    ({ equals, matches }) => (equals === undefined) !== (matches === undefined),
    'expected one of `equals`, `matches`',
  )
export type WhenRule = z.infer<typeof whenRuleSchema>

/** One entry of a catalogue: the labels of some tools, and how their arguments are read. */
const catalogueEntrySchema = z.strictObject({
  tools: z.array(patternSchema).min(1).max(512).describe('names or patterns of the tools'),
  description: z.string().max(1000).optional().describe('for readers of the catalogue'),
  labels: toolLabelsSchema.describe(
    'the worst that such a tool can do; a missing `confidentiality` or `trust` is unknown, and counts as the policy says for unlabelled tools',
  ),
  least: toolLabelsSchema
    .optional()
    .describe('the minimum to which arguments can lower a call; by default they can only raise `labels`'),
  arguments: z
    .array(argumentRuleSchema)
    .max(64)
    .optional()
    .describe('which arguments are read, and how; without it and `when`, they are read by their names'),
  when: z.array(whenRuleSchema).max(64).optional().describe('labels for single values of an argument'),
  guessed: z
    .literal(true)
    .optional()
    .describe('proposed by a guess and not reviewed: `plimsoll label check` fails until you remove it'),
})
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>

/** The organisation of the agents; without it, nobody counts as inside or outside. */
const organisationSchema = z.strictObject({
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
    .describe('its domains, listed one by one: `*.example.com` matches all subdomains of `example.com`'),
})
export type Organisation = z.infer<typeof organisationSchema>

/**
 * A tool catalogue: the labels of tools. An exact name takes precedence over patterns, earlier patterns over later ones. It adds to the
 * shipped catalogues, and its entries win, unless it says `extends: none`.
 */
export const catalogueSchema = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('plimsoll.catalogue'),
  name: z.string().min(1).max(64),
  extends: z
    .literal('none')
    .optional()
    .describe('`none`: only these tools are labelled; without it, the catalogue adds to the shipped ones'),
  organisation: organisationSchema.optional(),
  world: worldSchema.optional().describe('where the programs of the agents run'),
  tools: z.array(catalogueEntrySchema).max(4096),
})
export type Catalogue = z.infer<typeof catalogueSchema>
