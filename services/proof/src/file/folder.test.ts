import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileOf, lockFolder, readProgress, treesIn, writeProgress } from './folder.js'

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-folder-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('the trees of a folder are its files with the name of a tenant or of the fleet', async (t) => {
  const folder = await createFolder(t)
  for (const name of [
    'acme.ndjson',
    '_fleet.ndjson',
    '_other.ndjson',
    'Acme.ndjson',
    'key.pem',
    'x.ndjson.draft',
  ])
    await writeFile(path.join(folder, name), '')
  assert.deepEqual(await treesIn(folder), ['_fleet', 'acme'])
  assert.deepEqual(await treesIn(path.join(folder, 'missing')), [])
  assert.equal(fileOf(folder, 'acme'), path.join(folder, 'acme.ndjson'))
})

test('one writes at a time, and a new folder is made', async (t) => {
  const folder = path.join(await createFolder(t), 'new', 'folder')
  const release = await lockFolder(folder)
  await assert.rejects(lockFolder(folder), { code: 'contended' })
  await release()
  await (
    await lockFolder(folder)
  )()
})

test('the lock of a process that was killed does not count, that of another host does', async (t) => {
  const folder = await createFolder(t)
  const file = path.join(folder, 'lock')
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  for (const gone of [
    JSON.stringify({ pid, host: hostname() }),
    '',
    'no JSON',
    JSON.stringify({ pid: process.pid, host: hostname() }),
  ]) {
    await writeFile(file, gone)
    const release = await lockFolder(folder)
    assert.equal((JSON.parse(await readFile(file, 'utf8')) as { pid: number }).pid, process.pid)
    await release()
  }
  await writeFile(file, JSON.stringify({ pid, host: 'elsewhere' }))
  await assert.rejects(lockFolder(folder), { code: 'contended', message: /remove `.*lock`/ })
  await writeFile(file, JSON.stringify({ pid: process.ppid, host: hostname() }))
  await assert.rejects(lockFolder(folder), { code: 'contended' })
})

test('progress comes back as it was written; a damaged one is refused', async (t) => {
  const folder = await createFolder(t)
  assert.deepEqual(await readProgress(folder), { next: new Map(), signed: new Map() })
  const progress = {
    next: new Map([['plimsoll.events', new Map([[3, 2n ** 60n]])]]),
    signed: new Map([['acme', 12]]),
  }
  await writeProgress(folder, progress)
  assert.deepEqual(await readProgress(folder), progress)
  for (const damaged of ['', '{}', '{"schema":1,"next":{"t":{"0":"-1"}},"signed":{}}']) {
    await writeFile(path.join(folder, 'progress.json'), damaged)
    await assert.rejects(readProgress(folder), { code: 'record_invalid', message: /remove it/ })
  }
})
