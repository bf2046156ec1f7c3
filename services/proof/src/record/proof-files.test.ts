import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileOf, treesIn } from '../file/folder.js'
import { readSigningKey, writeKeyPair } from '../tree/keys.js'
import { openProofFiles } from './proof-files.js'

async function createFolder(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const keyFile = path.join(folder, 'key.pem')
  await writeKeyPair(keyFile)
  return { folder, key: await readSigningKey(keyFile) }
}

const entry = (offset: number) =>
  ({
    kind: 'decision',
    source: { topic: 'decisions', partition: 0, offset: String(offset), time: 1 },
    body: { offset },
  }) as const

test('tenants beyond the limit share the tree of the fleet, also after a restart', async (t) => {
  const { folder, key } = await createFolder(t)
  for (const offset of [1, 2]) {
    const files = await openProofFiles(folder, key, 2)
    for (const [place, tenant] of ['a', 'b', 'c', 'd'].entries())
      (await files.of(tenant)).add(entry(10 * offset + place))
    await files.sign(1)
  }
  assert.deepEqual(await treesIn(folder), ['_fleet', 'a', 'b'])
  const files = await openProofFiles(folder, key, 2)
  assert.equal((await files.of('a')).state.tree.size(), 2)
  assert.equal((await files.of('c')).state.tree.size(), 4)
})

test('nothing is written after what another process wrote; opened again, the file goes on', async (t) => {
  const { folder, key } = await createFolder(t)
  const one = await openProofFiles(folder, key)
  const other = await openProofFiles(folder, key)
  for (const [files, offset] of [
    [one, 1],
    [other, 2],
  ] as const)
    (await files.of('a')).add(entry(offset))
  await one.flush()
  await assert.rejects(other.flush(), { code: 'contended' })
  other.reopen()
  ;(await other.of('a')).add(entry(2))
  await other.sign(1)
  const again = await openProofFiles(folder, key)
  assert.equal((await again.of('a')).state.tree.size(), 2)
})

test('a damaged file is found when it is opened again, not only at the start', async (t) => {
  const { folder, key } = await createFolder(t)
  const files = await openProofFiles(folder, key)
  ;(await files.of('a')).add(entry(1))
  await files.sign(1)
  const { size } = await stat(fileOf(folder, 'a'))
  await appendFile(fileOf(folder, 'a'), 'damaged\n')
  files.reopen()
  await assert.rejects(files.of('a'), { code: 'record_invalid', message: /line 3: it is not JSON/ })
  assert.equal((await readFile(fileOf(folder, 'a'))).length, size + 8)
})
