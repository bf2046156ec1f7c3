import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CONDUCT_FEATURES,
  NO_CONDUCT,
  conductAfterResult,
  conductAfterStep,
  conductFeaturesOf,
} from './conduct.js'

const feature = (conduct: readonly number[], name: string): number =>
  conductFeaturesOf(conduct)[CONDUCT_FEATURES.indexOf(`conduct.${name}`)] ?? Number.NaN
const TEXT = { conductText: 0.5 }

test('without a score of its text a step leaves no conduct', () => {
  assert.equal(conductAfterStep(NO_CONDUCT, undefined), NO_CONDUCT)
  assert.equal(conductAfterStep(NO_CONDUCT, { conductRuns: 1 }), NO_CONDUCT)
  assert.equal(conductAfterResult(NO_CONDUCT, { conductFails: 1 }), NO_CONDUCT)
  assert.ok(conductFeaturesOf(NO_CONDUCT).every((value) => value === 0))
})

test('counts add up, the latest ones are replaced', () => {
  let conduct = conductAfterStep(NO_CONDUCT, { ...TEXT, conductInvents: 2 / 8 })
  conduct = conductAfterStep(conduct, { ...TEXT, conductInvents: 1 / 8 })
  assert.equal(feature(conduct, 'invents'), 3)
  assert.equal(feature(conduct, 'latest.invents'), 1)
  assert.equal(feature(conduct, 'steps'), 2)
  conduct = conductAfterResult(conduct, { ...TEXT, conductFallsShort: 1 / 8 })
  assert.equal(feature(conduct, 'fallsShort'), 1)
  assert.equal(feature(conduct, 'steps'), 2)
})

test('scores are log odds: the highest, the latest, and a mean that begins at 0', () => {
  let conduct = conductAfterStep(NO_CONDUCT, { conductText: (4 + 8) / 16 })
  assert.equal(feature(conduct, 'text.mean'), 4 / 3)
  conduct = conductAfterStep(conduct, { conductText: (-2 + 8) / 16 })
  assert.deepEqual(
    ['text.latest', 'text.max', 'text.mean'].map((name) => feature(conduct, name)),
    [-2, 4, 2 / 4],
  )
  conduct = conductAfterResult(conduct, { conductText: (6 + 8) / 16 })
  assert.deepEqual(
    ['result.max', 'result.mean', 'texts.mean'].map((name) => feature(conduct, name)),
    [6, 2, 8 / 4],
  )
})

test('running after writing and writing after running are counted as they alternate', () => {
  const step = { run: { ...TEXT, conductRuns: 1 / 8 }, write: { ...TEXT, conductWrites: 1 / 8 } }
  let conduct = NO_CONDUCT
  for (const act of ['run', 'run', 'write', 'write', 'run', 'write', 'run'] as const)
    conduct = conductAfterStep(conduct, step[act])
  assert.equal(feature(conduct, 'runsAfterWrite'), 2)
  assert.equal(feature(conduct, 'writesAfterRun'), 2)
  conduct = conductAfterStep(conduct, { ...step.run, ...step.write })
  conduct = conductAfterStep(conduct, step.run)
  assert.equal(feature(conduct, 'runsAfterWrite'), 2, 'one step that does both is no new round')
  assert.equal(feature(conduct, 'writesAfterRun'), 3)
})

test('an earlier record stays as it was', () => {
  const before = conductAfterStep(NO_CONDUCT, TEXT)
  const kept = [...before]
  conductAfterStep(before, { conductText: 1, conductRuns: 1 })
  assert.deepEqual(before, kept)
})
