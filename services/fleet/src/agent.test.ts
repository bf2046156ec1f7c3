import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { createPauses, createSchedule, whenRoom } from './agent.js'

const full = () => Promise.reject(new PlimsollError('queue_full', 'full'))

test('tries again while the queue is full, and reports each attempt', async () => {
  let tries = 0
  let reported = 0
  const work = async () => (++tries < 3 ? full() : 'sent')
  assert.equal(await whenRoom(work, new AbortController().signal, () => void reported++), 'sent')
  assert.deepEqual([tries, reported], [3, 2])
})

test('ends at the abort, and rejects with any other error', async () => {
  const abort = new AbortController()
  assert.equal(await whenRoom(full, abort.signal, () => abort.abort()), undefined)
  const other = () => Promise.reject(new PlimsollError('closed', 'no more'))
  await assert.rejects(
    whenRoom(other, new AbortController().signal, () => assert.fail('it was not full')),
    /no more/,
  )
})

const never = new AbortController().signal

test('turns of a schedule are due at its rate, even when taken late', async () => {
  // All turns are late, so none waits.
  let now = 0
  const schedule = createSchedule(4, () => now)
  now = 10_000
  const due = []
  for (let i = 0; i < 5; i++) due.push(await schedule.turn(Math.random, never))
  assert.deepEqual(due, [0, 250, 500, 750, 1000])
})

test('no turn comes before it is due', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
    return setImmediate()
  }
  const schedule = createSchedule(100, () => now)
  const taken: number[] = []
  for (let i = 0; i < 5; i++)
    void schedule.turn(Math.random, never).then((due = assert.fail('it has no time')) => taken.push(due))
  await pass(0)
  assert.deepEqual(taken, [0])
  await pass(9)
  assert.deepEqual(taken, [0])
  await pass(1)
  assert.deepEqual(taken, [0, 10])
  await pass(30)
  assert.deepEqual(taken, [0, 10, 20, 30, 40])
})

test('an abort ends every wait', async () => {
  const abort = new AbortController()
  const schedule = createSchedule(0.001)
  await schedule.turn(Math.random, abort.signal)
  const waiting = [schedule.turn(Math.random, abort.signal), createPauses(1e6).turn(() => 0.5, abort.signal)]
  abort.abort()
  await Promise.all(waiting)
})

test('pauses have no due time', async () => {
  assert.equal(await createPauses(1).turn(Math.random, never), undefined)
  assert.equal(await createPauses(0).turn(Math.random, never), undefined)
})
