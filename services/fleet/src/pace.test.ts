import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPauses, createSchedule } from './pace.js'

const never = new AbortController().signal

test('turns of a schedule are due at its rate, whenever they are taken', async () => {
  // The clock stands far behind its beginning's turns: all are late, and none waits.
  let now = 0
  const schedule = createSchedule(4, () => now)
  now = 10_000
  const due = []
  for (let i = 0; i < 5; i++) due.push(await schedule.turn(Math.random, never))
  assert.deepEqual(due, [0, 250, 500, 750, 1000])
})

test('nobody gets a turn before it is due', async () => {
  const schedule = createSchedule(100)
  for (let i = 0; i < 5; i++) {
    const due = (await schedule.turn(Math.random, never)) ?? assert.fail('it has no time')
    // Timers may be a millisecond early.
    assert.ok(performance.now() >= due - 1.5)
  }
})

test('an abort ends every wait', async () => {
  const abort = new AbortController()
  const schedule = createSchedule(0.001)
  await schedule.turn(Math.random, abort.signal)
  const waiting = [schedule.turn(Math.random, abort.signal), createPauses(1e6).turn(() => 0.5, abort.signal)]
  abort.abort()
  await Promise.all(waiting)
})

test('agents that pause on their own are never late', async () => {
  assert.equal(await createPauses(1).turn(Math.random, never), undefined)
  assert.equal(await createPauses(0).turn(Math.random, never), undefined)
})
