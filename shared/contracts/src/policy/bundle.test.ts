import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainTables, bundleSchema } from './bundle.js'
import { catalogueSchema } from './catalogue.js'
import { policySchema } from './policy.js'

const chain = (size: number, horizonMax: number): ChainTables => ({
  traces: 1,
  transitions: 2,
  violations: 0,
  hazard: Array.from({ length: size }, () => 0.5),
  forward: Array.from({ length: horizonMax + 1 }, (_, h) => Array.from({ length: size }, () => h / 100)),
  stepsToViolation: Array.from({ length: size }, () => null),
  counts: [[0, size + 1, 1]],
  thresholds: { hazard: [0.1, 0.2, 0.3], forward: [0, 0, 1] },
})
const figures = {
  start: [[0, 1]],
  ahead: [0.25],
  violated: 0.25,
  steps: 1,
  stepsToViolation: 1,
  visits: [[0, 1]],
  noReturn: [[0, 1]],
}

const bundle = {
  schema: 1,
  kind: 'plimsoll.bundle',
  name: 'b',
  space: 'paper5',
  target: 'observed',
  horizon: 5,
  horizonMax: 6,
  aggregate: chain(5, 6),
  categories: { data: chain(5, 6) },
  origin: { any: ['thing'] },
}
const policy = {
  schema: 1,
  kind: 'plimsoll.policy',
  name: 'p',
  specs: [{ id: 'a', tier: 'blocklist', tools: ['x*'] }],
  line: { present: 'block', absent: 'allow', unknown: 'confirm' },
  hazard: ['warn', 'confirm', 'block'],
  forward: { verdicts: ['allow', 'warn', 'confirm'], hysteresis: 0 },
  unlabelled: { verdict: 'confirm', labels: { capability: 'execute', reversibility: 'partial' } },
  approvals: { ttlSeconds: 1 },
}
const catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'c',
  tools: [{ tools: ['a', 'b*'], labels: { capability: 'read', reversibility: 'reversible' } }],
}

