import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChain,
  createCounter,
  horizonTable,
  pointsOfNoReturn,
  transitionIntervals,
  wilson,
  withoutDimension,
} from './index.js'
import { randomChain, seededRandom } from './random.js'

test('transitions carry their share and its interval', () => {
  const counter = createCounter(2)
  for (let n = 0; n < 15; n++) counter.survive(0, 1)
  for (let n = 0; n < 133; n++) counter.end(0)
  counter.violate(1, 1)
  assert.deepEqual(transitionIntervals(counter.counts), [
    { from: 0, to: 1, ...wilson(15, 148) },
    { from: 0, to: 3, ...wilson(133, 148) },
    { from: 1, to: 2, ...wilson(1, 1) },
  ])
})

test('points of no return are the states that pass the threshold, with the first step at which they do', () => {
  const chain = createChain([
    [0.5, 0.5, 0, 0],
    [0, 0.6, 0.4, 0],
  ])
  assert.deepEqual(
    pointsOfNoReturn(chain, 0.5, 3).map(({ state, horizon }) => [state, horizon]),
    [[1, 2]],
  )
  assert.deepEqual(
    pointsOfNoReturn(chain, 0.4, 4).map(({ state, horizon }) => [state, horizon]),
    [
      [0, 3],
      [1, 2],
    ],
  )
  assert.deepEqual(pointsOfNoReturn(chain, 1, 10), [])
  assert.throws(() => pointsOfNoReturn(chain, 1.1, 3), RangeError)
})

test('points of no return agree with the tables of random chains', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const chain = randomChain(seededRandom(seed))
    const table = horizonTable(chain, 6)
    const points = pointsOfNoReturn(chain, 0.3, 6)
    for (let s = 0; s < chain.states; s++) {
      const point = points.find(({ state }) => state === s)
      assert.equal(point !== undefined, (table[6]?.[s] ?? 0) > 0.3)
      if (!point) continue
      assert.ok((table[point.horizon]?.[s] ?? 0) > 0.3 && (table[point.horizon - 1]?.[s] ?? 1) <= 0.3)
      assert.equal(point.probability, table[6]?.[s])
    }
  }
})

test('a dimension is left out of its product', () => {
  assert.deepEqual([...withoutDimension([2, 3], 0).index], [0, 1, 2, 0, 1, 2])
  assert.deepEqual([...withoutDimension([2, 3], 1).index], [0, 0, 0, 1, 1, 1])
  const { states, index } = withoutDimension([5, 4, 3], 1)
  assert.equal(states, 15)
  for (let d = 0; d < 5; d++)
    for (let t = 0; t < 4; t++)
      for (let r = 0; r < 3; r++) assert.equal(index[(d * 4 + t) * 3 + r], d * 3 + r)
  assert.throws(() => withoutDimension([2, 3], 2), RangeError)
  assert.throws(() => withoutDimension([2, 0], 0), RangeError)
})
