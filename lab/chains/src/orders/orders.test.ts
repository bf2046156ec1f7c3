import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Order,
  type OrderModel,
  createChain,
  createOrderCounter,
  createOrderModel,
  horizonTable,
  orderHorizon,
} from '../index.js'
import { seededRandom } from '../random.js'

const S = 3
const VIOLATED = S
const ENDED = S + 1

/** Sessions in which what comes next depends on the last two states. */
function drawPaths(n: number, seed: number): number[][] {
  const random = seededRandom(seed)
  return Array.from({ length: n }, () => {
    const path = [Math.floor(random() * S)]
    for (;;) {
      const [before = 0, at = 0] = [path.at(-2), path.at(-1)]
      const point = random()
      if (point < 0.1) return [...path, ENDED]
      if (point < (before === 1 && at === 2 ? 0.5 : 0.12)) return [...path, VIOLATED]
      if (point > 0.97) return path
      path.push(random() < 0.8 ? (before + at + 1) % S : Math.floor(random() * S))
    }
  })
}

function fit(paths: readonly number[][], order: Order, kappa = 2): OrderModel {
  const counter = createOrderCounter(S, order)
  for (const path of paths) counter.add(path)
  return createOrderModel(counter.counts, kappa)
}

const contextOf = ({ contexts }: OrderModel, states: readonly number[]) =>
  states.reduce((context, state) => contexts.after(context, state), 0)

test('contexts drop states older than the order', () => {
  const model = fit([], 2)
  assert.equal(contextOf(model, [0, 1, 2]), contextOf(model, [1, 2]))
  assert.notEqual(contextOf(model, [0, 1]), contextOf(model, [1]))
  assert.equal(model.contexts.suffix(contextOf(model, [1, 2]), 1), contextOf(model, [2]))
  assert.deepEqual(
    [[], [2], [2, 2]].map((states) => model.contexts.lengthOf(contextOf(model, states))),
    [0, 1, 2],
  )
})

test('rows are the hierarchical means, by hand', () => {
  const model = fit(
    [
      [0, 1, 2],
      [0, 1, ENDED],
      [1, 1, VIOLATED],
    ],
    2,
    1,
  )
  // Six transitions: to 1, 2, 1, ended, 1, violated.
  const empty = [0, 3, 1, 1, 1].map((n) => (n + 1 / 5) / 7)
  const after1 = [0, 1, 1, 1, 1].map((n, to) => (n + (empty[to] ?? 0)) / 5)
  const after01 = [0, 0, 1, 0, 1].map((n, to) => (n + (after1[to] ?? 0)) / 3)
  for (const [states, expected] of [
    [[], empty],
    [[1], after1],
    [[0, 1], after01],
    [[2, 1], after1],
    [[2], empty],
    [[0, 2], empty],
  ] as const)
    for (const [to, p] of model.rowOf(contextOf(model, states)).entries())
      assert.ok(Math.abs(p - (expected[to] ?? -1)) < 1e-12, `after ${states.join()} to ${to}`)
})

test('every row sums to 1', () => {
  for (const order of [1, 2, 3] as const) {
    const model = fit(drawPaths(50, order), order)
    for (const context of model.seen)
      assert.ok(Math.abs(model.rowOf(context).reduce((sum, p) => sum + p, 0) - 1) < 1e-12)
  }
})

/** e to the mean of −ln P(the state that came). */
function perplexityOf(model: OrderModel, paths: readonly number[][]): number {
  const surprises = paths.flatMap((path) =>
    path.slice(1).map((to, i) => -Math.log(model.rowOf(contextOf(model, path.slice(0, i + 1)))[to] ?? 0)),
  )
  return Math.exp(surprises.reduce((sum, each) => sum + each, 0) / surprises.length)
}

test('where two states matter, order 2 predicts better than order 1, and order 3 about as well as order 2', () => {
  const [train, fresh] = [drawPaths(5_000, 1), drawPaths(5_000, 2)]
  const [one = 0, two = 0, three = 0] = ([1, 2, 3] as const).map((order) =>
    perplexityOf(fit(train, order), fresh),
  )
  assert.ok(two < 0.9 * one)
  assert.ok(Math.abs(three - two) < 0.03 * two)
})

/** By the definition, over whole histories: shares neither the table nor the backing off. */
function riskOf(model: OrderModel, states: readonly number[], h: number): number {
  if (h === 0) return 0
  return model
    .rowOf(contextOf(model, states))
    .reduce(
      (sum, p, to) => sum + p * (to < S ? riskOf(model, [...states, to], h - 1) : to === VIOLATED ? 1 : 0),
      0,
    )
}

test('P(h) after every history equals following the rows, also for unseen contexts', () => {
  for (const order of [1, 2, 3] as const) {
    // Few sessions, so that many contexts are unseen.
    const model = fit(drawPaths(6, 10 + order), order)
    const risk = orderHorizon(model, 5)
    const histories = [0, 1, 2].flatMap((a) => [
      [a],
      ...[0, 1, 2].flatMap((b) => [
        [a, b],
        [a, b, 1],
        [b, a, 2],
      ]),
    ])
    for (const states of histories)
      for (let h = 0; h <= 5; h++)
        assert.ok(Math.abs(risk(contextOf(model, states), h) - riskOf(model, states, h)) < 1e-12)
  }
})

test('a full table keeps to its limit, counts what it dropped, and still gives one P(h)', () => {
  for (const contextsMax of [1, 5, 12]) {
    const counter = createOrderCounter(S, 3, contextsMax)
    const paths = drawPaths(50, 4)
    for (const path of paths) counter.add(path)
    assert.equal(counter.counts.followers.size, contextsMax)
    assert.ok(counter.counts.dropped > 0)
    const all = counter.counts.followers.get(0)?.reduce((sum, n) => sum + n, 0)
    assert.equal(
      all,
      paths.reduce((sum, path) => sum + path.length - 1, 0),
    )
    const model = createOrderModel(counter.counts, 2)
    const risk = orderHorizon(model, 4)
    for (const states of [[0], [0, 1], [2, 1, 0], [1, 1, 1]])
      assert.ok(Math.abs(risk(contextOf(model, states), 4) - riskOf(model, states, 4)) < 1e-12)
  }
})

test('order 1 is the plain chain', () => {
  const model = fit(drawPaths(200, 3), 1)
  const chain = createChain([0, 1, 2].map((state) => model.rowOf(contextOf(model, [state]))))
  const table = horizonTable(chain, 10)
  const risk = orderHorizon(model, 10)
  for (let state = 0; state < S; state++)
    assert.ok(Math.abs(risk(contextOf(model, [state]), 10) - (table[10]?.[state] ?? 0)) < 1e-12)
})

test('refuses paths that are not sessions', () => {
  const counter = createOrderCounter(S, 2)
  for (const path of [[VIOLATED], [0, VIOLATED, 1], [0, 5], [-1, 0], [0, 0.5, 1]])
    assert.throws(() => counter.add(path), RangeError)
  assert.throws(() => createOrderModel(counter.counts, 0), RangeError)
  assert.throws(() => orderHorizon(createOrderModel(counter.counts, 1), 0.5), RangeError)
  counter.add([])
  counter.add([1])
  assert.equal(counter.counts.followers.size, 0)
})