type Schema = { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } | undefined } }
const pathsOf = (schema: Schema, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'))
const spec = (more: object) => ({ ...policy, specs: [{ id: 'a', tools: ['x'], tier: 'blocklist', ...more }] })
const aggregate = (more: object) => ({ ...bundle, aggregate: { ...bundle.aggregate, ...more } })

test('documents that are accepted', () => {
  const wide = { ...bundle, space: 'paper60', aggregate: chain(60, 6), categories: {} }
  for (const value of [bundle, { ...bundle, horizon: 6 }, wide])
    assert.deepEqual(pathsOf(bundleSchema, value), [])
  const allowlist = spec({
    tier: 'allowlist',
    lifts: ['line', 'hazard', 'forward', 'confirmation', 'unlabelled'],
  })
  const asks = spec({ tier: 'confirmation', alternative: 'draft it', message: 'm', requirements: ['R-1'] })
  for (const value of [policy, { ...policy, specs: [] }, allowlist, asks])
    assert.deepEqual(pathsOf(policySchema, value), [])
  for (const value of [catalogue, { ...catalogue, tools: [] }])
    assert.deepEqual(pathsOf(catalogueSchema, value), [])
})

test('bundles that are refused', () => {
  const refused: [unknown, string[]][] = [
    [{ ...bundle, horizon: 7 }, ['horizon']],
    [{ ...bundle, horizon: 0 }, ['horizon']],
    [{ ...bundle, space: 'paper7' }, ['space']],
    [
      { ...bundle, space: 'paper60' },
      Array.from({ length: 6 }, (_, i) => (i < 3 ? 'aggregate' : 'categories.data')),
    ],
    [{ ...bundle, aggregate: undefined }, ['aggregate']],
    [{ ...bundle, aggregate: { ...bundle.aggregate, hazard: undefined } }, ['aggregate.hazard']],
    [aggregate({ hazard: [0, 0, 0, 0] }), ['aggregate']],
    [aggregate({ hazard: [0, 0, 0, 0, 1.1] }), ['aggregate.hazard.4']],
    [aggregate({ forward: [] }), ['aggregate']],
    [aggregate({ stepsToViolation: [1] }), ['aggregate']],
    [aggregate({ counts: [[0, 7, 1]] }), ['aggregate']],
    [aggregate({ counts: [[5, 0, 1]] }), ['aggregate']],
    [aggregate({ counts: [[0, 0, 0]] }), ['aggregate.counts.0.2']],
    [aggregate({ figures: { ...figures, visits: [[5, 1]] } }), ['aggregate']],
    [aggregate({ figures: { ...figures, violated: 1.1 } }), ['aggregate.figures.violated']],
    [
      aggregate({ thresholds: { hazard: [0.2, 0.1, 0.3], forward: [0, 0, 0] } }),
      ['aggregate.thresholds.hazard'],
    ],
    [aggregate({ thresholds: { hazard: [0.1, 0.2], forward: [0, 0, 0] } }), ['aggregate.thresholds.hazard']],
    [{ ...bundle, extra: 1 }, ['']],
  ]
  for (const [value, paths] of refused) assert.deepEqual(pathsOf(bundleSchema, value), paths)
  assert.deepEqual(pathsOf(bundleSchema, aggregate({ figures, counts: [[0, 5, 0.25]] })), [])
})

test('policies that are refused', () => {
  const twice = { ...policy, specs: [...policy.specs, { id: 'a', tier: 'confirmation', tools: ['y'] }] }
  const refused: [unknown, string[]][] = [
    [twice, ['specs.1.id']],
    [spec({ tier: 'greylist' }), ['specs.0.tier']],
    [spec({ id: 'a b' }), ['specs.0.id']],
    [spec({ tools: [] }), ['specs.0.tools']],
    [spec({ tools: ['a b'] }), ['specs.0.tools.0']],
    [spec({ lifts: ['line'] }), ['specs.0']],
    [spec({ tier: 'allowlist' }), ['specs.0.lifts']],
    [spec({ tier: 'allowlist', lifts: [] }), ['specs.0.lifts']],
    [spec({ tier: 'allowlist', lifts: ['blocklist'] }), ['specs.0.lifts.0']],
    [{ ...policy, line: { ...policy.line, present: 'deny' } }, ['line.present']],
    [{ ...policy, hazard: ['warn'] }, ['hazard']],
    [{ ...policy, forward: { ...policy.forward, hysteresis: 0.6 } }, ['forward.hysteresis']],
    [
      { ...policy, unlabelled: { verdict: 'confirm', labels: {} } },
      ['unlabelled.labels.capability', 'unlabelled.labels.reversibility'],
    ],
    [{ ...policy, approvals: { ttlSeconds: 0 } }, ['approvals.ttlSeconds']],
    [{ ...policy, kind: 'plimsoll.catalogue' }, ['kind']],
    [undefined, ['']],
  ]
  for (const [value, paths] of refused) assert.deepEqual(pathsOf(policySchema, value), paths)
})

test('catalogues that are refused', () => {
  const labels = { capability: 'read', reversibility: 'reversible' }
  const refused: [object, string[]][] = [
    [{ tools: [{ tools: [], labels }] }, ['tools.0.tools']],
    [{ tools: [{ tools: ['a'] }] }, ['tools.0.labels']],
    [{ tools: [{ tools: ['a'], labels: { ...labels, capability: 'fly' } }] }, ['tools.0.labels.capability']],
    [{ tools: [{ tools: ['a'], labels: { capability: 'read' } }] }, ['tools.0.labels.reversibility']],
    [{ tools: [{ tools: ['a'], labels, note: '' }] }, ['tools.0']],
    [{ schema: 2 }, ['schema']],
  ]
  for (const [more, paths] of refused)
    assert.deepEqual(pathsOf(catalogueSchema, { ...catalogue, ...more }), paths)
})
