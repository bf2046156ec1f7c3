import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseAbsorption, createChain, horizonTable, pointsOfNoReturn, wilson } from './index.js'
import { seededRandom, walk } from './random.js'

/** SafetyDrift, figure 1: safe, mild, elevated, critical → the same and violated; printed to two digits. */
const PUBLISHED = [
  [0.54, 0.32, 0.14, 0, 0],
  [0, 0.74, 0.13, 0, 0.13],
  [0, 0, 0.81, 0.12, 0.07],
  [0, 0, 0, 0.93, 0.07],
]
const MILD = 1
const CRITICAL = 3
const HALF_DIGIT = 0.005

/** The published matrix with each chance of violation moved within its rounding, the rest of the row making room. */
function shifted(by: number): number[][] {
  return PUBLISHED.map((row, s) =>
    row.map((p, to) => p + (to === s ? -by : to === 4 && (row[4] ?? 0) > 0 ? by : 0)),
  ).map((row) => {
    const total = row.reduce((sum, p) => sum + p, 0)
    return row.map((p) => p / total)
  })
}

const within5 = (rows: number[][], state: number): number =>
  horizonTable(createChain(rows), 5)[5]?.[state] ?? 0

for (const [name, state, published] of [
  ['mild', MILD, 0.463],
  ['critical', CRITICAL, 0.295],
] as const)
  test(`the published matrix gives the published P(5) of ${name} within its rounding`, () => {
    const value = within5(PUBLISHED, state)
    assert.ok(Math.abs(value - published) < 0.01, `${value} is not near ${published}`)
    assert.ok(within5(shifted(-HALF_DIGIT), state) <= published)
    assert.ok(within5(shifted(HALF_DIGIT), state) >= published)
  })

test('the published inversion: mild has a higher risk than critical at horizon 5', () => {
  assert.ok(within5(PUBLISHED, MILD) > within5(PUBLISHED, CRITICAL))
})

test('the published chain is absorbed in violated from every state', () => {
  const { probability } = analyseAbsorption(createChain(PUBLISHED))
  for (const row of probability)
    assert.deepEqual(
      [...row].map((p) => Math.round(p * 1e12) / 1e12),
      [1],
    )
})

test('steps to violation are the expected steps where nothing else absorbs', () => {
  const { steps, stepsToViolation } = analyseAbsorption(createChain(PUBLISHED))
  for (const [s, mean] of steps.entries()) assert.ok(Math.abs(mean - (stepsToViolation[s] ?? 0)) < 1e-9)
  assert.ok(Math.abs((steps[CRITICAL] ?? 0) - 1 / 0.07) < 1e-9)
})

test('the published chain has no state that is more likely than not to be violated within five steps', () => {
  assert.deepEqual(pointsOfNoReturn(createChain(PUBLISHED), 0.5, 5), [])
  assert.deepEqual(
    pointsOfNoReturn(createChain(PUBLISHED), 0.4, 5).map(({ state, horizon }) => [state, horizon]),
    [[MILD, 5]],
  )
})

/** Row `violated` added, squared twice and multiplied once: no recursion over h. */
test('P(5) is the violated column of the fifth power', () => {
  const full = [...PUBLISHED, [0, 0, 0, 0, 1]]
  const times = (a: number[][], b: number[][]) =>
    a.map((row) => full.map((_, j) => row.reduce((sum, p, k) => sum + p * (b[k]?.[j] ?? 0), 0)))
  const second = times(full, full)
  const fifth = times(times(second, second), full)
  for (const [state, row] of fifth.slice(0, 4).entries())
    assert.ok(Math.abs((row[4] ?? 0) - within5(PUBLISHED, state)) < 1e-12)
})

test('simulated sessions of the published chain are violated as often and as late', () => {
  const walks = 20_000
  const chain = createChain(PUBLISHED)
  const { steps } = analyseAbsorption(chain)
  for (let state = 0; state < 4; state++) {
    const random = seededRandom(state + 1)
    const lengths = Array.from({ length: walks }, () => walk(chain, state, random).steps)
    // Five standard errors: with fixed seeds it either holds or does not.
    const { low, high } = wilson(lengths.filter((length) => length <= 5).length, walks, 5)
    const probability = within5(PUBLISHED, state)
    assert.ok(low < probability && probability < high, `state ${state}: ${probability}`)
    const mean = lengths.reduce((sum, length) => sum + length, 0) / walks
    assert.ok(Math.abs(mean / (steps[state] ?? 0) - 1) < 0.04, `state ${state}: ${mean} steps`)
  }
})
