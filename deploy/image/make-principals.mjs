/**
 * `node make-principals.mjs FOLDER`: puts into FOLDER what a gateway needs of its own: `principals.yaml`, of one host of agents, by the SHA-256
 * of the key in GATEWAY_KEY, else of a random one; and `fingerprint-key`. And what a console needs: `users.yaml`, of one admin, by the
 * SHA-256 of a random token. What is there stays as it is, unless GATEWAY_KEY is given. Readable by the group alone that the services run
 * in (1000). The key and the token are kept in `gateway-key` and `console-token`, for root alone.
 *
 * `node make-principals.mjs FOLDER --show` prints the key, and with `--show-page` the page's address and the token. Both change nothing.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const SERVICES_GROUP = 1000

const [folder, option] = process.argv.slice(2)
if (folder === undefined) throw new Error('which folder?')
const fileOf = (name) => path.join(folder, name)

if (option === '--show') show()
else if (option === '--show-page') showPage()
else if (option === undefined) make(process.env.GATEWAY_KEY ?? '')
else throw new Error(`no option \`${option}\`: there are \`--show\` and \`--show-page\``)

function show() {
  if (existsSync(fileOf('gateway-key'))) {
    process.stdout.write(`GATEWAY_KEY=${readFileSync(fileOf('gateway-key'), 'utf8')}\n`)
  } else {
    process.stderr.write(
      'no gateway key is kept here: start the stack, or set GATEWAY_KEY and start it again\n',
    )
    process.exitCode = 1
  }
}

/** Apart from the key: shells of agents export that one, and the token of who answers is not for them. */
function showPage() {
  if (!existsSync(fileOf('console-token')))
    throw new Error('no token of the page is kept here: start the stack')
  process.stdout.write(`http://127.0.0.1:9466\n${readFileSync(fileOf('console-token'), 'utf8')}\n`)
}

function make(given) {
  if (!existsSync(fileOf('fingerprint-key'))) keep('fingerprint-key', randomBytes(32).toString('hex'), 0o440)
  if (!existsSync(fileOf('users.yaml'))) {
    const token = randomBytes(32).toString('hex')
    keep('console-token', token, 0o400)
    keep(
      'users.yaml',
      `users:\n  - name: admin\n    tokens: [${digestOf(token)}]\n    roles: { '*': admin }\n`,
      0o440,
    )
  }
  if (given === '' && existsSync(fileOf('principals.yaml'))) {
    process.stdout.write('the principals stay as they are\n')
  } else {
    const key = given === '' ? randomBytes(32).toString('hex') : given
    keep('gateway-key', key, 0o400)
    keep(
      'principals.yaml',
      `principals:\n  - name: host\n    trust: host\n    keys: [${digestOf(key)}]\n`,
      0o440,
    )
  }
  process.stdout.write(
    'agents connect to http://127.0.0.1:9465; `docker compose run --rm principals --show` prints their key, and with `--show-page` the address of the page and its token\n',
  )
}

function digestOf(secret) {
  return createHash('sha256').update(secret).digest('hex')
}

/** Under another name first: what is half written would be kept too. */
function keep(name, text, mode) {
  const unfinished = fileOf(`${name}.new`)
  writeFileSync(unfinished, text, { mode: 0o400 })
  if (process.getuid() === 0) chownSync(unfinished, 0, SERVICES_GROUP)
  chmodSync(unfinished, mode)
  renameSync(unfinished, fileOf(name))
}
