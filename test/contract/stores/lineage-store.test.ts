import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createEmbeddedLineages, createFolderLineages } from '@plimsoll/runtime/embedded'
import { createRedisLineages } from '@plimsoll/runtime/redis'
import { Redis } from 'ioredis'
import { redis, uniquePrefix } from '../../support/components/components.js'
import { lineageStoreContract } from './lineage-store.contract.js'

const prefix = uniquePrefix()
const lineages = new Map()
const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-lineages-'))
after(() => rm(folder, { recursive: true }))

lineageStoreContract({ name: 'embedded', skip: false, open: () => createEmbeddedLineages({ lineages }) })
lineageStoreContract({ name: 'folder', skip: false, open: () => createFolderLineages({ folder }) })
lineageStoreContract({
  name: 'redis',
  skip: redis.skip,
  open: () => createRedisLineages({ url: redis.url, prefix }),
})

const BOUNDS = { ttlMs: 60_000, keptMax: 8 }

test('redis: lineage keys have their own prefix, and expire', { skip: redis.skip }, async (t) => {
  const own = uniquePrefix()
  const store = createRedisLineages({ url: redis.url, prefix: own })
  const admin = new Redis(redis.url)
  t.after(async () => {
    await store.close()
    await admin.quit()
  })
  await store.report('l1', { id: 's1', body: 'x' }, BOUNDS)
  await admin.script('FLUSH')
  await store.report('l1', { id: 's2', body: 'y' }, BOUNDS)
  assert.deepEqual(await admin.keys(`${own}*`), [`${own}:lineage:l1`])
  const ttlMs = await admin.pttl(`${own}:lineage:l1`)
  assert.ok(ttlMs > 50_000 && ttlMs <= 60_000, String(ttlMs))
})

test('redis: reports an unreachable server', async (t) => {
  const store = createRedisLineages({ url: 'redis://127.0.0.1:1', limits: { answerTimeoutMs: 50 } })
  t.after(() => store.close())
  await assert.rejects(store.read('l1'), { code: 'store_unavailable' })
  await assert.rejects(store.report('l1', { id: 's1', body: 'x' }, BOUNDS), { code: 'store_unavailable' })
})

test('embedded: no room for another lineage is an error; expired lineages make room', async () => {
  let now = 0
  const store = createEmbeddedLineages({ clock: { now: () => now }, lineagesMax: 1 })
  await store.report('l1', { id: 's1', body: 'x' }, BOUNDS)
  await assert.rejects(store.report('l2', { id: 's1', body: 'x' }, BOUNDS), { code: 'store_unavailable' })
  now = 60_000
  await store.report('l2', { id: 's1', body: 'x' }, BOUNDS)
  assert.deepEqual(await store.read('l1'), [])
})

test('folder: only its user can read it, an unreadable file counts, and an expired lineage starts empty', async () => {
  let now = 0
  const own = path.join(folder, 'own')
  const store = createFolderLineages({ folder: own, clock: { now: () => now } })
  await store.report('l1', { id: 's1', body: 'x' }, BOUNDS)
  await store.report('l1', { id: 's2', body: 'y' }, BOUNDS)
  assert.equal((await stat(own)).mode & 0o777, 0o700)
  const [lineage = ''] = await readdir(own)
  const [file = ''] = await readdir(path.join(own, lineage))
  assert.equal((await stat(path.join(own, lineage, file))).mode & 0o777, 0o600)
  now = 60_000
  await store.report('l1', { id: 's3', body: 'z' }, BOUNDS)
  assert.deepEqual(await store.read('l1'), [{ id: 's3', body: 'z' }])
  await writeFile(path.join(own, lineage, 'broken.json'), '{"id":')
  assert.deepEqual((await store.read('l1')).map(({ body }) => body).toSorted(), ['', 'z'])
})

test('folder: a place that cannot be written is reported', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  const store = createFolderLineages({ folder: path.join(file, 'inside') })
  await assert.rejects(store.report('l1', { id: 's1', body: 'x' }, BOUNDS), { code: 'store_unavailable' })
  await assert.rejects(store.ping(), { code: 'store_unavailable' })
})
