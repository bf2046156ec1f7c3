import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackoff, pause } from './timing.js'

test('delays grow up to their bound and begin again after a success', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 1_000, random: () => 0.5 })
  const next = (count: number) => Array.from({ length: count }, () => backoff.next())
  assert.deepEqual(next(6), [50, 100, 200, 400, 500, 500])
  backoff.reset()
  assert.deepEqual(next(2), [50, 100])
})

test('a delay is anywhere below its bound', () => {
  for (const [share, expected] of [
    [0, 0],
    [0.999, 99.9],
  ] as const) {
    assert.equal(createBackoff({ random: () => share }).next(), expected)
  }
})

test('a pause ends when its time is over or its signal aborted, and never rejects', async (t) => {
  await pause(1)
  // From here on no time passes.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const abort = new AbortController()
  const long = pause(60_000, abort.signal)
  abort.abort()
  await long
  await pause(60_000, abort.signal)
})
