import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilson } from '@plimsoll/chains'
import { SPACE_SIZES } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { chainSections } from '../report/chain-page.js'
import { escaped } from '../report/svg.js'
import { bundleReportOf, chainReportOf } from './chain-report.js'
import { type PredictedPath, VARIANTS, fitChain, sumOfFits } from './compare.js'

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, expected ${expected}`)

const paper5 = VARIANTS.find(({ name }) => name === 'paper5')
assert.ok(paper5)
const [VIOLATED, ENDED] = [5, 6]
const path = (...states: number[]) => Uint8Array.from(states)
const predicted = (...states: number[]): PredictedPath => ({ path: path(...states), group: 'g' })

test('a bundle is described by category: P(h) never falls, intervals hold their share, states are named', async () => {
  const { bundle } = await defaultDocuments()
  const { described } = bundleReportOf(bundle)
  const [view] = described
  assert.ok(view)
  assert.deepEqual(
    view.categories.map(({ category }) => category).sort(),
    ['aggregate', ...Object.keys(bundle.categories)].sort(),
  )
  for (const { ahead, transitions, states } of view.categories) {
    for (const [h, p] of ahead.entries()) assert.ok(p >= (ahead[h - 1] ?? 0) && p <= 1)
    for (const { n, of, low, rate, high } of transitions) {
      assert.deepEqual([low, rate, high], [wilson(n, of).low, n / of, wilson(n, of).high])
    }
    for (const { absorbed, forward, stepsToViolation } of states) {
      assert.ok(forward <= absorbed + 1e-4 && absorbed <= 1 + 1e-9)
      assert.ok(stepsToViolation === null || stepsToViolation >= 1)
    }
  }
  const page = chainSections([bundleReportOf(bundle)])
  assert.ok(page.includes('<svg') && page.includes(escaped(view.categories[0]?.noReturn[0]?.state ?? '?')))
  assert.ok(!page.includes('NaN') && !page.includes('undefined'))
})

test('a chain foretells what came next by the share of those that it was fitted to', () => {
  const training = Array.from({ length: 4000 }, (_, n) => path(0, 1, n % 4 === 0 ? VIOLATED : ENDED))
  const { steps, logLikelihood } = fitChain(paper5, training, [predicted(0, 1, ENDED)])
  assert.equal(steps, 2)
  // From 0 it goes on as good as surely; from 1 it ends in three of four.
  assert.ok(Math.abs(logLikelihood - Math.log(0.75)) < 0.02)
})

test('sessions are ranked within their group, by what was known before the violation', () => {
  const training = [
    ...Array.from({ length: 500 }, () => path(0, 1, VIOLATED)),
    ...Array.from({ length: 500 }, () => path(0, 2, ENDED)),
  ]
  const test = [
    predicted(0, 1, VIOLATED),
    predicted(0, 2, ENDED),
    { ...predicted(0, 2, ENDED), group: 'alone' },
  ]
  const reported = fitChain(paper5, training, test)
  assert.deepEqual([reported.unsafe, reported.area], [1, 1])
  const both = sumOfFits([reported, reported])
  assert.deepEqual([both.steps, both.unsafe], [2 * reported.steps, 2])
  const { compared } = chainReportOf('observed', [
    { compared: new Map([['paper5', reported]]), described: [] },
  ])
  near(compared[0]?.before ?? 0, 1)
})

test('without a dimension states that differ in it alone are one', () => {
  for (const { name, space, states, index } of VARIANTS) {
    if (!index) continue
    assert.equal(index.length, SPACE_SIZES[space], name)
    assert.equal(new Set(index).size, states, name)
  }
  const blind = VARIANTS.find(({ name }) => name === 'paper60 without exposure')
  assert.ok(blind?.index)
  assert.equal(blind.index[0], blind.index[48])
  assert.notEqual(blind.index[0], blind.index[3])
})
