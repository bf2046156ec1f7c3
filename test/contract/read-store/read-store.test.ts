import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openReadStore } from '@plimsoll/console'
import { readStoreCountsContract } from './counts.contract.js'
import { readStoreContract } from './read-store.contract.js'

const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-read-store-'))
after(() => rm(folder, { recursive: true }))
let files = 0

for (const contract of [readStoreContract, readStoreCountsContract]) {
  contract({ name: 'libsql in memory', open: () => openReadStore(':memory:') })
  contract({
    name: 'libsql in a file',
    open: () => openReadStore(path.join(folder, `${files++}.sqlite`)),
  })
}

test('libsql: a file is still there after a restart', async () => {
  const file = path.join(folder, 'kept.sqlite')
  const store = await openReadStore(file)
  await store.apply(
    [{ kind: 'ended', sessionId: 's', offset: 1, timeMs: 1 }],
    [{ topic: 't', partition: 0, next: 2n }],
  )
  await store.close()
  const again = await openReadStore(file)
  assert.deepEqual(await again.offsets(), [{ topic: 't', partition: 0, next: 2n }])
  assert.equal((await again.sessions({ tenants: undefined }, 1, 1)).count, 1)
  await again.close()
})

test('libsql: a file that is no database, and a folder that is not there, are errors that name it', async () => {
  const file = path.join(folder, 'text.sqlite')
  await writeFile(
    file,
    'this is a text, and a long one, so that no header of a database can be in it. '.repeat(20),
  )
  await assert.rejects(openReadStore(file), /text\.sqlite|not a database/)
  await assert.rejects(openReadStore(path.join(folder, 'none', 'a.sqlite')), { code: 'config_invalid' })
})
