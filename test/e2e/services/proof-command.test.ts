import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { topicsOf } from '@plimsoll/contracts'
import type { Entry } from '@plimsoll/proof'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { makeTopics, writeSessions } from '../../support/proof/sample-records.js'
import { SIGNING_KEY } from '../../support/sessions/signing-key.js'
import { waitUntil } from '../../support/wait-until.js'
import { runCli, startCli } from '../cli-process.js'

async function folderWithKey(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-proof-'))
  t.after(() => rm(folder, { recursive: true }))
  const key = path.join(folder, 'proof.pem')
  const { code, stdout } = await runCli(['proof', 'key', key])
  assert.deepEqual([code, stdout], [0, `${key} signs, ${key}.pub verifies\n`])
  const proofs = path.join(folder, 'proofs')
  return {
    folder,
    proofs,
    publicKey: `${key}.pub`,
    env: { PLIMSOLL_PROOF_DIR: proofs, PLIMSOLL_PROOF_KEY_FILE: key, PLIMSOLL_SIGNING_KEY: SIGNING_KEY },
  }
}

const urlIn = (line: string): string => /http:[^"]+/.exec(line)?.[0] ?? ''

test('`proof record` reports every problem of its settings, and a key that others can read', async (t) => {
  const wrong = { PLIMSOLL_PROOF_CHECKPOINT_SECONDS: '0', PLIMSOLL_PROOF_COLOUR: 'red' }
  const { code, stdout, stderr } = await runCli(['proof', 'record'], { env: wrong })
  assert.deepEqual([code, stdout], [2, ''])
  const missing = ['PLIMSOLL_PROOF_DIR', 'PLIMSOLL_PROOF_KEY_FILE', 'PLIMSOLL_SIGNING_KEY']
  for (const name of [...Object.keys(wrong), ...missing])
    assert.match(stderr, new RegExp(`^  ${name}: `, 'm'))
  const { env } = await folderWithKey(t)
  await chmod(env.PLIMSOLL_PROOF_KEY_FILE, 0o644)
  const refused = await runCli(['proof', 'record'], { env })
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /config_invalid: `.*proof\.pem` is not yours alone: .*chmod 600/)
})

test('`proof record` waits for Kafka, is not ready meanwhile, and ends on a signal', async (t) => {
  const { env } = await folderWithKey(t)
  const recorder = startCli(['proof', 'record'], {
    env: { ...env, KAFKA_BROKERS: '127.0.0.1:1', PLIMSOLL_HTTP_PORT: '0' },
  })
  const url = urlIn(await recorder.printed(/serving metrics/))
  assert.equal((await fetch(`${url}/readyz`)).status, 503)
  recorder.signal('SIGTERM')
  const { code, signal, stderr } = await recorder.ended
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
})

test(
  '`proof record` on Kafka goes on after a kill without a gap, and enters nothing twice',
  { skip: withoutPair },
  async (t) => {
    const { env, proofs, publicKey } = await folderWithKey(t)
    const prefix = `${uniquePrefix()}plimsoll`
    const topics = topicsOf(prefix)
    const log = createKafkaLog({ brokers: kafka.brokers })
    t.after(() => log.close())
    await makeTopics(log, topics)
    const settings = {
      ...env,
      KAFKA_BROKERS: kafka.brokers.join(','),
      PLIMSOLL_TOPIC_PREFIX: prefix,
      PLIMSOLL_HTTP_PORT: '0',
      PLIMSOLL_PROOF_CHECKPOINT_SECONDS: '1',
    }
    const file = path.join(proofs, 'acme.ndjson')
    const entries = async () =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .filter((line) => line.includes('"leaf"') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Entry)
    const batch = (name: string) => Array.from({ length: 20 }, (_, i) => `acme~${name}-${i}`)

    await writeSessions(log, topics, batch('first'), 6)
    const first = startCli(['proof', 'record'], { env: settings })
    await first.printed(/signed a checkpoint/)
    const writing = writeSessions(log, topics, batch('second'), 6)
    const before = (await stat(file)).size
    await waitUntil('more entries', async () => (await stat(file)).size > before)
    first.signal('SIGKILL')
    assert.equal((await first.ended).signal, 'SIGKILL')
    await writing
    await writeSessions(log, topics, batch('third'), 6)

    const second = startCli(['proof', 'record'], { env: settings })
    const url = urlIn(await second.printed(/serving metrics/))
    await waitUntil('every entry', async () => (await entries()).length >= 60 * 11)
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    second.signal('SIGTERM')
    assert.equal((await second.ended).code, 0)
    const found = await entries()
    const places = found.map(({ source }) => `${source?.topic} ${source?.partition} ${source?.offset}`)
    assert.deepEqual([places.length, new Set(places).size], [660, 660])
    assert.deepEqual(await readdir(proofs), ['acme.ndjson', 'progress.json'])
    const { code, stdout } = await runCli(['proof', 'verify', file, '--key', publicKey])
    assert.equal(code, 0)
    assert.match(stdout, /^verifies: 660 entries of acme, 0 of them erased\n/)
    assert.doesNotMatch(stdout, /not signed/)
  },
)

