import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  analyseAbsorption,
  createCounter,
  estimateAggregate,
  estimateCategory,
  horizonTable,
  sparseCounts,
} from './index.js'
import { seededRandom } from './random.js'

const STATES = 6
const shrinkage = {
  kappa: 4,
  group: [0, 0, 1, 1, 2, 2],
  join: (from: number, to: number) => Math.max(from, to),
}

function randomCounter(seed: number, sessions: number) {
  const random = seededRandom(seed)
  const counter = createCounter(STATES)
  for (let n = 0; n < sessions; n++) {
    let at = 0
    for (;;) {
      const to = Math.min(STATES - 1, at + Math.floor(random() * 2))
      if (random() < 0.3) {
        counter.end(at)
        break
      }
      if (random() < 0.05 * to) {
        counter.violate(at, to)
        break
      }
      counter.survive(at, to)
      at = to
    }
  }
  return counter
}

test('counts hold every step', () => {
  const counter = createCounter(3)
  counter.survive(0, 1)
  counter.survive(1, 1)
  counter.violate(1, 2)
  counter.survive(0, 1)
  counter.end(1)
  assert.deepEqual(sparseCounts(counter.counts), [
    [0, 1, 2],
    [1, 1, 1],
    [1, 3, 1],
    [1, 4, 1],
  ])
  assert.deepEqual([...counter.counts.arrivals], [0, 3, 1])
  assert.deepEqual([...counter.counts.violating], [0, 0, 1])
  for (const state of [-1, 3, 0.5]) assert.throws(() => counter.survive(0, state), RangeError)
})

test('a weight counts in part, and none below 0', () => {
  const counter = createCounter(2)
  counter.survive(0, 1, 0.25)
  counter.violate(0, 1, 0.75)
  counter.end(1, 0.25)
  assert.deepEqual(sparseCounts(counter.counts), [
    [0, 1, 0.25],
    [0, 2, 0.75],
    [1, 3, 0.25],
  ])
  assert.deepEqual(
    [[...counter.counts.arrivals], [...counter.counts.violating]],
    [
      [0, 1],
      [0, 0.75],
    ],
  )
  assert.throws(() => counter.survive(0, 1, -0.1), RangeError)
})

test('rows sum to 1, hazards are probabilities and every state is absorbed, however sparse the counts', () => {
  for (const sessions of [0, 1, 5, 500]) {
    const counter = randomCounter(sessions + 1, sessions)
    const aggregate = estimateAggregate(counter.counts, shrinkage)
    for (const { chain, hazard } of [aggregate, estimateCategory(randomCounter(9, 3).counts, aggregate, 4)]) {
      for (const row of chain.rows) assert.ok(Math.abs(row.reduce((a, b) => a + b, 0) - 1) < 1e-12)
      for (const h of hazard) assert.ok(h > 0 && h < 1)
      for (const [violated, ended] of analyseAbsorption(chain).probability)
        assert.ok(Math.abs((violated ?? 0) + (ended ?? 0) - 1) < 1e-9)
      assert.ok(horizonTable(chain, 10).every((row) => row.every((p) => p >= 0 && p <= 1)))
    }
  }
})

test('a state that was never left has the row of its group, without steps back', () => {
  const counter = createCounter(STATES)
  for (let n = 0; n < 100; n++) {
    counter.survive(2, 0)
    counter.violate(2, 2)
  }
  const { chain } = estimateAggregate(counter.counts, shrinkage)
  const row = chain.rows[3] ?? []
  assert.equal(row[0], 0)
  assert.ok(Math.abs((row[3] ?? 0) - 0.5) < 0.02, 'what fell elsewhere stays where it is')
  assert.ok(Math.abs((row[STATES] ?? 0) - 0.5) < 0.02)
})

test('prior mass may be joined into violated', () => {
  const counter = createCounter(2)
  counter.survive(0, 1)
  counter.end(1)
  const { chain } = estimateAggregate(counter.counts, {
    kappa: 1,
    group: [0, 0],
    join: (from, to) => (to === 1 && from === 1 ? 2 : to),
  })
  assert.ok((chain.rows[1]?.[2] ?? 0) > 0)
  assert.equal(chain.rows[0]?.[2], 0)
})

test('a category follows its own counts if they are many, and the aggregate if there are none', () => {
  const aggregate = estimateAggregate(randomCounter(3, 2_000).counts, shrinkage)
  const nothing = estimateCategory(createCounter(STATES).counts, aggregate, 4)
  assert.deepEqual(nothing.chain.rows, aggregate.chain.rows)
  const counter = createCounter(STATES)
  for (let n = 0; n < 10_000; n++) counter.violate(0, 1)
  const own = estimateCategory(counter.counts, aggregate, 4)
  assert.ok((own.chain.rows[0]?.[STATES] ?? 0) > 0.999)
  assert.ok((own.hazard[1] ?? 0) > 0.999)
  assert.deepEqual(own.hazard[2], aggregate.hazard[2])
})

test('estimates recover the chain that made the counts', () => {
  const { chain, hazard } = estimateAggregate(randomCounter(5, 200_000).counts, shrinkage)
  assert.ok(Math.abs((chain.rows[0]?.[STATES + 1] ?? 0) - 0.3) < 0.01)
  assert.ok(Math.abs((hazard[5] ?? 0) - 0.25) < 0.01)
})

test('κ and the states of an aggregate are checked', () => {
  const { counts } = createCounter(STATES)
  for (const kappa of [0, -1, Number.NaN, Infinity])
    assert.throws(() => estimateAggregate(counts, { ...shrinkage, kappa }), RangeError)
  const aggregate = estimateAggregate(counts, shrinkage)
  assert.throws(() => estimateCategory(createCounter(2).counts, aggregate, 1), RangeError)
})
