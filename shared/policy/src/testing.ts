import { readFileSync } from 'node:fs'
import {
  type Analysis,
  type Bundle,
  type Catalogue,
  type Policy,
  type Run,
  type Scorer,
  FLOW_BUCKETS,
  SPACE_SIZES,
} from '@plimsoll/contracts'
import { parse } from 'yaml'

/** Documents for unit tests; the data is in `samples/`. */
const read = (name: string): unknown =>
  parse(readFileSync(new URL(`../samples/${name}.yaml`, import.meta.url), 'utf8'))

/** Two categories over `paper5`, a horizon of 2. */
export const SAMPLE_BUNDLE = read('bundle') as Bundle
export const SAMPLE_CHAIN = SAMPLE_BUNDLE.aggregate
export const SAMPLE_CATALOGUES = read('catalogues') as Record<
  'sample' | 'office' | 'packs' | 'random',
  Catalogue
>
export const SAMPLE_CATALOGUE = SAMPLE_CATALOGUES.sample

export const samplePolicy = (...specs: Policy['specs']): Policy => ({
  schema: 1,
  kind: 'plimsoll.policy',
  name: 'sample',
  specs,
  line: { present: 'block', absent: 'allow', unknown: 'confirm' },
  hazard: ['warn', 'confirm', 'block'],
  forward: { verdicts: ['allow', 'warn', 'confirm'], hysteresis: 0.05 },
  unlabelled: { verdict: 'warn', labels: { capability: 'execute', reversibility: 'partial' } },
  approvals: { ttlSeconds: 90 },
})

/** A policy that restricts nothing by itself: its line allows every step. */
export const officePolicy = (analysis: Analysis, ...specs: Policy['specs']): Policy => ({
  ...samplePolicy(...specs),
  analysis,
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  hazard: ['allow', 'warn', 'confirm'],
})

export const hazardOf = (reached: Run, id = 'H'): Analysis => ({
  hazards: [{ id, text: 'what must not happen', reached }],
})

/** One tree of one question a feature: it adds `value` where the feature reaches `threshold`. No calibration. */
export const sampleScorer = (
  weights: Readonly<Record<string, readonly [threshold: number, value: number]>>,
): Scorer => ({
  features: Object.keys(weights),
  bias: 0,
  trees: Object.values(weights).map(([threshold, value], i) => ({
    feature: [i, -1, -1],
    threshold: [threshold, 0, 0],
    left: [1, 0, 0],
    right: [2, 0, 0],
    value: [0, 0, value],
  })),
  calibration: { x: [0, 1], y: [0, 1] },
})

const perState = (value: (s: number) => number) =>
  Array.from({ length: SPACE_SIZES.flow }, (_, s) => value(s))

/**
 * A bundle of the space `flow`. A step whose targets come from instruction-like text alone is the violation with probability 1/2;
 * instruction-like results put a session into bucket 4, and with h steps to go P(violation) is h × bucket / 16.
 */
export const SAMPLE_FLOW_BUNDLE: Bundle = {
  ...SAMPLE_BUNDLE,
  name: 'sample-flow',
  space: 'flow',
  aggregate: {
    ...SAMPLE_CHAIN,
    hazard: perState(() => 0),
    forward: [0, 1, 2].map((h) => perState((s) => (h * (s % FLOW_BUCKETS)) / 16)),
    stepsToViolation: perState(() => 3),
    counts: [],
  },
  categories: {},
  flow: {
    hazard: sampleScorer({ 'target.instructedOnly': [0.5, 0.5], 'step.outgoing': [0.5, 0.125] }),
    session: sampleScorer({ 'history.instructed.results': [0.5, 0.5] }),
    edges: [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8],
  },
}
