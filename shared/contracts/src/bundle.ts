import { z } from 'zod'
import { FLOW_BUCKETS, flowSchema } from './scorer.js'
import { LEVELS, TAINTS } from './words.js'

export const STATE_SPACES = ['paper5', 'paper60', 'flow'] as const
export type StateSpace = (typeof STATE_SPACES)[number]

/**
 * How many states each space has. `paper5`: the risk levels; `paper60`: the safety states; `flow`: (level × taints + taint) × buckets +
 * bucket.
 */
export const SPACE_SIZES: Readonly<Record<StateSpace, number>> = {
  paper5: 5,
  paper60: 60,
  flow: LEVELS.length * TAINTS.length * FLOW_BUCKETS,
}

const probability = z.number().min(0).max(1)
const ascending = (values: number[]) => values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0))

/**
 * One category's chain, as tables. S = number of states of the space, H = the bundle's horizonMax. Index s is the state in which
 * a step *arrives*.
 */
const chainSchema = z.strictObject({
  traces: z.int().min(0),
  transitions: z.int().min(0),
  violations: z.int().min(0),
  hazard: z
    .array(probability)
    .describe('hazard[s], S values: probability that a step arriving in s is itself the violation.'),
  forward: z
    .array(z.array(probability))
    .describe(
      'forward[h][s], H + 1 rows of S values: P(violated within h further steps | survived in s); row 0 is 0.',
    ),
  stepsToViolation: z
    .array(z.number().min(0).nullable())
    .describe(
      'stepsToViolation[s], S values: mean further steps until the violation given that one comes; null where none can.',
    ),
  counts: z
    .array(z.tuple([z.int().min(0), z.int().min(0), z.int().min(1)]))
    .describe('Sparse counts behind the tables: [from, to, n]; `to` = S is `violated`, S + 1 is `ended`.'),
  thresholds: z
    .strictObject({
      hazard: z.array(probability).length(3).refine(ascending, 'expected ascending thresholds'),
      forward: z.array(probability).length(3).refine(ascending, 'expected ascending thresholds'),
    })
    .describe('Ascending: hazard at which to warn, confirm, block; P(horizon) at which bands 1, 2, 3 begin.'),
})

const categoriesSchema = z.record(z.string().min(1).max(64), chainSchema)

const labelsOnlySchema = z
  .strictObject({
    space: z.enum(STATE_SPACES),
    aggregate: chainSchema,
    categories: categoriesSchema,
    flow: flowSchema.optional(),
  })
  .describe(
    'A model over labels alone, beside one of the space `flow`: for sessions whose clients tell of no fingerprints and no signals. Scorers that were fitted to what clients tell would take them for sessions in which nothing happens.',
  )

/** A model bundle: immutable, named by its content hash. Source: DESIGN §3. */
export const bundleSchema = z
  .strictObject({
    schema: z.literal(1),
    kind: z.literal('plimsoll.bundle'),
    name: z.string().min(1).max(64),
    space: z.enum(STATE_SPACES),
    target: z
      .enum(['observed', 'modelled'])
      .describe("What counted as violated: the recordings' truth, or the cascade."),
    horizon: z.int().min(1),
    horizonMax: z.int().min(1).max(100),
    aggregate: chainSchema,
    categories: categoriesSchema,
    flow: flowSchema.optional().describe('The scorers of the space `flow`; absent in the others.'),
    labelsOnly: labelsOnlySchema.optional(),
    origin: z
      .record(z.string(), z.unknown())
      .describe("Where it comes from: sources, counts, what was left out and why, in the trainer's words."),
  })
  .superRefine((bundle, context) => {
    if (bundle.horizon > bundle.horizonMax)
      context.addIssue({ code: 'custom', path: ['horizon'], message: 'expected at most horizonMax' })
    if (bundle.labelsOnly && bundle.space !== 'flow')
      context.addIssue({
        code: 'custom',
        path: ['labelsOnly'],
        message: 'expected for the space `flow` alone',
      })
    for (const [path, model] of [
      [[], bundle],
      [['labelsOnly'], bundle.labelsOnly],
    ] as const)
      for (const [place, message] of model ? modelFaults(model, bundle.horizonMax) : [])
        context.addIssue({ code: 'custom', path: [...path, ...place], message })
  })
  .meta({
    $comment:
      'Besides: thresholds ascend; horizon is at most horizonMax; hazard, stepsToViolation and each row of forward have as many values as the space has states (paper5: 5, paper60: 60, flow: 120); forward has horizonMax + 1 rows; counts name states of the space. Scorers stand where the space is `flow` and nowhere else, `labelsOnly` nowhere else; the arrays of a tree are of one length, children stand behind their parents, splits are on features that are named; calibration has as many y as ascending x.',
  })

export type ChainTables = z.infer<typeof chainSchema>
/** Chains by category over one space and, over `flow`, their scorers: what a session is judged by. */
export type BundleModel = z.infer<typeof labelsOnlySchema>
export type Bundle = z.infer<typeof bundleSchema>

type Fault = readonly [path: readonly string[], message: string]

/** What is wrong in a model, each fault with its place. */
function modelFaults({ space, flow, aggregate, categories }: BundleModel, horizonMax: number): Fault[] {
  const named = Object.entries(categories).map(([name, chain]) => [['categories', name], chain] as const)
  const faults = [[['aggregate'], aggregate] as const, ...named].flatMap(([path, chain]) =>
    shapeFaults(chain, SPACE_SIZES[space], horizonMax).map((message): Fault => [path, message]),
  )
  if ((space === 'flow') !== (flow !== undefined))
    faults.unshift([['flow'], 'expected for the space `flow` alone'])
  return faults
}

function shapeFaults(chain: ChainTables, size: number, horizonMax: number): string[] {
  const faults: string[] = []
  if (chain.hazard.length !== size) faults.push(`expected ${size} values in hazard`)
  if (chain.stepsToViolation.length !== size) faults.push(`expected ${size} values in stepsToViolation`)
  if (chain.forward.length !== horizonMax + 1) faults.push(`expected ${horizonMax + 1} rows in forward`)
  if (chain.forward.some((row) => row.length !== size))
    faults.push(`expected ${size} values in each row of forward`)
  if (chain.counts.some(([from, to]) => from >= size || to > size + 1))
    faults.push('a count names a state outside the space')
  return faults
}
