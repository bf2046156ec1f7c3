import assert from 'node:assert/strict'
import type { FleetCount, RecordWrite, SessionStore } from '@plimsoll/runtime'
import { waitUntil } from '../../support/wait-until.js'
import { type It, T, write } from './session-store.records.js'

/** What every adapter of `SessionStore` must do with the fleet's counters. */
export function fleetContract(it: It, open: () => SessionStore): void {
  it('counts fleet sessions with a stored write, each once and by its latest time', async (store, id) => {
    const counter = `${id}-counter`
    const read = async (session: string, sinceMs: number) =>
      (await store.fleet([{ counter, id: `${id}${session}`, sinceMs }]))[0]
    assert.deepEqual(await read('a', 0), { others: 0, ownMs: undefined })
    await store.compareAndSet([
      { ...write(`${id}a`, 0, 'a'), fleet: [marking(counter, T)] },
      { ...write(`${id}b`, 0, 'b'), fleet: [marking(counter, T + 5)] },
      // Refused for its revision: counts nothing.
      { ...write(`${id}c`, 7, 'c'), fleet: [marking(counter, T + 6)] },
      write(`${id}d`, 0, 'd'),
    ])
    assert.deepEqual(await read('a', T), { others: 1, ownMs: T })
    assert.deepEqual(await read('a', T + 1), { others: 1, ownMs: T })
    assert.deepEqual(await read('b', T), { others: 1, ownMs: T + 5 })
    assert.deepEqual(await read('c', T), { others: 2, ownMs: undefined })
    assert.deepEqual(await read('c', T + 6), { others: 0, ownMs: undefined })
    // Again, and then with an earlier time: neither counts twice nor moves the time back.
    await store.compareAndSet([
      { ...write(`${id}a`, 1, 'a'), fleet: [marking(counter, T + 9), marking(`${counter}2`, T)] },
      { ...write(`${id}b`, 1, 'b'), fleet: [marking(counter, T + 2)] },
    ])
    assert.deepEqual(await read('c', T + 5), { others: 2, ownMs: undefined })
    assert.deepEqual(await read('c', T + 9), { others: 1, ownMs: undefined })
    const all = await store.fleet(
      [counter, `${counter}2`, `${counter}3`].map((each) => ({ counter: each, id, sinceMs: 0 })),
    )
    assert.deepEqual(
      all.map(({ others }) => others),
      [2, 1, 0],
    )
    assert.deepEqual(await store.fleet([]), [])
  })

  it('refuses a write over the limit, and stores nothing of it', async (store, id) => {
    const counter = `${id}-counter`
    const unless = { others: 2, sinceMs: T }
    const marked = (session: string, atMs: number, revision = 0): RecordWrite => ({
      ...write(`${id}${session}`, revision, session),
      due: { partition: 3, idleMs: T },
      counts: { name: counter, fields: ['stored'] },
      fleet: [{ ...marking(counter, atMs), unless }],
    })
    // Too old to count, and then two that fill it; the third finds them in the same call.
    await store.compareAndSet([{ ...write(`${id}old`, 0, 'old'), fleet: [marking(counter, T - 1)] }])
    const answers = await store.compareAndSet([marked('a', T), marked('b', T + 1), marked('c', T + 2)])
    assert.deepEqual(answers, [true, true, false])
    assert.deepEqual(await store.load([`${id}c`]), [undefined])
    assert.equal((await store.counted(counter)).get('stored'), 2)
    // A session already counted finds one other; a write without a limit succeeds.
    assert.deepEqual(await store.compareAndSet([marked('a', T + 3, 1)]), [true])
    const heedless = { ...write(`${id}c`, 0, 'c'), fleet: [marking(counter, T + 2)] }
    assert.deepEqual(await store.compareAndSet([heedless]), [true])
    assert.equal((await store.fleet([{ counter, id, sinceMs: T }]))[0]?.others, 3)
  })

  it('keeps the latest sessions of a counter, up to the given number', async (store, id) => {
    const counter = `${id}-counter`
    const writes = Array.from({ length: 300 }, (_, i) => ({
      ...write(`${id}${i}`, 0, ''),
      fleet: [{ ...marking(counter, T + ((i * 7) % 300)), keptMax: 11 }],
    }))
    assert.ok((await store.compareAndSet(writes)).every(Boolean))
    const [all, latest] = await store.fleet([
      { counter, id, sinceMs: 0 },
      { counter, id, sinceMs: T + 289 },
    ])
    assert.deepEqual([all?.others, latest?.others], [11, 11])
  })

  it('expires an idle counter, after the longest requested time', async (store, id) => {
    const [short, long] = [`${id}-short`, `${id}-long`]
    const others = async (counter: string) =>
      (await store.fleet([{ counter, id: 'nobody', sinceMs: 0 }]))[0]?.others
    await store.compareAndSet([
      { ...write(id, 0, ''), fleet: [{ ...marking(short, T), ttlMs: 100 }, marking(long, T)] },
      { ...write(`${id}2`, 0, ''), fleet: [{ ...marking(long, T), ttlMs: 100 }] },
    ])
    await waitUntil('the one is gone', async () => (await others(short)) === 0, { timeoutMs: 5_000 })
    assert.equal(await others(long), 2)
  })

  it('gives the last place to one of two racing writes', async (store, id) => {
    const other = open()
    try {
      for (let round = 0; round < 30; round++) {
        const counter = `${id}-counter${round}`
        const fleet = [{ ...marking(counter, T), unless: { others: 1, sinceMs: T } }]
        const [[mine], [theirs]] = await Promise.all([
          store.compareAndSet([{ ...write(`${id}-mine${round}`, 0, ''), fleet }]),
          other.compareAndSet([{ ...write(`${id}-theirs${round}`, 0, ''), fleet }]),
        ])
        assert.notEqual(mine, theirs, `round ${round}`)
      }
    } finally {
      await other.close()
    }
  })

  it('refuses an invalid mark before it writes anything', async (store, id) => {
    const wrong = { ...write(id, 0, 'body'), fleet: [marking(`${id}-counter`, Number.NaN)] }
    await assert.rejects(store.compareAndSet([write(`${id}2`, 0, 'body'), wrong]), RangeError)
    assert.deepEqual(await store.load([id, `${id}2`]), [undefined, undefined])
  })
}

const marking = (counter: string, atMs: number): FleetCount => ({
  counter,
  atMs,
  keptMax: 100,
  ttlMs: 60_000,
})
