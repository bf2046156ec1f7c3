import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLane, type Outcome } from './lane.js'

/** Work that ends on demand, and how often the partition is held. */
function bench(patienceMs: number) {
  const closing = new AbortController()
  const lane = createLane({ patienceMs, redeliveryMsMax: 20 }, closing.signal)
  const held = { times: 0, isHeld: false }
  let running = 0
  const hold = () => {
    held.times++
    held.isHeld = true
    return () => {
      held.isHeld = false
    }
  }
  const work = () => {
    let end: (outcome: Outcome) => void = () => {}
    const ended = new Promise<Outcome>((resolve) => {
      end = resolve
    })
    const run = async () => {
      assert.equal(++running, 1, 'one at a time')
      const outcome = await ended
      running--
      return outcome
    }
    return { end: (outcome: Outcome) => end(outcome), taken: lane.take(run, hold) }
  }
  return { lane, held, work, closing }
}

test('quick work does not hold the partition', async () => {
  const { lane, held, work } = bench(60_000)
  for (let i = 0; i < 3; i++) {
    const { end, taken } = work()
    end('done')
    await taken
    await lane.whenIdle()
  }
  assert.equal(held.times, 0)
})

test('work that takes longer holds the partition until it is done', async () => {
  const { lane, held, work } = bench(1)
  const { end, taken } = work()
  await taken
  assert.equal(held.isHeld, true)
  const other = work()
  await other.taken
  end('done')
  await lane.whenIdle()
  assert.deepEqual(held, { times: 2, isHeld: false })
})

test('work that is not done holds the partition for the time of the backoff', async () => {
  for (const outcome of ['nothing', 'begun'] as const) {
    const { lane, held, work } = bench(60_000)
    const { end, taken } = work()
    end(outcome)
    await taken
    await lane.whenIdle()
    assert.equal(held.isHeld, false)
  }
})

test('after a failure nobody is kept waiting until there was a success', async () => {
  const { lane, held, work } = bench(60_000)
  const first = work()
  first.end('nothing')
  await first.taken
  await lane.whenIdle()
  const before = held.times
  const second = work()
  // Would wait for a minute if it had the patience of the first.
  await second.taken
  assert.equal(held.times, before + 1)
  second.end('done')
  await lane.whenIdle()
  const third = work()
  third.end('done')
  await third.taken
  assert.equal(held.times, before + 1)
})

test('closing ends the wait after a failure', async () => {
  const { lane, work, closing } = bench(60_000)
  const { end, taken } = work()
  closing.abort()
  end('nothing')
  await taken
  await lane.whenIdle()
})
