import { z } from 'zod'

/**
 * One regression tree as flat arrays of N nodes; node 0 is the root. A node whose `feature` is -1 is a leaf that gives `value`; any other
 * goes `left` where the feature is below `threshold`, else `right`. Children stand behind their parents, each behind one, so that every
 * walk ends and there are no more walks than leaves.
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
export type Tree = z.infer<typeof treeSchema>

/**
 * A small additive model over named features: bias + the trees' values is a margin (log-odds), which `calibration` turns into a
 * probability: piecewise linear through the points (x[i], y[i]), flat outside them.
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

/** Buckets into which the session scorer parts sessions. */
export const FLOW_BUCKETS = 8

/**
 * What the `flow` space adds to a bundle: a scorer for the proposed step's own hazard, one for where a session stands after a result,
 * the ascending probabilities that part its buckets, and the mean probability of each bucket that sessions were in. Between two means the
 * chain is read in proportion; without them every session stands in the middle of its bucket.
 */
export const flowSchema = z.strictObject({
  hazard: scorerSchema,
  session: scorerSchema,
  edges: z.array(z.number().min(0).max(1)).length(FLOW_BUCKETS - 1),
  centres: z.array(z.number().min(0).max(1)).min(1).max(FLOW_BUCKETS).optional(),
})
export type Flow = z.infer<typeof flowSchema>
