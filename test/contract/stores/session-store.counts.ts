import assert from 'node:assert/strict'
import type { SessionStore } from '@plimsoll/runtime'
import { type It, write } from './session-store.records.js'

/** What every adapter of `SessionStore` must do with the counts that writes add to. */
export function countsContract(it: It, open: () => SessionStore): void {
  it('adds to counts only with a stored write', async (store, id) => {
    const counting = (fields: readonly string[], name = `${id}-counts`) => ({ counts: { name, fields } })
    await store.compareAndSet([
      { ...write(id, 0, 'one'), ...counting(['a b', 'ž:1', 'a b']) },
      { ...write(`${id}2`, 0, 'one'), ...counting(['a b']) },
      { ...write(`${id}3`, 0, 'one'), ...counting(['a b'], `${id}-others`) },
      write(`${id}4`, 0, 'one'),
    ])
    // Refused: stores neither the record nor its counts.
    await store.compareAndSet([
      { ...write(id, 0, 'late'), ...counting(['a b', 'late']) },
      { ...write(id, 1, 'two'), ...counting(['ž:1']) },
      { ...write(id, 7, 'early'), ...counting(['early']) },
    ])
    const expected = new Map([
      ['a b', 3],
      ['ž:1', 2],
    ])
    assert.deepEqual(await store.counted(`${id}-counts`), expected)
    assert.deepEqual([...(await store.counted(`${id}-others`))], [['a b', 1]])
    assert.deepEqual([...(await store.counted(`${id}-none`))], [])
    await store.compareAndSet([{ ...write(id, 2, 'three'), ...counting([]) }])
    assert.deepEqual(await store.counted(`${id}-counts`), expected)
  })

  it('loses no count of many writers, and counts thousands of fields', async (store, id) => {
    const name = `${id}-counts`
    const other = open()
    try {
      const writes = (from: number) =>
        Array.from({ length: 1_500 }, (_, i) => ({
          ...write(`${id}-${from + i}`, 0, ''),
          counts: { name, fields: ['all', `${from + i}`] },
        }))
      await Promise.all([store.compareAndSet(writes(0)), other.compareAndSet(writes(1_500))])
      const counted = await store.counted(name)
      assert.equal(counted.get('all'), 3_000)
      assert.equal(counted.size, 3_001)
      assert.deepEqual(await other.counted(name), counted)
    } finally {
      await other.close()
    }
  })

  it('refuses an invalid field before it writes anything', async (store, id) => {
    for (const field of ['', 'a\nb']) {
      const wrong = { ...write(id, 0, 'body'), counts: { name: id, fields: ['fine', field] } }
      await assert.rejects(store.compareAndSet([write(`${id}2`, 0, 'body'), wrong]), RangeError)
    }
    assert.deepEqual(await store.load([id, `${id}2`]), [undefined, undefined])
    assert.equal((await store.counted(id)).size, 0)
  })
}
