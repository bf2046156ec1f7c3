import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTally } from './tally.js'

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
