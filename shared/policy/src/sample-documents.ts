import type { Bundle, Catalogue, ChainTables, Policy } from '@plimsoll/contracts'

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
