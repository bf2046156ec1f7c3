import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { issueToken } from '@plimsoll/contracts'
import { type Erased, checkReceipt, eraseEntries, fileOf, makeReceipt, verifyFile } from '@plimsoll/proof'
import { type ProofWorld, createProofWorld, topics } from '../../support/proof/proof-world.js'
import { sampleDecision, sampleSession, writeSessions } from '../../support/proof/sample-records.js'

const IDENTITY_KEY = 'the identity key of the fleet'

const erase = ({ folder, key }: ProofWorld, whose: Erased) =>
  eraseEntries({ folder, key, whose, by: 'ines', reason: 'request 42', nowMs: 5 })

test('erasing a session leaves nothing of it to read, and the file verifies', async (t) => {
  const world = await createProofWorld(t)
  await writeSessions(world.log, topics, ['acme~kept', 'acme~gone', 'acme~gone-too'], 6)
  await world.record()
  const file = fileOf(world.folder, 'acme')
  const key = world.publicKey
  const receipt = await makeReceipt(file, { session: 'acme~gone', step: 3 }, key)
  assert.deepEqual(await erase(world, { session: 'acme~gone' }), { sessions: 1, entries: 11 })

  assert.doesNotMatch(await readFile(file, 'utf8'), /acme~gone"/)
  const verification = await verifyFile(file, { key, known: receipt.checkpoint })
  assert.deepEqual([verification.problem, verification.erased, verification.unsigned], [undefined, 11, 0])
  const erasure = (await world.entries('acme')).at(-1)
  assert.deepEqual(
    [erasure?.kind, erasure?.body?.['by'], erasure?.body?.['reason']],
    ['erasure', 'ines', 'request 42'],
  )
  // Who has a receipt keeps it.
  assert.equal(checkReceipt(JSON.stringify(receipt), key).decision.step, 3)
  await assert.rejects(makeReceipt(file, { session: 'acme~gone', step: 3 }, key), { code: 'record_unknown' })

  await writeSessions(world.log, topics, ['acme~later'], 3)
  await world.record()
  assert.equal((await verifyFile(file, { key, known: receipt.checkpoint })).erased, 11)
  assert.equal((await makeReceipt(file, { session: 'acme~later', step: 3 }, key)).entries.length, 4)
  assert.deepEqual(await erase(world, { session: 'acme~gone' }), { sessions: 0, entries: 0 })
})

test('a copy that a killed erasure left behind is deleted', async (t) => {
  const world = await createProofWorld(t)
  await writeSessions(world.log, topics, ['acme~kept'], 1)
  await world.record()
  const draft = `${fileOf(world.folder, 'acme')}.draft`
  await writeFile(draft, 'half of a line')
  await world.record()
  await assert.rejects(access(draft), { code: 'ENOENT' })
})

test('erasing an approver takes their answers, and the decisions that name them', async (t) => {
  const world = await createProofWorld(t)
  const { log } = world
  await writeSessions(log, topics, ['acme~a', 'globex~a'], 3)
  const reason = { source: 'approval', code: 'x', verdict: 'block' } as const
  const naming = [
    { ...reason, message: 'sends', liftedBy: 'approval:ada' },
    { ...reason, message: '`ada` denied the step: no' },
    { ...reason, message: 'adamant', liftedBy: 'approval:adam' },
  ]
  await log.produce(
    topics.decisions,
    naming.map((each, i) => ({
      key: 'acme~b',
      value: JSON.stringify(sampleDecision('acme~b', i, { reasons: [each] })),
    })),
  )
  await world.record()
  assert.deepEqual(await erase(world, { tenant: 'acme', approver: 'ada' }), { sessions: 2, entries: 3 })
  const kept = (await world.lines('acme')).join('')
  assert.doesNotMatch(kept, /"ada"|:ada"|`ada`/)
  assert.match(kept, /approval:adam/)
  assert.match((await world.lines('globex')).join(''), /"ada"/)
  const { problem, erased } = await verifyFile(fileOf(world.folder, 'acme'), { key: world.publicKey })
  assert.deepEqual([problem, erased], [undefined, 3])
})

test('erasing an agent or a user takes the sessions that began with it, of this tenant alone', async (t) => {
  const world = await createProofWorld(t)
  const { log } = world
  const users = { 'acme~1': 'maria', 'acme~2': 'maria', 'acme~3': 'jo', 'globex~1': 'maria' }
  for (const [sid, usr] of Object.entries(users)) {
    const { events, decisions } = sampleSession(sid, 2)
    const tenant = sid.split('~')[0] ?? ''
    const claims = { sub: 'desk', sid, tenant, agt: sid === 'acme~3' ? 'other' : 'mailer', usr, iat: 1 }
    const [start, ...rest] = events
    const { agent: _, ...started } = JSON.parse(String(start?.value)) as { agent: string }
    const identity = issueToken(claims, IDENTITY_KEY)
    await log.produce(topics.events, [{ key: sid, value: JSON.stringify({ ...started, identity }) }, ...rest])
    await log.produce(topics.decisions, decisions)
  }
  await world.record({ identityKeys: [IDENTITY_KEY] })
  const [session] = await world.entries('acme')
  assert.deepEqual(
    [session?.body?.['user'], session?.body?.['principal'], session?.body?.['identity']],
    ['maria', 'desk', 'verified'],
  )
  assert.deepEqual(await erase(world, { tenant: 'acme', user: 'maria' }), { sessions: 2, entries: 6 })
  assert.deepEqual(await erase(world, { tenant: 'acme', user: 'maria' }), { sessions: 0, entries: 0 })
  assert.deepEqual(await erase(world, { tenant: 'acme', agent: 'other' }), { sessions: 1, entries: 3 })
  assert.equal((await world.entries('globex')).filter(({ body }) => body === null).length, 0)
  const { problem, erased } = await verifyFile(fileOf(world.folder, 'acme'), { key: world.publicKey })
  assert.deepEqual([problem, erased], [undefined, 9])
})
