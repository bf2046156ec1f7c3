import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LineageEntry, LineageStore } from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'

export interface LineageStoreUnderTest {
  readonly name: string
  readonly skip: string | false
  /** A store over the adapter's shared set of lineages. */
  readonly open: () => LineageStore
}

const BOUNDS = { ttlMs: 60_000, keptMax: 8 }
const said = (id: string, body = `what ${id} knows`): LineageEntry => ({ id, body })
const sorted = (entries: readonly LineageEntry[]) => entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** What every adapter of `LineageStore` must do. */
export function lineageStoreContract({ name, skip, open }: LineageStoreUnderTest): void {
  const it = (what: string, run: (store: LineageStore, lineage: string) => Promise<void>): void => {
    test(what, async () => {
      const store = open()
      try {
        await run(store, `${uniquePrefix()} of Ann {Å}`)
      } finally {
        await store.close()
      }
    })
  }

  describe(`lineage store contract: ${name}`, { skip }, () => {
    it('has nothing of a lineage that was never written', async (store, lineage) => {
      assert.deepEqual(await store.read(lineage), [])
    })

    it('keeps the latest entry of each session, for every store', async (store, lineage) => {
      const other = open()
      assert.equal(await store.report(lineage, said('s1', 'little'), BOUNDS), true)
      assert.equal(await other.report(lineage, said('s2'), BOUNDS), true)
      assert.equal(await store.report(lineage, said('s1', 'much:\n"ж"'), BOUNDS), true)
      assert.deepEqual(sorted(await other.read(lineage)), [said('s1', 'much:\n"ж"'), said('s2')])
      assert.deepEqual(await store.read(`${lineage}2`), [])
      await other.close()
    })

    it('deletes entries merged elsewhere, unless they have changed since', async (store, lineage) => {
      await store.report(lineage, said('s1'), BOUNDS)
      await store.report(lineage, said('s2'), BOUNDS)
      const instead = await store.read(lineage)
      await store.report(lineage, said('s2', 'more'), BOUNDS)
      await store.report(lineage, said('s3', 'what both knew'), { ...BOUNDS, instead })
      assert.deepEqual(sorted(await store.read(lineage)), [said('s2', 'more'), said('s3', 'what both knew')])
    })

    it("keeps a session's new entry when it replaces its old one", async (store, lineage) => {
      await store.report(lineage, said('s1'), BOUNDS)
      await store.report(lineage, said('s1', 'more'), { ...BOUNDS, instead: [said('s1')] })
      assert.deepEqual(await store.read(lineage), [said('s1', 'more')])
    })

    it('refuses sessions beyond its capacity, and keeps those it has', async (store, lineage) => {
      const bounds = { ...BOUNDS, keptMax: 2 }
      const [first, second] = [said('s1'), said('s2')]
      await store.report(lineage, first, bounds)
      await store.report(lineage, second, bounds)
      assert.equal(
        await store.report(lineage, said('s3'), { ...bounds, instead: [said('s1', 'old')] }),
        false,
      )
      assert.deepEqual(sorted(await store.read(lineage)), [first, second])
      assert.equal(await store.report(lineage, said('s2', 'more'), bounds), true)
      assert.equal(await store.report(lineage, said('s3'), { ...bounds, instead: [first] }), true)
      assert.deepEqual(sorted(await store.read(lineage)), [said('s2', 'more'), said('s3')])
    })

    it('expires a lineage that is not written within its time', async (store, lineage) => {
      await store.report(lineage, said('s1'), { ...BOUNDS, ttlMs: 60 })
      await store.report(`${lineage}2`, said('s1'), BOUNDS)
      await waitUntil('the lineage is gone', async () => (await store.read(lineage)).length === 0)
      assert.deepEqual(await store.read(`${lineage}2`), [said('s1')])
    })

    it('each write extends its lifetime', async (store, lineage) => {
      await store.report(lineage, said('s1'), { ...BOUNDS, ttlMs: 100 })
      await store.report(lineage, said('s2'), BOUNDS)
      await new Promise((resolve) => setTimeout(resolve, 150))
      assert.equal((await store.read(lineage)).length, 2)
    })

    it('answers a ping, and can be closed twice', async (store, lineage) => {
      await store.ping()
      await store.close()
      await store.close()
      const closed = { code: 'closed' }
      await assert.rejects(store.read(lineage), closed)
      await assert.rejects(store.report(lineage, said('s1'), BOUNDS), closed)
      await assert.rejects(store.ping(), closed)
    })
  })
}
