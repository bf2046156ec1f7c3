import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { publicFileOf, readPublicKey, readSigningKey, writeKeyPair } from './keys.js'

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('a pair is made once, and only its user can read the signing key', async (t) => {
  const file = path.join(await createFolder(t), 'key.pem')
  await writeKeyPair(file)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const signing = await readSigningKey(file)
  const verifying = await readPublicKey(publicFileOf(file))
  assert.match(verifying.id, /^[0-9a-f]{64}$/)
  assert.equal(signing.public.id, verifying.id)
  await assert.rejects(writeKeyPair(file), { code: 'usage_invalid', message: /there is one already/ })
})

test('a signing key that others can read is refused', async (t) => {
  const file = path.join(await createFolder(t), 'key.pem')
  await writeKeyPair(file)
  for (const mode of [0o640, 0o604, 0o660]) {
    await chmod(file, mode)
    await assert.rejects(readSigningKey(file), { code: 'config_invalid', message: /chmod 600/ })
  }
})

test('what is no key of the right kind is refused, by its name', async (t) => {
  const folder = await createFolder(t)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const files = {
    text: 'no key',
    large: '-'.repeat(100_000),
    rsa: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'rsa.pub': rsa.publicKey.export({ type: 'spki', format: 'pem' }),
  }
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await writeFile(file, content, { mode: 0o600 })
    const read = name.endsWith('.pub') ? readPublicKey(file) : readSigningKey(file)
    await assert.rejects(read, { code: 'config_invalid', message: new RegExp(`${name}. is no Ed25519 key`) })
  }
  await assert.rejects(readPublicKey(path.join(folder, 'missing')), { code: 'config_invalid' })
  const file = path.join(folder, 'key.pem')
  await writeKeyPair(file)
  await assert.rejects(readPublicKey(file), { message: /give the public one, .*key\.pem\.pub/ })
})