test('`up --proof` records what it decides; receipts, erasure and a false file', async (t) => {
  const { folder, proofs } = await folderWithKey(t)
  const up = ['up', '--once', '--json', '--port', '0', '--gateway', '0', '--proof', proofs]
  const { code, stdout } = await startCli(up).ended
  assert.equal(code, 0)
  const { steps } = JSON.parse(stdout) as { steps: number }
  const key = path.join(proofs, 'proof.pem.pub')
  const file = path.join(proofs, 'default.ndjson')
  const whole = await readFile(file, 'utf8')
  const decisions = whole
    .split('\n')
    .filter((line) => line.includes('"kind":"step"'))
    .map((line) => JSON.parse(line) as Entry)
  assert.equal(decisions.length, steps)

  const id = String(decisions[0]?.body?.['id'])
  const receipt = await runCli(['proof', 'receipt', id, '--from', proofs, '--key', key])
  assert.equal(receipt.code, 0, receipt.stderr)
  const kept = path.join(folder, 'receipt.json')
  await writeFile(kept, receipt.stdout)
  const checked = await runCli(['proof', 'check', kept, '--key', key, '--json'])
  assert.equal((JSON.parse(checked.stdout) as { decision: { id: string } }).decision.id, id)

  const env = { PLIMSOLL_PROOF_DIR: proofs, PLIMSOLL_PROOF_KEY_FILE: path.join(proofs, 'proof.pem') }
  const session = String(decisions[0]?.body?.['sessionId'])
  const erased = await runCli(['proof', 'erase', '--session', session, '--by', 'ines'], { env })
  assert.match(erased.stdout, /^erased \d+ entries of 1 sessions\n$/)
  const known = ['proof', 'verify', file, '--key', key, '--checkpoint', kept]
  const verified = await runCli(known)
  assert.deepEqual([verified.code, verified.stderr], [0, ''])
  assert.match(verified.stdout, /, [1-9]\d* of them erased\n/)

  await writeFile(file, whole.slice(0, 5_000))
  const cut = await runCli(known)
  assert.equal(cut.code, 1)
  assert.match(cut.stdout, /^does not verify: it was cut: it has \d entries, and the known checkpoint \d+\n$/)
  const again = await runCli(up)
  assert.equal(again.code, 2)
  assert.match(again.stderr, /usage_invalid: `.*` has proofs of an earlier run/)
})

test('`proof` refuses what is unclear, and files without end', async (t) => {
  const { env, proofs, publicKey } = await folderWithKey(t)
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['erase', '--by', 'ines'], /give one of `--session`, `--agent`, `--user` and `--approver`/],
    [['erase', '--session', 'a', '--user', 'b', '--by', 'ines'], /give one of/],
    [['erase', '--session', 'a', '--tenant', 'b', '--by', 'ines'], /leave `--tenant` out/],
    [['check', '/dev/zero', '--key', publicKey], /there is no file/],
    [['check', publicKey, '--key', '/dev/zero'], /no Ed25519 key/],
    [['check', publicKey, '--key', publicKey], /it is no receipt/],
    [['receipt', 'a', '--from', proofs, '--key', publicKey], /give the number of a step/],
    [['receipt', 'a#b#step', '3', '--from', proofs, '--key', publicKey], /leave the number out/],
    [['receipt', 'a#b#thing', '--from', proofs, '--key', publicKey], /is no id of a decision/],
  ]
  for (const [args, expected] of cases) {
    const { code, stderr } = await runCli(['proof', ...args], { env })
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, expected)
  }
  const endless = await runCli(['proof', 'verify', '/dev/zero', '--key', publicKey])
  assert.deepEqual(
    [endless.code, endless.stdout],
    [1, 'does not verify: line 1: it has more than 8388608 bytes\n'],
  )
})
