import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.js'
import { createOrderCounter } from './model.js'
import { chiSquareTail, testOrder } from './order-test.js'

test('the tail of χ² is that of the tables', () => {
  for (const [x, degrees, p] of [
    [3.841459, 1, 0.05],
    [18.307038, 10, 0.05],
    [135.806723, 100, 0.01],
    [1118.948, 1000, 0.005],
    [5.348121, 6, 0.5],
  ] as const)
    assert.ok(
      Math.abs(chiSquareTail(x, degrees) - p) < 1e-5,
      `${x}, ${degrees}: ${chiSquareTail(x, degrees)}`,
    )
  assert.equal(chiSquareTail(0, 3), 1)
  assert.ok(Number.isNaN(chiSquareTail(0, 0)))
})

test('order 1 against 0 is the test of independence of a table', () => {
  const counter = createOrderCounter(2, 1)
  // From 0: 30 to 0, 10 to 1; from 1: 10 to 0, 30 to 1.
  for (const [path, times] of [
    [[0, 0], 30],
    [[0, 1], 10],
    [[1, 0], 10],
    [[1, 1], 30],
  ] as const)
    for (let n = 0; n < times; n++) counter.add(path)
  const { chiSquare, degrees, p, transitions } = testOrder(counter.counts, 1)
  assert.deepEqual([chiSquare, degrees, transitions], [20, 1, 80])
  assert.ok(Math.abs(p - 7.744e-6) < 1e-8)
})

/** Paths over two states; `next` draws P(1 | the state before, the one before that). */
function walks(next: (last: number, before: number) => number, seed: number) {
  const random = seededRandom(seed)
  const counter = createOrderCounter(2, 3)
  for (let n = 0; n < 400; n++) {
    const path = [0, 1]
    for (let i = 0; i < 20; i++) path.push(random() < next(path.at(-1) ?? 0, path.at(-2) ?? 0) ? 1 : 0)
    counter.add(path)
  }
  return counter.counts
}

test('a chain is rejected in favour of the order that made it, and not beyond', () => {
  const first = walks((last) => (last === 0 ? 0.3 : 0.8), 3)
  assert.ok(testOrder(first, 1).p < 1e-9)
  assert.ok(testOrder(first, 2).p > 0.01)
  const second = walks((last, before) => (last === before ? 0.7 : 0.3), 5)
  assert.ok(testOrder(second, 2).p < 1e-9)
  assert.ok(testOrder(second, 3).p > 0.01)
  assert.throws(() => testOrder(second, 4), RangeError)
})

test('under the null hypothesis p is uniform', () => {
  const low = Array.from(
    { length: 200 },
    (_, seed) =>
      testOrder(
        walks(() => 0.4, 100 + seed),
        2,
      ).p < 0.1,
  )
  const share = low.filter(Boolean).length / low.length
  assert.ok(share > 0.03 && share < 0.2, String(share))
})

test('a violation at no known step counts by its posterior', () => {
  const [VIOLATED, ENDED] = [2, 3]
  const counter = createOrderCounter(2, 1)
  counter.add([0, 1, ENDED], [0.25, 0.75])
  const from = (s: number) => [...(counter.counts.followers.get(s + 1) ?? [])]
  assert.deepEqual(from(0), [0, 0.75, 0.25, 0])
  assert.deepEqual(from(1), [0, 0, 0.75, 0])
  counter.add([0, ENDED])
  assert.deepEqual(from(0)[ENDED], 1)
  assert.equal(from(0)[VIOLATED], 0.25)
})
