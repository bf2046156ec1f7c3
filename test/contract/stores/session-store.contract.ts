import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DueKind, RecordWrite, SessionStore } from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'
import { fleetContract } from './session-store.fleet.js'

export interface SessionStoreUnderTest {
  readonly name: string
  readonly skip: string | false
  /** A store over the adapter's shared set of records. */
  readonly open: () => SessionStore
}

/** What every adapter of `SessionStore` must do. */
export function sessionStoreContract({ name, skip, open }: SessionStoreUnderTest): void {
  const it = (what: string, run: (store: SessionStore, id: string) => Promise<void>): void => {
    test(what, async () => {
      const store = open()
      try {
        await run(store, `${uniquePrefix()}session`)
      } finally {
        await store.close()
      }
    })
  }

  describe(`session store contract: ${name}`, { skip }, () => {
    it('loads nothing when nothing was stored', async (store, id) => {
      assert.deepEqual(await store.load([id, `${id}2`]), [undefined, undefined])
      assert.deepEqual(await store.load([]), [])
    })

    it('creates a record only when there is none', async (store, id) => {
      assert.deepEqual(await store.compareAndSet([write(id, 0, 'body', 'outbox')]), [true])
      assert.deepEqual(await store.load([id]), [{ revision: 1, body: 'body', outbox: 'outbox' }])
      assert.deepEqual(await store.compareAndSet([write(id, 0, 'other')]), [false])
      assert.deepEqual(await store.load([id]), [{ revision: 1, body: 'body', outbox: 'outbox' }])
    })

    it('updates only the expected revision', async (store, id) => {
      await store.compareAndSet([write(id, 0, 'one')])
      assert.deepEqual(await store.compareAndSet([write(id, 1, 'two', 'out')]), [true])
      assert.deepEqual(await store.compareAndSet([write(id, 1, 'late')]), [false])
      assert.deepEqual(await store.compareAndSet([write(id, 3, 'early')]), [false])
      assert.deepEqual(await store.load([id]), [{ revision: 2, body: 'two', outbox: 'out' }])
    })

    it('refuses an expected revision when there is no record', async (store, id) => {
      assert.deepEqual(await store.compareAndSet([write(id, 1, 'body')]), [false])
      assert.deepEqual(await store.load([id]), [undefined])
    })

    it('numbers revisions beyond one digit', async (store, id) => {
      for (let revision = 0; revision < 120; revision++)
        assert.deepEqual(await store.compareAndSet([write(id, revision, `body ${revision}`)]), [true])
      assert.deepEqual(await store.compareAndSet([write(id, 12, 'a prefix of 120')]), [false])
      assert.deepEqual(await store.load([id]), [{ revision: 120, body: 'body 119', outbox: '' }])
    })

    it('decides each write of a call separately', async (store, id) => {
      await store.compareAndSet([write(`${id}b`, 0, 'there')])
      const writes = [write(`${id}a`, 0, 'a'), write(`${id}b`, 0, 'b'), write(`${id}c`, 0, 'c')]
      assert.deepEqual(await store.compareAndSet(writes), [true, false, true])
    })

    it('accepts one of two racing writes', async (store, id) => {
      const other = open()
      try {
        for (let round = 0; round < 50; round++) {
          const [[mine], [theirs]] = await Promise.all([
            store.compareAndSet([write(id, round, 'mine')]),
            other.compareAndSet([write(id, round, 'theirs')]),
          ])
          assert.notEqual(mine, theirs, `round ${round}`)
          const [record] = await store.load([id])
          assert.deepEqual(record, { revision: round + 1, body: mine ? 'mine' : 'theirs', outbox: '' })
        }
      } finally {
        await other.close()
      }
    })

    it('trims the outbox of the given revision only', async (store, id) => {
      await store.compareAndSet([write(id, 0, 'body', 'outbox'), write(`${id}2`, 0, 'body', 'outbox')])
      await store.trim([
        { id, revision: 1 },
        { id: `${id}2`, revision: 2 },
        { id: `${id}3`, revision: 1 },
      ])
      assert.deepEqual(await store.load([id, `${id}2`, `${id}3`]), [
        { revision: 1, body: 'body', outbox: '' },
        { revision: 1, body: 'body', outbox: 'outbox' },
        undefined,
      ])
      await store.trim([{ id, revision: 1 }])
      await store.trim([])
      assert.deepEqual(await store.compareAndSet([write(id, 1, 'next')]), [true])
    })

    it('expires a record after its time', async (store, id) => {
      const kept = { ...write(`${id}2`, 0, 'body'), ttlMs: 60_000 }
      await store.compareAndSet([{ ...write(id, 0, 'body', 'outbox'), ttlMs: 200 }, kept])
      await store.trim([{ id, revision: 1 }])
      await waitUntil('the record is gone', async () => (await store.load([id]))[0] === undefined, {
        timeoutMs: 5_000,
      })
      assert.deepEqual(await store.compareAndSet([write(id, 0, 'again')]), [true])
      assert.equal((await store.load([`${id}2`]))[0]?.revision, 1)
    })

    it('restarts a record’s expiry with each write', async (store, id) => {
      await store.compareAndSet([
        { ...write(id, 0, 'body'), ttlMs: 150 },
        { ...write(`${id}2`, 0, 'body'), ttlMs: 150 },
      ])
      await store.compareAndSet([{ ...write(id, 1, 'body'), ttlMs: 60_000 }])
      await waitUntil('the other is gone', async () => (await store.load([`${id}2`]))[0] === undefined, {
        timeoutMs: 5_000,
      })
      assert.equal((await store.load([id]))[0]?.revision, 2)
    })

    it('returns any text unchanged', async (store, id) => {
      const texts = [
        '',
        'ASCII',
        'žluťoučký kůň',
        '日本語 🚢⚓',
        'line\nbreak\r\n\t\0 7 12\n',
        '"{}\\',
        'x'.repeat(1_000_000),
      ]
      for (const [i, body] of texts.entries()) {
        for (const [j, outbox] of texts.entries()) {
          const key = `${id}-${i}-${j}`
          await store.compareAndSet([write(key, 0, body, outbox)])
          assert.deepEqual(await store.load([key]), [{ revision: 1, body, outbox }])
          await store.trim([{ id: key, revision: 1 }])
          assert.deepEqual(await store.load([key]), [{ revision: 1, body, outbox: '' }])
        }
      }
    })

    it('writes a thousand records in one call', async (store, id) => {
      const ids = Array.from({ length: 1_000 }, (_, i) => `${id}-${i}`)
      const answers = await store.compareAndSet(
        ids.map((each) => write(each, 0, `body of ${each}`, 'outbox')),
      )
      assert.equal(answers.filter(Boolean).length, 1_000)
      await store.trim(ids.map((each) => ({ id: each, revision: 1 })))
      const records = await store.load(ids)
      assert.deepEqual(
        records.map((record) => record?.body),
        ids.map((each) => `body of ${each}`),
      )
      assert.ok(records.every((record) => record?.outbox === ''))
    })

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

    fleetContract(it, open)

    it('lists exactly the sessions with a record, page by page', async (store, id) => {
      const ids = Array.from({ length: 300 }, (_, i) => `${id}-${i}`)
      await store.compareAndSet([
        ...ids.map((each) => ({ ...write(each, 0, ''), due: { partition: freshPartition(), idleMs: T } })),
        write(`#${id}/progress`, 0, 'internal'),
      ])
      await store.writeMeta(`${id}-meta`, { a: 'b' })
      const listed = new Set<string>()
      let pages = 0
      for (let cursor: string | undefined; ;) {
        const page = await store.list(cursor, 20)
        for (const each of page.ids) listed.add(each)
        // Written again meanwhile: a session may be listed twice, and none is missed.
        const again = ids[pages++]
        if (again !== undefined) await store.compareAndSet([write(again, 1, 'again')])
        if (page.cursor === undefined) break
        cursor = page.cursor
      }
      assert.ok(pages > 3, `${pages} pages`)
      assert.deepEqual([...listed].filter((each) => each.startsWith(id)).sort(), ids.toSorted())
      assert.deepEqual(
        [...listed].filter((each) => each.startsWith('#') || each.includes('meta')),
        [],
      )
    })

    it('describes itself', async (store) => {
      const info = await store.describe()
      assert.match(info.version, /^\w+( \d+\.\d+\.\d+)?$/)
      assert.equal(info.role, 'primary')
      assert.equal(info.evictionPolicy, 'noeviction')
      assert.deepEqual(
        Object.values(info.persistence).map((each) => typeof each),
        ['boolean', 'boolean'],
      )
      assert.equal(info.memoryBytesMax, 0)
      assert.ok(Math.abs(info.timeMs - Date.now()) < 60_000)
    })

    it('keeps fields beside the sessions', async (store, id) => {
      assert.deepEqual(await store.readMeta(id), {})
      await store.writeMeta(id, { partitions: '12', 'p 0': 'ž' })
      await store.writeMeta(id, { partitions: '24' })
      await store.writeMeta(id, {})
      assert.deepEqual(await store.readMeta(id), { partitions: '24', 'p 0': 'ž' })
      assert.deepEqual(await store.load([id]), [undefined])
    })

    it('answers a ping', async (store) => {
      await store.ping()
    })

    it('can be closed twice, and stays closed', async (store, id) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
      await assert.rejects(store.load([id]), { code: 'closed' })
      await assert.rejects(store.compareAndSet([write(id, 0, '')]), { code: 'closed' })
      await assert.rejects(store.due(0, 'idle', 0, 1), { code: 'closed' })
      await assert.rejects(store.list(undefined, 1), { code: 'closed' })
      await assert.rejects(store.describe(), { code: 'closed' })
      await assert.rejects(store.ping(), { code: 'closed' })
    })
  })
}

const T = 1_700_000_000_000

let partitions = 0
/** A partition that no other test uses. */
const freshPartition = (): number => 10 * ++partitions

function write(id: string, expected: number, body: string, outbox = ''): RecordWrite {
  return { id, expected, body, outbox, ttlMs: 60_000 }
}
