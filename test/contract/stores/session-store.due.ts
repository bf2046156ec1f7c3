import assert from 'node:assert/strict'
import type { DueKind } from '@plimsoll/runtime'
import { waitUntil } from '../../support/wait-until.js'
import { type It, T, freshPartition, write } from './session-store.records.js'

/** What every adapter of `SessionStore` must do with the times at which sessions are due. */
export function dueContract(it: It): void {
  it('lists due sessions, the earliest first', async (store, id) => {
    const partition = freshPartition()
    const due = (kind: DueKind, untilMs: number, limit = 10) => store.due(partition, kind, untilMs, limit)
    await store.compareAndSet([
      { ...write(`${id}b`, 0, 'b'), due: { partition, idleMs: T + 2_000, approvalMs: T + 1 } },
      { ...write(`${id}a`, 0, 'a'), due: { partition, idleMs: T + 2_000, obligationMs: T + 7 } },
      { ...write(`${id}c`, 0, 'c'), due: { partition, idleMs: T + 1_000, obligationMs: T + 3 } },
      { ...write(`${id}d`, 0, 'd'), due: { partition: partition + 1, idleMs: T } },
      write(`${id}e`, 0, 'e'),
    ])
    const [a, b, c] = ['a', 'b', 'c'].map((suffix) => `${id}${suffix}`)
    assert.deepEqual(await due('idle', T + 999), [])
    assert.deepEqual(await due('idle', T + 1_000), [{ id: c, atMs: T + 1_000 }])
    const all = [c, a, b].map((each) => ({ id: each, atMs: T + (each === c ? 1_000 : 2_000) }))
    assert.deepEqual(await due('idle', T + 60_000), all)
    assert.deepEqual(await due('idle', T + 60_000, 2), all.slice(0, 2))
    assert.deepEqual(await due('approval', T + 1), [{ id: b, atMs: T + 1 }])
    const owing = [
      { id: c, atMs: T + 3 },
      { id: a, atMs: T + 7 },
    ]
    assert.deepEqual(await due('obligation', T + 7), owing)
    assert.deepEqual(await due('obligation', T + 6), owing.slice(0, 1))
    assert.deepEqual(await store.dueCounts(partition), { approval: 1, obligation: 2, idle: 3 })
    assert.deepEqual(await store.dueCounts(partition + 1), { approval: 0, obligation: 0, idle: 1 })
    assert.deepEqual(await store.dueCounts(freshPartition()), { approval: 0, obligation: 0, idle: 0 })
  })

  it('moves and removes a due entry only with its record', async (store, id) => {
    const partition = freshPartition()
    const idle = () => store.due(partition, 'idle', T * 2, 10)
    const first = { partition, approvalMs: T, obligationMs: T, idleMs: T }
    await store.compareAndSet([{ ...write(id, 0, 'one'), due: first }])
    // Refused: stores neither the record nor its times.
    await store.compareAndSet([{ ...write(id, 0, 'late'), due: { partition } }])
    await store.compareAndSet([{ ...write(id, 5, 'early'), due: { partition, idleMs: T + 9 } }])
    assert.deepEqual(await idle(), [{ id, atMs: T }])
    await store.compareAndSet([write(id, 1, 'two')])
    assert.deepEqual(await idle(), [{ id, atMs: T }], 'left alone where nothing is said')
    await store.trim([{ id, revision: 2 }])
    await store.compareAndSet([{ ...write(id, 2, 'three'), due: { partition, idleMs: T + 5 } }])
    assert.deepEqual(await idle(), [{ id, atMs: T + 5 }])
    assert.deepEqual(await store.dueCounts(partition), { approval: 0, obligation: 0, idle: 1 })
    await store.compareAndSet([{ ...write(id, 3, 'four'), due: { partition } }])
    assert.deepEqual(await store.dueCounts(partition), { approval: 0, obligation: 0, idle: 0 })
  })

  it('drops a due entry without its record, unless it has been moved', async (store, id) => {
    const partition = freshPartition()
    const gone = { ...write(id, 0, 'body'), ttlMs: 50, due: { partition, idleMs: T } }
    await store.compareAndSet([
      gone,
      {
        ...write(`${id}2`, 0, 'body'),
        due: { partition, idleMs: T + 1, approvalMs: T, obligationMs: T },
      },
    ])
    await waitUntil('the record is gone', async () => (await store.load([id]))[0] === undefined)
    const entry = { id, atMs: T }
    assert.deepEqual(await store.due(partition, 'idle', T, 10), [entry])
    await store.dropDue(partition, 'idle', [{ id: `${id}2`, atMs: T }, entry, { id: `${id}3`, atMs: T }])
    assert.deepEqual(await store.dueCounts(partition), { approval: 1, obligation: 1, idle: 1 })
    await store.dropDue(partition, 'obligation', [{ id: `${id}2`, atMs: T }])
    assert.deepEqual(await store.dueCounts(partition), { approval: 1, obligation: 0, idle: 1 })
    await store.dropDue(partition, 'idle', [])
  })

  it('refuses an invalid time before it writes anything', async (store, id) => {
    for (const idleMs of [Number.NaN, Infinity, 0.5]) {
      const wrong = { ...write(id, 0, 'body'), due: { partition: freshPartition(), idleMs } }
      await assert.rejects(store.compareAndSet([write(`${id}2`, 0, 'body'), wrong]), RangeError)
    }
    assert.deepEqual(await store.load([id, `${id}2`]), [undefined, undefined])
  })

  it('applies writes in the order given, also those of one record', async (store, id) => {
    const partition = freshPartition()
    const writes = [0, 1, 2, 5].map((expected) => ({
      ...write(id, expected, `body ${expected}`),
      due: { partition, idleMs: T + expected },
    }))
    assert.deepEqual(await store.compareAndSet(writes), [true, true, true, false])
    assert.deepEqual(await store.load([id]), [{ revision: 3, body: 'body 2', outbox: '' }])
    assert.deepEqual(await store.due(partition, 'idle', T + 9, 9), [{ id, atMs: T + 2 }])
  })

  it('lists the due entries of a thousand records in many partitions', async (store, id) => {
    const partitions = Array.from({ length: 50 }, freshPartition)
    const writes = Array.from({ length: 1_000 }, (_, i) => ({
      ...write(`${id}-${i}`, 0, 'body'),
      due: {
        partition: partitions[i % 50] ?? 0,
        idleMs: T + i,
        approvalMs: T + 2 * i,
        obligationMs: T + 3 * i,
      },
    }))
    assert.ok((await store.compareAndSet(writes)).every(Boolean))
    for (const [i, partition] of partitions.entries()) {
      assert.deepEqual(await store.dueCounts(partition), { approval: 20, obligation: 20, idle: 20 })
      const expected = Array.from({ length: 20 }, (_, k) => i + 50 * k)
      const asDue = (factor: number) => expected.map((n) => ({ id: `${id}-${n}`, atMs: T + factor * n }))
      assert.deepEqual(await store.due(partition, 'idle', T * 2, 100), asDue(1))
      assert.deepEqual(await store.due(partition, 'approval', T * 2, 100), asDue(2))
      assert.deepEqual(await store.due(partition, 'obligation', T * 2, 100), asDue(3))
    }
  })
}
