import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionOf } from '@plimsoll/contracts'
import { foundCategory } from '@plimsoll/engine'
import { compileRules, versionsOf } from './rules.js'
import { createPinnedRules } from './rules-cache.js'
import { SAMPLE_BUNDLE, SAMPLE_CATALOGUE, SAMPLE_CHAIN, samplePolicy } from '../testing.js'

const documents = { bundle: SAMPLE_BUNDLE, policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE }

test('P(h) of a proposed step is its hazard, and what comes after where it is survived', () => {
  const { chain } = compileRules(documents)
  const expected = [0.05, 0.19, 0.4, 0.65, 1]
  assert.deepEqual([...chain('nothing').probability], expected)
  assert.deepEqual([...chain('nothing').hazard], SAMPLE_CHAIN.hazard)
  assert.deepEqual([...chain('data').probability], [0.05, 0.1, 0.25, 0.5, 1])
  assert.deepEqual(chain('data').stepsToViolation, [null, 4, 3, 2, 1])
})

test('a point of no return is known by the first h at which a violation is more likely than not', () => {
  const forward = [
    [0, 0, 0, 0, 0],
    [0, 0.5, 0.51, 0.2, 1],
    [0, 0.6, 0.7, 0.5, 1],
  ]
  const noReturn = (horizon: number) => {
    const bundle = { ...SAMPLE_BUNDLE, horizon, aggregate: { ...SAMPLE_CHAIN, forward } }
    return [...compileRules({ ...documents, bundle }).chain('nothing').noReturn]
  }
  assert.deepEqual(noReturn(2), [0, 2, 1, 0, 1])
  assert.deepEqual(noReturn(1), [0, 0, 1, 0, 1])
})

test('with a horizon of one step P(h) is the hazard alone', () => {
  const { chain } = compileRules({ ...documents, bundle: { ...SAMPLE_BUNDLE, horizon: 1 } })
  assert.deepEqual([...chain('nothing').probability], SAMPLE_CHAIN.hazard)
})

test('a category without a chain reads the aggregate, whatever it is called', () => {
  const { chain } = compileRules(documents)
  assert.equal(chain('data').name, 'data')
  for (const category of ['', 'other', '__proto__', 'constructor'])
    assert.equal(chain(category).name, 'aggregate')
})

test("the policy's answers come through", () => {
  const rules = compileRules(documents)
  assert.deepEqual(rules.line, { present: 'block', absent: 'allow', unknown: 'confirm' })
  assert.deepEqual(rules.hazard, ['warn', 'confirm', 'block'])
  assert.deepEqual(rules.forward, ['allow', 'warn', 'confirm'])
  assert.deepEqual([rules.horizon, rules.hysteresis, rules.approvalTtlMs], [2, 0.05, 90_000])
  assert.deepEqual(rules.unlabelled, {
    verdict: 'warn',
    labels: { exposure: 0, escalation: 2, reversibility: 1, untrusted: false },
    approval: undefined,
  })
})

test('a version is of what a document says, not of the order it says it in', () => {
  const versions = versionsOf(documents)
  const { tools, name, kind, schema } = SAMPLE_CATALOGUE
  assert.equal(versions.catalogue, versionOf({ tools, name, kind, schema }))
  const renamed = versionsOf({ ...documents, policy: { ...documents.policy, name: 'other' } })
  assert.notEqual(renamed.policy, versions.policy)
  assert.deepEqual([renamed.bundle, renamed.catalogue], [versions.bundle, versions.catalogue])
})

test('a cache gives new sessions the active rules and pinned ones their own', () => {
  const old = compileRules(documents)
  const active = compileRules({ ...documents, policy: { ...documents.policy, name: 'other' } })
  const pinnedRules = createPinnedRules(active, [old])
  assert.equal(pinnedRules.active, active)
  assert.equal(pinnedRules.pinned(active.versions), active)
  assert.equal(pinnedRules.pinned({ ...old.versions }), old)
  assert.equal(pinnedRules.pinned({ ...old.versions, bundle: 'none' }), undefined)
})

/** Milder than the aggregate in some states and sterner in others, with higher thresholds and lower ones. */
const mixed = {
  ...SAMPLE_CHAIN,
  hazard: [0.05, 0, 0.25, 0, 1],
  forward: [
    [0, 0, 0, 0, 0],
    [0, 0.2, 0, 0.9, 1],
    [0, 0.4, 0, 0.95, 1],
  ],
  stepsToViolation: [9, 9, 9, 9, 1],
  thresholds: { hazard: [0.1, 0.9, 0.95], forward: [0.9, 0.95, 0.99] },
}
const bundle = { ...SAMPLE_BUNDLE, categories: { mixed } }
const { chain } = compileRules({ bundle, policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE })
const [declared, aggregate, found] = [chain('mixed'), chain(''), chain(foundCategory('mixed'))]

test('a category that was found makes nothing safer than the aggregate has it', () => {
  for (const table of ['hazard', 'probability', 'survived', 'ahead'] as const)
    for (const [s, value] of found[table].entries())
      assert.equal(value, Math.max(declared[table][s] ?? Infinity, aggregate[table][s] ?? Infinity), table)
  for (const [s, steps] of found.noReturn.entries()) {
    const points = [declared.noReturn[s], aggregate.noReturn[s]].filter(Boolean).map(Number)
    assert.equal(steps, points.length === 0 ? 0 : Math.min(...points))
  }
  assert.ok(found.noReturn[3] !== aggregate.noReturn[3])
  assert.deepEqual([...found.hazardThresholds], [0.1, 0.4, 0.6])
  assert.deepEqual([...found.forwardThresholds], [0.3, 0.5, 0.7])
})

test('it goes by its name, and tells of the way as its own chain does', () => {
  assert.equal(found.name, 'mixed')
  assert.deepEqual(found.stepsToViolation, declared.stepsToViolation)
  assert.deepEqual(found.surprise, declared.surprise)
})

test('a found category without a chain in the bundle uses the aggregate', () => {
  assert.equal(chain(foundCategory('other')), aggregate)
})
