import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniformPosterior } from './session-path.js'
import { createTally } from './tally.js'

const near = (actual: Iterable<number>, expected: readonly number[]): void =>
  assert.deepEqual(
    Array.from(actual, (value) => Number(value.toFixed(9))),
    expected,
  )

const path = (arrivals: number[], violated = false) => ({ arrivals, violated, unlabelled: 0, unexecuted: 0 })

test('sessions that arrived in the same states share an entry, so that memory does not grow with them', () => {
  const { add, tally } = createTally(3, 0)
  for (let n = 0; n < 30_000; n++) add(path([n % 3, (n * 7) % 3, 1], n % 10 === 0))
  assert.equal(tally.traces, 30_000)
  assert.equal(tally.steps, 90_000)
  assert.equal(tally.violations, 3_000)
  assert.ok(tally.visits.size <= 7)
  let sessions = 0
  for (const { safe, unsafe } of tally.visits.values()) sessions += safe + unsafe
  assert.equal(sessions, 30_000)
})

test('steps are counted from the first state to the end, or to the violation', () => {
  const { add, tally } = createTally(3, 0)
  add(path([1, 2]))
  add(path([1], true))
  const { transitions, arrivals, violating } = tally.counts
  assert.deepEqual(Array.from(transitions), [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
  assert.deepEqual(
    [Array.from(arrivals), Array.from(violating)],
    [
      [0, 2, 1],
      [0, 1, 0],
    ],
  )
})

test('a violation whose step is not known is counted in parts, by its posterior', () => {
  const { add, tally } = createTally(3, 0)
  add({ ...path([1, 2, 1]), posterior: [0.2, 0.5, 0.2] })
  const { transitions, arrivals, violating } = tally.counts
  // 0 → 1, 1 → 2, 2 → 1; then `violated` and `ended`.
  near(transitions, [0, 0.8, 0, 0.2, 0, 0, 0, 0.3, 0.5, 0.1, 0, 0.1, 0, 0.2, 0])
  near(arrivals, [0, 1.3, 0.8])
  near(violating, [0, 0.4, 0.5])
  near([tally.traces, tally.steps, tally.violations], [1, 2.1, 0.9])
  const visits = [...tally.visits.values()]
  assert.deepEqual(
    visits.map(({ states }) => states),
    [[1], [1, 2]],
  )
  near(
    visits.flatMap(({ safe, unsafe }) => [safe, unsafe]),
    [0, 0.2, 0.1, 0.7],
  )
})

test('a posterior that is certain counts as the known step does', () => {
  const [known, certain] = [createTally(3, 0), createTally(3, 0)]
  known.add(path([1, 2], true))
  certain.add({ ...path([1, 2, 1]), posterior: [0, 1, 0] })
  assert.deepEqual(certain.tally, known.tally)
})

test('the expected counts are the mean over draws of the violating step', () => {
  const arrivals = [1, 2, 2, 0]
  const drawn = createTally(3, 0)
  for (let at = 0; at < arrivals.length; at++) drawn.add(path(arrivals.slice(0, at + 1), true))
  const spread = createTally(3, 0)
  for (let n = 0; n < arrivals.length; n++)
    spread.add({ ...path(arrivals), posterior: uniformPosterior(arrivals.length) })
  near(spread.tally.counts.transitions, [...drawn.tally.counts.transitions])
  near([spread.tally.steps, spread.tally.violations], [drawn.tally.steps, drawn.tally.violations])
})
