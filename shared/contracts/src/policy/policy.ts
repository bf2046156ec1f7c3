import { z } from 'zod'
import { VERDICTS } from '../words.js'
import { toolLabelsSchema } from './catalogue.js'
import { stepPatternSchema } from './pattern.js'
import { type Spec, approvalTermsSchema, specIdSchema, specSchema } from './spec.js'

/** Maximum steps of a sequence. */
const SEQUENCE_MAX = 8

/** Runs of a session, described by the steps that ran. Stated separately from the specs that prevent them. */
const runSchema = z.union([
  z
    .strictObject({
      sequence: z
        .array(stepPatternSchema)
        .min(1)
        .max(SEQUENCE_MAX)
        .describe('Steps that ran in this order, with any steps between.'),
      unless: stepPatternSchema
        .optional()
        .describe('When such a step completes with `ok`, the sequence starts again.'),
    })
    .describe('These steps ran in this order.'),
  z
    .strictObject({
      endsAfter: stepPatternSchema,
      without: stepPatternSchema.describe('The step that should have completed with `ok` after it.'),
    })
    .describe('The session ended after the one step without the other.'),
])
export type Run = z.infer<typeof runSchema>

const ids = z.array(specIdSchema).max(64)
const text = z.string().min(1).max(1000)

/** Systems-theoretic process analysis: from losses to requirements. Source: Towards Verifiably Safe Tool Use §3. */
const analysisSchema = z.strictObject({
  stakeholders: z
    .array(z.strictObject({ id: specIdSchema, text, values: z.array(text).max(16).optional() }))
    .max(64)
    .optional(),
  losses: z
    .array(z.strictObject({ id: specIdSchema, text, stakeholders: ids.optional() }))
    .max(64)
    .optional()
    .describe('Losses to stakeholders.'),
  hazards: z
    .array(
      z.strictObject({
        id: specIdSchema,
        text,
        losses: ids.optional(),
        reached: runSchema
          .optional()
          .describe('The runs that realise the hazard, which verification searches for.'),
      }),
    )
    .max(64)
    .optional()
    .describe('States of the system that can lead to a loss.'),
  unsafeControlActions: z
    .array(z.strictObject({ id: specIdSchema, text, hazards: ids.optional() }))
    .max(256)
    .optional(),
  requirements: z
    .array(
      z.strictObject({
        id: specIdSchema,
        text,
        hazards: ids.optional(),
        unsafeControlActions: ids.optional(),
      }),
    )
    .max(256)
    .optional(),
  goals: z
    .array(z.strictObject({ id: specIdSchema, text, reached: runSchema }))
    .max(64)
    .optional()
    .describe("The agents' purpose: verification shows that the policy permits it."),
})
export type Analysis = z.infer<typeof analysisSchema>

/**
 * A step that changes labels of earlier data once it completes with `ok`: a declassifier lowers a confidentiality or removes a tag, an
 * endorser makes untrusted data trusted. `from` and `to` are labels: a confidentiality, a tag, or `untrusted`; without `to` the label is
 * removed.
 */
const declassifierSchema = z.strictObject({
  id: specIdSchema,
  step: stepPatternSchema,
  from: z.string().min(1).max(64),
  to: z.string().min(1).max(64).optional(),
})
export type Declassifier = z.infer<typeof declassifierSchema>

/** The OWASP Top 10 for Agentic Applications 2026, by its ids and titles. */
export const OWASP_AGENTIC = {
  ASI01: 'Agent Goal Hijack',
  ASI02: 'Tool Misuse and Exploitation',
  ASI03: 'Identity and Privilege Abuse',
  ASI04: 'Agentic Supply Chain Vulnerabilities',
  ASI05: 'Unexpected Code Execution (RCE)',
  ASI06: 'Memory & Context Poisoning',
  ASI07: 'Insecure Inter-Agent Communication',
  ASI08: 'Cascading Failures',
  ASI09: 'Human-Agent Trust Exploitation',
  ASI10: 'Rogue Agents',
} as const
export type OwaspItem = keyof typeof OWASP_AGENTIC
export const OWASP_ITEMS = Object.keys(OWASP_AGENTIC) as [OwaspItem, ...OwaspItem[]]

/** How many subcategories each category of the NIST AI Risk Management Framework 1.0 has, by function. */
const NIST_CATEGORIES = {
  GOVERN: [7, 3, 2, 3, 2, 2],
  MAP: [6, 3, 5, 2, 2],
  MEASURE: [3, 13, 3, 3],
  MANAGE: [4, 4, 2, 3],
} as const

/** Its subcategories in its order, as in `MANAGE 2.4`. */
export const NIST_SUBCATEGORIES: readonly string[] = Object.entries(NIST_CATEGORIES).flatMap(
  ([name, counts]) =>
    counts.flatMap((count, i) => Array.from({ length: count }, (_, j) => `${name} ${i + 1}.${j + 1}`)),
)

const mappingSchema = z.strictObject({
  owasp: z.array(z.enum(OWASP_ITEMS)).min(1).max(4),
  nist: z
    .array(
      z
        .string()
        .refine(
          (text) => NIST_SUBCATEGORIES.includes(text),
          'expected a subcategory of the NIST AI RMF, as in `MANAGE 2.4`',
        ),
    )
    .min(1)
    .max(4),
})

const packNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected 1–32 lower-case letters, digits, `-`')

