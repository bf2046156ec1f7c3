import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
} from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { assertOwn } from '@plimsoll/runtime'

/** A file of a key has a few hundred bytes. */
const KEY_BYTES_MAX = 16_384

/** Verifies checkpoints. */
export interface PublicKey {
  /** SHA-256 in hex of the key in DER: names it in checkpoints. */
  readonly id: string
  readonly key: KeyObject
}

/** Signs checkpoints. */
export interface SigningKey {
  readonly secret: KeyObject
  readonly public: PublicKey
}

const publicKeyOf = (key: KeyObject): PublicKey => ({
  key,
  id: createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex'),
})

export const signingKeyOf = (secret: KeyObject): SigningKey => ({
  secret,
  public: publicKeyOf(createPublicKey(secret)),
})

/** A key pair in PEM: PKCS #8 and SubjectPublicKeyInfo. */
export function makeKeyPair(): { readonly secret: string; readonly public: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  }
}

/** The name of the public key beside the file of a signing key. */
export const publicFileOf = (file: string): string => `${file}.pub`

/**
 * Writes a new key pair to `file`, which only this user can read, and to `publicFileOf(file)`. Rejects with `usage_invalid` if one of
 * them exists or cannot be written.
 */
export async function writeKeyPair(file: string): Promise<void> {
  const pair = makeKeyPair()
  await writeNew(publicFileOf(file), pair.public, 0o644)
  await writeNew(file, pair.secret, 0o600)
}

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  try {
    const handle = await open(file, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const why = exists ? 'there is one already: name another file' : 'it cannot be written'
    throw new PlimsollError('usage_invalid', `no key is made in \`${file}\`: ${why}`, { cause })
  }
}

/** Rejects with `config_invalid` unless the file is of this user alone and has an Ed25519 key in PEM. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const pem = await readPem(file)
  await assertOwn(file, 0o077, 'take the rights of others away (`chmod 600`)')
  return signingKeyOf(ed25519(file, () => createPrivateKey(pem)))
}

/** Rejects with `config_invalid` unless the file has an Ed25519 public key in PEM. */
export async function readPublicKey(file: string): Promise<PublicKey> {
  const pem = await readPem(file)
  // Node would derive a public key from a secret one, which does not belong here.
  if (pem.includes('PRIVATE KEY'))
    throw new PlimsollError(
      'config_invalid',
      `\`${file}\` is the signing key: give the public one, \`${publicFileOf(file)}\``,
    )
  return publicKeyOf(ed25519(file, () => createPublicKey(pem)))
}

async function readPem(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // A pipe or a device may have no end.
    if (found.isFile() && found.size <= KEY_BYTES_MAX) return await readFile(file, 'utf8')
  } catch (cause) {
    throw new PlimsollError('config_invalid', `the key \`${file}\` cannot be read`, { cause })
  }
  throw notAKey(file)
}

function ed25519(file: string, parse: () => KeyObject): KeyObject {
  try {
    const key = parse()
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // No key at all: the same answer.
  }
  throw notAKey(file)
}

const notAKey = (file: string): PlimsollError =>
  new PlimsollError(
    'config_invalid',
    `\`${file}\` is no Ed25519 key in PEM: \`plimsoll proof key\` makes a pair`,
  )
