import { z } from 'zod'
import { analysisSchema } from './analysis.js'
import { declassifierSchema } from './declassifier.js'
import { specIdSchema } from './ids.js'
import { specSchema } from './spec.js'

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

export const packNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected 1–32 lower-case letters, digits, `-`')

/**
 * Specs for one kind of work that ship together, with the analysis behind them. A policy names packs under `packs`; reading it puts their
 * parts before its own. All ids begin with the pack's name, so that packs and policies can stand together.
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
    mapping: z.record(specIdSchema, mappingSchema).describe('Each spec, by its id, to what it serves.'),
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
