/**
 * `node make-key.mjs FILE`: makes FILE hold the key that signs internal events: what it has already; else the one in PLIMSOLL_SIGNING_KEY;
 * else a random one. A kept key is never overwritten, because what it has signed would no longer count: where the environment has another,
 * it exits with 1. Readable by the group alone that the services run in (1000).
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const SERVICES_GROUP = 1000
const LENGTH_MIN = 16

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('which file?')
const given = process.env.PLIMSOLL_SIGNING_KEY ?? ''
const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''

if (kept !== '' && given !== '' && given !== kept)
  fail(
    'PLIMSOLL_SIGNING_KEY is not the signing key that is kept here, which stays as it is: unset the variable, or, to lose all approvals ' +
      'and controls that the kept key has signed, remove its volume first',
  )
else if (kept !== '') process.stdout.write('the signing key stays as it is\n')
else if (given !== '' && given.length < LENGTH_MIN)
  fail(`PLIMSOLL_SIGNING_KEY has ${given.length} characters: it needs at least ${LENGTH_MIN}`)
else {
  // Under another name first: a key that is half written would be kept too.
  const unfinished = `${file}.new`
  writeFileSync(unfinished, given === '' ? randomBytes(32).toString('hex') : given, { mode: 0o400 })
  if (process.getuid() === 0) chownSync(unfinished, 0, SERVICES_GROUP)
  chmodSync(unfinished, 0o440)
  renameSync(unfinished, file)
  process.stdout.write(
    given === '' ? 'a new signing key is made\n' : 'the signing key is that of the environment\n',
  )
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
