/**
 * `node make-principals.mjs FOLDER`: puts into FOLDER what a gateway needs of its own: `principals.yaml`, of one host of agents, by the SHA-256
 * of the key in GATEWAY_KEY, else of a random one, which is printed once; and `fingerprint-key`. What is there stays as it is, unless
 * GATEWAY_KEY is given. Readable by the group alone that the services run in (1000).
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const SERVICES_GROUP = 1000

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('which folder?')
const given = process.env.GATEWAY_KEY ?? ''

function keep(name, text) {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  if (process.getuid() === 0) chownSync(file, 0, SERVICES_GROUP)
  chmodSync(file, 0o440)
}

const isThere = (name) => existsSync(path.join(folder, name))

if (!isThere('fingerprint-key')) keep('fingerprint-key', randomBytes(32).toString('hex'))
if (given === '' && isThere('principals.yaml')) {
  process.stdout.write('the principals stay as they are\n')
} else {
  const key = given === '' ? randomBytes(32).toString('hex') : given
  const digest = createHash('sha256').update(key).digest('hex')
  keep('principals.yaml', `principals:\n  - name: host\n    trust: host\n    keys: [${digest}]\n`)
  const keySource = given === '' ? `GATEWAY_KEY=${key}` : 'the GATEWAY_KEY of the environment'
  process.stdout.write(`agents connect to http://127.0.0.1:9465 with ${keySource}\n`)
}
