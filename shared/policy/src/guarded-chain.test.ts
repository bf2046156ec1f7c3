import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundCategory } from '@plimsoll/engine'
import { compileRules } from './compile.js'
import { SAMPLE_BUNDLE, SAMPLE_CATALOGUE, SAMPLE_CHAIN, samplePolicy } from './sample-documents.js'

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
  assert.deepEqual([...found.hazardThresholds], [0.1, 0.4, 0.6])
  assert.deepEqual([...found.forwardThresholds], [0.3, 0.5, 0.7])
})

test('it goes by its name, and tells of the way as its own chain does', () => {
  assert.equal(found.name, 'mixed')
  assert.deepEqual(found.stepsToViolation, declared.stepsToViolation)
  assert.deepEqual(found.surprise, declared.surprise)
})

test('one that the bundle has no chain for reads the aggregate', () => {
  assert.equal(chain(foundCategory('other')), aggregate)
})
