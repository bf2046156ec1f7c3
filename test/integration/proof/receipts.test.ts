import assert from 'node:assert/strict'
import { mkdtemp, readdir, copyFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, describe, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { canonicalJson, versionOf } from '@plimsoll/contracts'
import { type Receipt, checkReceipt, fileOf, makeReceipt, publicFileOf } from '@plimsoll/proof'
import { startCli } from '../../e2e/cli-process.js'
import { createRandom } from '../../property/random.js'
import { type ProofWorld, createProofWorld, topics } from '../../support/proof/proof-world.js'
import { writeSessions } from '../../support/proof/sample-records.js'
import { approvalOf } from '../../support/sessions/approvals.js'
import { DEPLOYMENTS, deploy } from '../../support/sessions/deployment.js'

/** What another process says of a receipt, in a folder with nothing but receipt and public key. */
async function checkElsewhere(t: TestContext, { keyFile }: ProofWorld, receipt: Receipt) {
  const cwd = await mkdtemp(path.join(tmpdir(), 'plimsoll-receipt-'))
  t.after(() => rm(cwd, { recursive: true }))
  await writeFile(path.join(cwd, 'receipt.json'), JSON.stringify(receipt))
  await copyFile(publicFileOf(keyFile), path.join(cwd, 'key.pub'))
  assert.deepEqual((await readdir(cwd)).toSorted(), ['key.pub', 'receipt.json'])
  return startCli(['proof', 'check', 'receipt.json', '--key', 'key.pub'], { cwd }).ended
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`receipts of what a monitor decided, ${kind}`, { skip }, () => {
    test('who, what, under which policy, the verdict, and by whom it was approved', async (t) => {
      const world = await createProofWorld(t)
      const deployment = await deploy(kind)
      t.after(() => deployment.close())
      const { log, topics, documents } = deployment
      await deployment.startMonitor().started
      const recorder = await world.start({ log, topics })
      const client = await createClient({ log, topics, timeoutMs: 60_000 })
      t.after(() => client.close())
      const session = await client.startSession({
        id: 'acme~run-7',
        agent: 'mailer',
        category: 'research_comms',
        task: 'Collect the figures.',
      })
      const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
      await session.complete(read)
      const asked = await session.propose({ tool: 'send_email', arguments: { to: 'desk@example.org' } })
      assert.ok(asked.decision)
      const resolution = session.resolution(asked, { timeoutMs: 60_000 })
      await deployment.publish([approvalOf(asked.decision, { by: 'Ada', reason: 'the figures are public' })])
      assert.equal((await resolution).mayRun, true)
      const decisions = 3
      await deployment.until('the decisions', () => deployment.seen.decisions.length >= decisions)
      assert.ok(await recorder.drain())
      await recorder.close()

      const file = fileOf(world.folder, 'acme')
      const receipt = await makeReceipt(file, { session: 'acme~run-7', step: 2 }, world.publicKey)
      const proved = checkReceipt(JSON.stringify(receipt), world.publicKey)
      const [policy, bundle] = [documents[0].policy, documents[0].bundle].map(versionOf)
      assert.deepEqual(
        [
          proved.decision.tool,
          proved.decision.verdict,
          proved.decision.versions?.policy,
          proved.decision.versions?.bundle,
        ],
        ['send_email', 'confirm', policy, bundle],
      )
      assert.deepEqual(
        proved.starts.map(({ agent, identity }) => [agent, identity]),
        [['mailer', 'none']],
      )
      assert.deepEqual(
        proved.answers.map(({ by, resolution, reason }) => [by, resolution, reason]),
        [['Ada', 'approved', 'the figures are public']],
      )
      assert.deepEqual(
        proved.outcomes.map(({ verdict }) => verdict),
        ['allow'],
      )
      const { code, stdout, stderr } = await checkElsewhere(t, world, receipt)
      assert.deepEqual([code, stderr], [0, ''])
      for (const shown of [
        /^session +acme~run-7, of tenant acme$/m,
        /^who +agent mailer \(as it said itself\)$/m,
        /^what +send_email, arguments [0-9a-f]{64}$/m,
        /^verdict +confirm$/m,
        /^approved +by Ada, once, .*: the figures are public$/m,
        /^then +allow$/m,
        new RegExp(`^policy +${policy}$`, 'm'),
        new RegExp(`^bundle +${bundle}$`, 'm'),
      ])
        assert.match(stdout, shown)

      // The decision on the answer leads to the same receipt.
      const answer = proved.outcomes[0]?.id ?? ''
      assert.deepEqual(await makeReceipt(file, { decision: answer }, world.publicKey), receipt)
      const plain = await makeReceipt(file, { session: 'acme~run-7', step: 1 }, world.publicKey)
      assert.deepEqual(
        plain.entries.map((entry) => entry.kind),
        ['decision', 'session'],
      )
      const forged = JSON.parse(JSON.stringify(receipt).replaceAll('mailer', 'nobody')) as Receipt
      const refused = await checkElsewhere(t, world, forged)
      assert.deepEqual([refused.code, refused.stdout], [2, ''])
      assert.match(refused.stderr, /entry \d of it does not count: its body is not the recorded one/)
    })
  })

async function createReceipts(t: TestContext) {
  const world = await createProofWorld(t)
  await writeSessions(world.log, topics, ['acme~a', 'acme~b', 'acme~c'], 6)
  await world.record()
  const of = (session: string, step: number) =>
    makeReceipt(fileOf(world.folder, 'acme'), { session, step }, world.publicKey)
  return { world, of }
}

test('there is a receipt of every step, and each proves its own', async (t) => {
  const { world, of } = await createReceipts(t)
  for (const session of ['acme~a', 'acme~b', 'acme~c'])
    for (let step = 1; step <= 6; step++) {
      const { decision } = checkReceipt(JSON.stringify(await of(session, step)), world.publicKey)
      assert.deepEqual([decision.sessionId, decision.step], [session, step])
    }
})

test('steps that a file does not have, or that nothing signs yet, have no receipt', async (t) => {
  const { world, of } = await createReceipts(t)
  await assert.rejects(of('acme~a', 7), { code: 'record_unknown', message: /no step 7/ })
  await assert.rejects(of('acme~z', 1), { code: 'record_unknown' })
  const file = fileOf(world.folder, 'acme')
  await assert.rejects(makeReceipt(file, { decision: 'acme~a' }, world.publicKey), { code: 'usage_invalid' })
  const recorder = await world.start()
  await writeSessions(world.log, topics, ['acme~d'], 3)
  assert.ok(await recorder.drain())
  await assert.rejects(of('acme~d', 1), { code: 'record_unknown', message: /no checkpoint covers/ })
  await recorder.sign()
  assert.ok(await of('acme~d', 1))
  await recorder.close()
})

test('a receipt with a part of another proves nothing', async (t) => {
  const { world, of } = await createReceipts(t)
  const receipt = await of('acme~a', 3)
  const other = await of('acme~b', 3)
  const check = (changed: object) => () =>
    checkReceipt(JSON.stringify({ ...receipt, ...changed }), world.publicKey)
  const [decision, ...related] = receipt.entries
  const invalid = (message: RegExp) => ({ code: 'document_invalid', message })
  assert.throws(check({ entries: [decision, ...other.entries.slice(1)] }), invalid(/not about the same step/))
  assert.throws(check({ entries: other.entries.slice(1) }), invalid(/first entry is no decision/))
  assert.throws(check({ entries: [] }), invalid(/no receipt: entries/))
  const moved = receipt.entries.map((entry) => ({ ...entry, proof: entry.proof.toReversed() }))
  assert.throws(check({ entries: moved }), invalid(/not in the tree/))
  assert.throws(check({ entries: [{ ...decision, body: null, salt: null }, ...related] }), invalid(/erased/))
  const elsewhere = await createReceipts(t)
  const { checkpoint } = await elsewhere.of('acme~a', 3)
  assert.throws(check({ checkpoint }), invalid(/another key/))
  assert.throws(
    check({
      checkpoint: { ...checkpoint, checkpoint: { ...checkpoint.checkpoint, key: world.publicKey.id } },
    }),
    invalid(/its signature is not of this key/),
  )
})

test('no changed byte of a receipt changes what it proves', async (t) => {
  const { world, of } = await createReceipts(t)
  const text = JSON.stringify(await of('acme~a', 3))
  const proved = canonicalJson(checkReceipt(text, world.publicKey))
  const random = createRandom(7)
  let refused = 0
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(text)
    const at = random.below(bytes.length)
    bytes[at] = ((bytes[at] ?? 0) + 1 + random.below(127)) % 128
    try {
      assert.equal(canonicalJson(checkReceipt(bytes.toString('utf8'), world.publicKey)), proved)
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'document_invalid')
      refused++
    }
  }
  assert.ok(refused > 390, `${refused}`)
})

test('what is no receipt gets a clear answer', async (t) => {
  const { world } = await createReceipts(t)
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  for (const text of [
    '',
    'null',
    '{}',
    '[]',
    deep,
    `{"schema":1,"kind":"receipt","entries":${deep}}`,
    'x'.repeat(1_000_000),
  ])
    assert.throws(() => checkReceipt(text, world.publicKey), {
      code: 'document_invalid',
      message: /no receipt/,
    })
})
