import {
  type Bundle,
  type Catalogue,
  type ChainTables,
  type Policy,
  type Scorer,
  FLOW_BUCKETS,
  SPACE_SIZES,
} from '@plimsoll/contracts'

/** Documents made by hand, for tests. Two categories over `paper5`, a horizon of 2. */
export const SAMPLE_CHAIN: ChainTables = {
  traces: 10,
  transitions: 40,
  violations: 2,
  hazard: [0, 0.1, 0.2, 0.3, 1],
  forward: [
    [0, 0, 0, 0, 0],
    [0.05, 0.1, 0.25, 0.5, 1],
    [0.1, 0.2, 0.5, 0.75, 1],
  ],
  stepsToViolation: [null, 4, 3, 2, 1],
  counts: [[0, 5, 8]],
  thresholds: { hazard: [0.2, 0.4, 0.6], forward: [0.3, 0.5, 0.7] },
}

export const SAMPLE_BUNDLE: Bundle = {
  schema: 1,
  kind: 'plimsoll.bundle',
  name: 'sample',
  space: 'paper5',
  target: 'observed',
  horizon: 2,
  horizonMax: 2,
  aggregate: SAMPLE_CHAIN,
  categories: { data: { ...SAMPLE_CHAIN, hazard: [0, 0, 0, 0, 0] } },
  origin: {},
}

export const SAMPLE_CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'sample',
  tools: [
    {
      tools: ['read_*'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
    {
      tools: ['send_*'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ],
}

export function samplePolicy(...specs: Policy['specs']): Policy {
  return {
    schema: 1,
    kind: 'plimsoll.policy',
    name: 'sample',
    specs,
    line: { present: 'block', absent: 'allow', unknown: 'confirm' },
    hazard: ['warn', 'confirm', 'block'],
    forward: { verdicts: ['allow', 'warn', 'confirm'], hysteresis: 0.05 },
    unlabelled: { verdict: 'warn', labels: { capability: 'execute', reversibility: 'partial' } },
    approvals: { ttlSeconds: 90 },
  }
}

/** A scorer made by hand, for tests: a value for each feature that is reached, no calibration to speak of. */
export function sampleScorer(
  weights: Readonly<Record<string, readonly [threshold: number, value: number]>>,
): Scorer {
  const features = Object.keys(weights)
  return {
    features,
    bias: 0,
    trees: Object.values(weights).map(([threshold, value], i) => ({
      feature: [i, -1, -1],
      threshold: [threshold, 0, 0],
      left: [1, 0, 0],
      right: [2, 0, 0],
      value: [0, 0, value],
    })),
    calibration: { x: [0, 1], y: [0, 1] },
  }
}

const SIZE = SPACE_SIZES.flow
const ofStates = (value: (s: number) => number) => Array.from({ length: SIZE }, (_, s) => value(s))

const FLOW_CHAIN: ChainTables = {
  ...SAMPLE_CHAIN,
  hazard: ofStates(() => 0),
  forward: [0, 1, 2].map((h) => ofStates((s) => (h * (s % FLOW_BUCKETS)) / 16)),
  stepsToViolation: ofStates(() => 3),
  counts: [],
}

/**
 * A bundle of the space `flow`: half a chance that a step is the violation whose targets come from instruction-like text alone; after
 * instruction-like results a session stands in bucket 4, and with h steps to go it is violated with h × bucket / 16.
 */
export const SAMPLE_FLOW_BUNDLE: Bundle = {
  schema: 1,
  kind: 'plimsoll.bundle',
  name: 'sample-flow',
  space: 'flow',
  target: 'observed',
  horizon: 2,
  horizonMax: 2,
  aggregate: FLOW_CHAIN,
  categories: {},
  flow: {
    hazard: sampleScorer({ 'target.instructedOnly': [0.5, 0.5], 'step.outgoing': [0.5, 0.125] }),
    session: sampleScorer({ 'history.instructed.results': [0.5, 0.5] }),
    edges: [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8],
  },
  origin: {},
}
