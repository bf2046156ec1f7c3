import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from './attempt.js'
import { createBudget } from './budget.js'

test('a minute frees what it took, a run does not', () => {
  let now = 0
  const budget = createBudget(2, 3, { now: () => now })
  assert.deepEqual([budget.take(), budget.take(), budget.take()], [undefined, undefined, 'minute'])
  now = 59_999
  assert.equal(budget.take(), 'minute')
  now = 60_000
  assert.deepEqual(budget.left(), { minute: 2, run: 1 })
  assert.deepEqual([budget.take(), budget.take()], [undefined, 'run'])
})

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2026, 10, 22)
  for (const [header, expected] of [
    [null, undefined],
    ['7', 7_000],
    [' 0 ', 0],
    ['Sun, 22 Nov 2026 00:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 00:00:30 GMT', 0],
    ['soon', undefined],
  ] as const)
    assert.equal(retryAfterMs(header, now), expected, String(header))
})
