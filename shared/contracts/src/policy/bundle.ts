import { z } from 'zod'
import { LEVELS, TAINTS } from '../words.js'

/**
 * One regression tree as flat arrays of N nodes; node 0 is the root. A node whose `feature` is -1 is a leaf that gives `value`; any
 * other goes `left` if the feature is below `threshold`, else `right`. Children come after their parents and have one parent each, so
 * that every walk ends.
 */
const treeSchema = z
  .strictObject({
    feature: z.array(z.int().min(-1)).min(1).max(255),
    threshold: z.array(z.number()),
    left: z.array(z.int().min(0)),
    right: z.array(z.int().min(0)),
    value: z.array(z.number()),
  })
  .superRefine(({ feature, threshold, left, right, value }, context) => {
    const n = feature.length
    if ([threshold, left, right, value].some(({ length }) => length !== n))
      context.addIssue({ code: 'custom', message: `expected ${n} values in each array` })
    for (const [i, split] of feature.entries())
      if (split >= 0 && [left[i] ?? 0, right[i] ?? 0].some((child) => child <= i || child >= n))
        context.addIssue({
          code: 'custom',
          path: ['left', i],
          message: 'expected children behind their parent',
        })
    const children = feature.flatMap((split, i) => (split >= 0 ? [left[i], right[i]] : []))
    if (new Set(children).size < children.length)
      context.addIssue({ code: 'custom', path: ['left'], message: 'expected one parent of each node' })
  })

/**
 * A small additive model over named features: bias plus the trees' values is a margin (log-odds), which `calibration` maps to a
 * probability: piecewise linear through the points (x[i], y[i]), constant outside them.
 */
export const scorerSchema = z
  .strictObject({
    features: z.array(z.string().min(1).max(64)).max(256),
    bias: z.number(),
    trees: z.array(treeSchema).max(512),
    calibration: z.strictObject({
      x: z.array(z.number()).min(1).max(256),
      y: z.array(z.number().min(0).max(1)).min(1).max(256),
    }),
  })
  .superRefine(({ features, trees, calibration: { x, y } }, context) => {
    if (x.length !== y.length || x.some((value, i) => i > 0 && value <= (x[i - 1] ?? 0)))
      context.addIssue({
        code: 'custom',
        path: ['calibration'],
        message: 'expected as many ascending x as y',
      })
    if (trees.some(({ feature }) => feature.some((at) => at >= features.length)))
      context.addIssue({
        code: 'custom',
        path: ['trees'],
        message: 'a tree splits on a feature that has no name',
      })
  })
export type Scorer = z.infer<typeof scorerSchema>

/** Number of buckets of the session scorer. */
export const FLOW_BUCKETS = 8

/**
 * The part of a flow model for conduct: a scorer of the probability that the session goes wrong by what it does itself, and over how many
 * steps that probability is spread. Sessions that it is fitted to are labelled as a whole.
 */
const conductSchema = z.strictObject({ scorer: scorerSchema, steps: z.number().min(1).max(1000) })
export type Conduct = z.infer<typeof conductSchema>

/**
 * The part of a bundle for the space `flow`: a scorer for the hazard of a proposed step, one for the session after a result, the
 * ascending probabilities that separate its buckets, and the mean probability of each non-empty bucket. Between two means the chain is
 * interpolated; without them every session uses the value of its bucket.
 */
const flowSchema = z.strictObject({
  hazard: scorerSchema,
  session: scorerSchema,
  conduct: conductSchema.optional(),
  edges: z.array(z.number().min(0).max(1)).length(FLOW_BUCKETS - 1),
  centres: z.array(z.number().min(0).max(1)).min(1).max(FLOW_BUCKETS).optional(),
})
export type Flow = z.infer<typeof flowSchema>

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

/** A state from which a violation within the horizon is more probable than this is a point of no return. Source: SafetyDrift §5.5. */
export const NO_RETURN = 0.5

const probability = z.number().min(0).max(1)
const ascending = (values: number[]) => values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0))

const byState = z.array(z.tuple([z.int().min(0), z.number().min(0)]))

