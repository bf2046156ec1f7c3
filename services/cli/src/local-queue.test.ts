import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLocalQueue } from './local-queue.js'
import { readUserKey } from './user-state.js'

const request = (decisionId: string, expiresAt: number) => ({
  decisionId,
  tool: 'send_email',
  lines: ['to: ann@example.com'],
  scopes: ['once' as const],
  expiresAt,
})

const APPROVAL = { resolution: 'approved', by: 'ann' } as const

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-queue-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test("an answer counts if it has this user's key, and is for this request", async (t) => {
  const folder = await folderFor(t)
  const queue = createLocalQueue(folder)
  const [asked, other] = [request('a', Date.now() + 9_000), request('b', Date.now() + 9_000)]
  await queue.add(asked)
  await queue.answer(asked, APPROVAL)
  assert.deepEqual(await queue.answerTo(asked), APPROVAL)
  assert.equal(await queue.answerTo(other), undefined)
  assert.equal(await queue.answerTo({ ...asked, expiresAt: asked.expiresAt + 1 }), undefined)
  await writeFile(path.join(folder, 'key'), '0'.repeat(64))
  assert.equal(await queue.answerTo(asked), undefined, 'the key is another one')
})

test('requests of a process that was killed are removed once they are over', async (t) => {
  const folder = await folderFor(t)
  await createLocalQueue(folder, () => 1_000).add(request('left', 2_000))
  await createLocalQueue(folder, () => 3_000).add(request('open', 9_000))
  const files = (await readdir(folder)).filter((name) => name.endsWith('.request.json'))
  assert.equal(files.length, 1)
  assert.deepEqual(
    (await createLocalQueue(folder, () => 3_000).list()).map(({ decisionId }) => decisionId),
    ['open'],
  )
})

const hasRights = process.getuid !== undefined

test('a key that others can read, or that is none, is refused', { skip: !hasRights }, async (t) => {
  const folder = await folderFor(t)
  const key = await readUserKey(folder)
  assert.equal(await readUserKey(folder), key)
  const file = path.join(folder, 'key')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  await chmod(file, 0o644)
  await assert.rejects(readUserKey(folder), /is not yours alone/)
  await chmod(file, 0o600)
  await chmod(folder, 0o777)
  await assert.rejects(readUserKey(folder), /is not yours alone/)
  await chmod(folder, 0o700)
  await writeFile(file, '')
  await assert.rejects(readUserKey(folder), /is no key/)
  await assert.rejects(readUserKey(path.join(file, 'sub')), {
    code: 'config_invalid',
    message: /cannot be used \(ENOTDIR: .*\): set `PLIMSOLL_STATE_DIR`/,
  })
})
