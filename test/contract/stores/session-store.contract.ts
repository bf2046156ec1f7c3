import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SessionStore } from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'
import { countsContract } from './session-store.counts.js'
import { dueContract } from './session-store.due.js'
import { fleetContract } from './session-store.fleet.js'
import { type It, T, freshPartition, write } from './session-store.records.js'

export interface SessionStoreUnderTest {
  readonly name: string
  readonly skip: string | false
  /** A store over the adapter's shared set of records. */
  readonly open: () => SessionStore
}

/** What every adapter of `SessionStore` must do. */
export function sessionStoreContract({ name, skip, open }: SessionStoreUnderTest): void {
  const it: It = (what, run) => {
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

    dueContract(it)
    countsContract(it, open)
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