/** What a chain says of its sessions from their beginning. Source: SafetyDrift §5. */
const chainFiguresSchema = z.strictObject({
  start: byState.describe('[state, share]: the states in which sessions begin.'),
  ahead: z.array(probability).describe('P(violated within 1, 2, … horizonMax steps).'),
  violated: probability.describe('P(violated in the end).'),
  steps: z.number().min(0).describe('Mean number of steps to the violation or the end.'),
  stepsToViolation: z
    .number()
    .min(0)
    .nullable()
    .describe('Mean number of steps to the violation given that one happens; null if none can happen.'),
  visits: byState.describe('[state, mean]: how often a session is in the state; below 0.001 left out.'),
  noReturn: z
    .array(z.tuple([z.int().min(0), z.int().min(1)]))
    .describe(
      '[state, h]: the observed states whose P(horizon) exceeds a half, and the first h at which P(h) does.',
    ),
})
export type ChainFigures = z.infer<typeof chainFiguresSchema>

/**
 * One category's chain, as tables. S = number of states of the space, H = the bundle's horizonMax. Index s is the state in which
 * a step *arrives*.
 */
const chainSchema = z.strictObject({
  traces: z.int().min(0),
  transitions: z.number().min(0),
  violations: z
    .number()
    .min(0)
    .describe(
      'Sessions that were violated. Numbers of steps and violations are expected ones where a violating step is not known.',
    ),
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
      'stepsToViolation[s], S values: mean number of steps to the violation given that one happens; null if none can happen.',
    ),
  counts: z
    .array(z.tuple([z.int().min(0), z.int().min(0), z.number().gt(0)]))
    .describe('Sparse counts behind the tables: [from, to, n]; `to` = S is `violated`, S + 1 is `ended`.'),
  thresholds: z
    .strictObject({
      hazard: z.array(probability).length(3).refine(ascending, 'expected ascending thresholds'),
      forward: z.array(probability).length(3).refine(ascending, 'expected ascending thresholds'),
    })
    .describe('Ascending: hazard at which to warn, confirm, block; P(horizon) at which bands 1, 2, 3 begin.'),
  figures: chainFiguresSchema
    .optional()
    .describe(
      'What the chain says of its sessions, for readers; nothing is decided by it. Absent in older bundles.',
    ),
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
    'A model over labels only, beside one of the space `flow`, for sessions without reports of fingerprints and signals. Scorers fitted on reports would treat them as sessions in which nothing happens.',
  )

/** A model bundle: immutable, named by its content hash. */
export const bundleSchema = z
  .strictObject({
    schema: z.literal(1),
    kind: z.literal('plimsoll.bundle'),
    name: z.string().min(1).max(64),
    space: z.enum(STATE_SPACES),
    target: z
      .enum(['observed', 'modelled'])
      .describe('The definition of violated: the recorded truth, or the cascade.'),
    horizon: z.int().min(1),
    horizonMax: z.int().min(1).max(100),
    aggregate: chainSchema,
    categories: categoriesSchema,
    flow: flowSchema.optional().describe('The scorers of the space `flow`; absent in other spaces.'),
    labelsOnly: labelsOnlySchema.optional(),
    origin: z
      .record(z.string(), z.unknown())
      .describe('Its origin: sources, counts, exclusions with reasons, written by the trainer.'),
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
      'Besides: thresholds ascend; horizon is at most horizonMax; hazard, stepsToViolation and each row of forward have as many values as the space has states (paper5: 5, paper60: 60, flow: 120); forward has horizonMax + 1 rows; counts and figures name states of the space. Scorers stand where the space is `flow` and nowhere else, `labelsOnly` nowhere else; the arrays of a tree are of one length, children stand behind their parents, splits are on features that are named; calibration has as many y as ascending x.',
  })

export type ChainTables = z.infer<typeof chainSchema>
/** Chains by category over one space, with their scorers in the space `flow`. */
export type BundleModel = z.infer<typeof labelsOnlySchema>
export type Bundle = z.infer<typeof bundleSchema>

type Fault = readonly [path: readonly string[], message: string]

/** The faults of a model, each with its place. */
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
  const { start = [], visits = [], noReturn = [] } = chain.figures ?? {}
  if ([start, visits, noReturn].flat().some(([state]) => state >= size))
    faults.push('a figure names a state outside the space')
  if (chain.counts.some(([from, to]) => from >= size || to > size + 1))
    faults.push('a count names a state outside the space')
  return faults
}
