import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilson } from '@plimsoll/chains'
import { SPACE_SIZES } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { chainSections } from '../report/chain-page.js'
import { escaped } from '../report/svg.js'
import { bundleReportOf, chainReportOf } from './chain-report.js'
import { type PredictedPath, VARIANTS, fitChain, predictNext, sumOfFits, sumOfNext } from './compare.js'
import { describeSessions } from './describe.js'

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
  for (const { figures, transitions, states } of view.categories) {
    const { ahead, violated, steps } = figures
    for (const [h, p] of ahead.entries()) assert.ok(p >= (ahead[h - 1] ?? 0) && p <= violated + 1e-3)
    const visits = states.reduce((sum, { visits }) => sum + visits, 0)
    assert.ok(steps >= 1 && visits <= steps * 1.001)
    const begun = states.reduce((sum, { start }) => sum + start, 0)
    assert.ok(Math.abs(begun - 1) < 1e-3)
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
    { compared: new Map([['paper5', reported]]), nextStates: [], described: [] },
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

const session = (category: string, arrivals: number[], violated: boolean, posterior?: number[]) => ({
  category,
  path: { arrivals, violated, unlabelled: 0, unexecuted: 0, ...(posterior && { posterior }) },
})

test('sessions are described by category, those at no known step by their posterior', () => {
  const many = (n: number, make: () => ReturnType<typeof session>) => Array.from({ length: n }, make)
  const sessions = [
    ...many(600, () => session('sysadmin', [0, 1], true)),
    ...many(600, () => session('sysadmin', [0, 1], false)),
    ...many(500, () => session('data_handling', [0, 0], false)),
    ...many(500, () => session('data_handling', [0, 0], false, [0.5, 0.5])),
    session('other', [0], false),
  ]
  const { categories } = describeSessions(sessions, { space: 'paper5', target: 'observed', of: 'samples' })
  const of = (name: string) => categories.find(({ category }) => category === name) ?? assert.fail(name)
  assert.deepEqual(
    categories.map(({ category, sessions: n, violations }) => [category, n, violations]),
    [
      ['aggregate', 2201, 1100],
      ['data_handling', 1000, 500],
      ['research_comms', 0, 0],
      ['sysadmin', 1200, 600],
      ['code_debugging', 0, 0],
    ],
  )
  const { figures, states, orders } = of('sysadmin')
  // From 0 to 0 first: the chain knows no time, so a session may stay.
  assert.ok(Math.abs(figures.violated - 0.5) < 0.02)
  assert.ok(figures.ahead.length === 10 && (figures.ahead[1] ?? 0) < (figures.ahead[9] ?? 0))
  assert.deepEqual(figures.start, [[0, 1]])
  assert.ok(Math.abs(states.reduce((sum, { visits }) => sum + visits, 0) - figures.steps) < 0.01)
  assert.deepEqual(
    orders.map(({ order }) => order),
    [1, 2, 3],
  )
  assert.ok(of('data_handling').figures.violated > 0.3)
  const page = chainSections([
    { target: 'observed', compared: [], described: [{ ...describedAs(categories) }] },
  ])
  assert.ok(page.includes('degrees of freedom') && !page.includes('NaN') && !page.includes('undefined'))
})

const describedAs = (categories: ReturnType<typeof describeSessions>['categories']) => ({
  space: 'paper5' as const,
  target: 'observed' as const,
  of: 'samples',
  horizon: 5,
  threshold: 0.5,
  categories,
})

test('a higher order predicts what depends on the state before; ends are not predicted', () => {
  // What follows 1 depends on where it came from.
  const training = [path(0, 1, 0, 2, 1, 2, ENDED), path(2, 1, 2, 0, 1, 0, VIOLATED)]
  const many = Array.from({ length: 100 }, () => training).flat()
  const folds = predictNext(5, many, training)
  assert.deepEqual(
    folds.map(({ order, transitions }) => [order, transitions]),
    [
      [1, 11],
      [2, 11],
      [3, 11],
    ],
  )
  const [first, second] = folds
  assert.ok((first?.correct ?? 0) < (second?.correct ?? 0))
  assert.equal(sumOfNext([folds, folds])[0]?.transitions, 22)
})
