/**
 * `node make-key.mjs FILE`: puts the key that signs internal events into FILE: the one in PLIMSOLL_SIGNING_KEY; else what FILE has
 * already; else a random one. Readable by the group alone that the services run in (1000).
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, writeFileSync } from 'node:fs'

const SERVICES_GROUP = 1000

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('which file?')
const given = process.env.PLIMSOLL_SIGNING_KEY ?? ''
if (given === '' && existsSync(file)) {
  process.stdout.write('the signing key stays as it is\n')
} else {
  writeFileSync(file, given === '' ? randomBytes(32).toString('hex') : given)
  process.stdout.write(
    given === '' ? 'a new signing key was made\n' : 'the signing key is that of the environment\n',
  )
}
if (process.getuid() === 0) chownSync(file, 0, SERVICES_GROUP)
chmodSync(file, 0o440)