/**
 * Specs for one kind of work that ship together, with their analysis. A policy names packs under `packs`; reading it puts their parts
 * before its own. All ids begin with the pack's name, so that packs and policies can be combined.
 */
export const packSchema = z
  .strictObject({
    schema: z.literal(1),
    kind: z.literal('plimsoll.pack'),
    name: packNameSchema,
    description: z.string().min(1).max(2000),
    analysis: analysisSchema,
    declassifiers: z.array(declassifierSchema).max(64).optional(),
    specs: z.array(specSchema).min(1).max(100),
    mapping: z.record(specIdSchema, mappingSchema).describe("Maps each spec's id to what it implements."),
  })
  .superRefine(({ name, specs, declassifiers = [], mapping, analysis }, context) => {
    const problem = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    for (const [i, { id }] of specs.entries()) {
      if (!id.startsWith(`${name}-`))
        problem(['specs', i, 'id'], `\`${id}\` does not begin with \`${name}-\``)
      if (!Object.hasOwn(mapping, id))
        problem(['mapping'], `spec \`${id}\` is not mapped: name what it serves`)
    }
    for (const id of Object.keys(mapping))
      if (!specs.some((spec) => spec.id === id)) problem(['mapping', id], `there is no spec \`${id}\``)
    const parts = Object.values(analysis).flatMap((list): readonly { id: string }[] => list ?? [])
    for (const { id } of [...declassifiers, ...parts])
      if (!id.startsWith(`${name}-`)) problem([], `\`${id}\` does not begin with \`${name}-\``)
  })
export type Pack = z.infer<typeof packSchema>

const verdictSchema = z.enum(VERDICTS)

const head = {
  schema: z.literal(1),
  kind: z.literal('plimsoll.policy'),
  name: z.string().min(1).max(64),
}

/** Packs that a policy can name. */
const PACKS_MAX = 16

const packs = z
  .array(packNameSchema)
  .max(PACKS_MAX)
  .optional()
  .describe(
    'Packs of specs that ship with Plimsoll, by name. Reading a policy puts their specs before its own; the registry holds policies without this member.',
  )

const body = {
  analysis: analysisSchema.optional().describe('The reasons for the specs, from losses to requirements.'),
  declassifiers: z.array(declassifierSchema).max(64).optional(),
  specs: z.array(specSchema).max(10_000),
  line: z
    .strictObject({ present: verdictSchema, absent: verdictSchema, unknown: verdictSchema })
    .describe('A step that is outgoing and irreversible after something sensitive was read, by evidence.'),
  integrity: z
    .strictObject({ untrusted: verdictSchema, instructed: verdictSchema, irreversible: verdictSchema })
    .optional()
    .describe(
      "A step that changes something and is directed by other people's text: by `untrusted` results, by text that reads like instructions (`instructed`), or by such text if the step is irreversible (`irreversible`). A payee, a grantee or a secret that only messages name, and ten times the amount that was named, count as `instructed`; another account than the known one of a payee as `irreversible`. By default it is not judged.",
    ),
  irreversible: verdictSchema
    .optional()
    .describe('An irreversible step that the task does not ask for. By default it is not judged.'),
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
    .strictObject({
      verdict: verdictSchema,
      byName: verdictSchema
        .optional()
        .describe(
          'The verdict for a tool whose name plainly says what it changes (`create_issue`, `delete_page`), or that it runs what it is given (`run_bash`) where that was understood: it counts as such a tool. If missing, `verdict` and `labels` hold for it.',
        ),
      labels: toolLabelsSchema,
      approval: approvalTermsSchema.optional(),
    })
    .describe(
      'A tool without labels in the catalogue: its verdict and its labels, also used for an entry without confidentiality or trust. If missing here, they are `none` and `trusted`. A tool that reads by its name is not asked about.',
    ),
  approvals: z.strictObject({
    ttlSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400),
    sameCall: z
      .strictObject({
        seconds: z
          .int()
          .min(1)
          .max(7 * 86_400),
      })
      .optional()
      .describe(
        'If present, a human may approve the very same call for the rest of the session where a program is not known to send what was read, or where a prediction asks: for so many seconds at most; a program, until any other step runs.',
      ),
  }),
}

const MEANING = {
  $comment:
    'Besides: no two specs have one id; `days` go with the scope `always`, and that goes with `session`.',
}

/** A policy: specs in tiers, and the verdicts of each source. The form that is compiled, hashed and published. */
export const policySchema = z
  .strictObject({ ...head, ...body })
  .superRefine(refuseTwins)
  .meta(MEANING)

export type Policy = z.infer<typeof policySchema>

/** The members that packs have too. */
export type PolicyParts = Pick<Policy, 'analysis' | 'declassifiers' | 'specs'>

/** A policy as its author writes it: it may name packs. */
export const writtenPolicySchema = z
  .strictObject({ ...head, packs, ...body })
  .superRefine(refuseTwins)
  .meta(MEANING)

export type WrittenPolicy = z.infer<typeof writtenPolicySchema>

function refuseTwins({ specs }: { readonly specs: readonly Spec[] }, context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [i, { id }] of specs.entries()) {
    if (seen.has(id))
      context.addIssue({ code: 'custom', path: ['specs', i, 'id'], message: `spec \`${id}\` stands twice` })
    seen.add(id)
  }
}
