import { z } from 'zod'
import { toolLabelsSchema } from '../labels.js'
import { VERDICTS } from '../words.js'
import { analysisSchema } from './analysis.js'
import { declassifierSchema } from './declassifier.js'
import { packNameSchema } from './pack.js'
import { specSchema, type Spec } from './spec.js'

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
  analysis: analysisSchema.optional().describe('Why the specs are there, from losses to requirements.'),
  declassifiers: z.array(declassifierSchema).max(64).optional(),
  specs: z.array(specSchema).max(10_000),
  line: z
    .strictObject({ present: verdictSchema, absent: verdictSchema, unknown: verdictSchema })
    .describe('A step that is outgoing and irreversible after something sensitive was read, by evidence.'),
  integrity: z
    .strictObject({ untrusted: verdictSchema, instructed: verdictSchema, irreversible: verdictSchema })
    .optional()
    .describe(
      'A step that changes something and is directed by text of others: by `untrusted` results, by text that reads like instructions (`instructed`), or by such text where the step cannot be taken back (`irreversible`). Left out, it is not judged.',
    ),
  irreversible: verdictSchema
    .optional()
    .describe(
      'A step that cannot be taken back and that the task does not ask for. Left out, it is not judged.',
    ),
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
    .describe(
      'A tool that no catalogue labels: what is answered, and what it is taken to be, also where an entry leaves out its confidentiality or trust. Left out here they are `none` and `trusted`.',
    ),
  approvals: z.strictObject({
    ttlSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400),
  }),
}

const MEANING = { $comment: 'Besides: no two specs have one id.' }

/** A policy: specs in tiers, and what each verdict source answers. What is compiled, hashed and published. Source: DESIGN §4. */
export const policySchema = z
  .strictObject({ ...head, ...body })
  .superRefine(refuseTwins)
  .meta(MEANING)

export type Policy = z.infer<typeof policySchema>

/** What of a policy stands in packs too. */
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
