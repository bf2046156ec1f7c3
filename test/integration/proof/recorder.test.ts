import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { FLEET_TREE, eraseEntries, fileOf, treesIn, verifyFile } from '@plimsoll/proof'
import { silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { type ProofWorld, createProofWorld, topics } from '../../support/proof/proof-world.js'
import {
  makeTopics,
  sampleControl,
  sampleDecision,
  sampleSession,
  writeSessions,
} from '../../support/proof/sample-records.js'
import { approvalOf } from '../../support/sessions/approvals.js'

/** Kinds of entries, with their counts. */
async function kindsOf(world: ProofWorld, tree: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind } of await world.entries(tree)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

async function assertVerifies({ folder, publicKey }: ProofWorld): Promise<void> {
  for (const tree of await treesIn(folder))
    assert.equal((await verifyFile(fileOf(folder, tree), { key: publicKey })).problem, undefined, tree)
}

test('each tenant gets a file, control changes of the fleet another, and proposals none', async (t) => {
  const world = await createProofWorld(t)
  await writeSessions(world.log, topics, ['acme~a', 'acme~b', 'globex~c', 'd'], 6)
  await world.log.produce(topics.events, sampleControl('stop-1'))
  await world.record()
  assert.deepEqual(await treesIn(world.folder), [FLEET_TREE, 'acme', 'default', 'globex'])
  assert.deepEqual(await kindsOf(world, 'acme'), { session: 2, decision: 16, approval: 4 })
  assert.deepEqual(await kindsOf(world, 'globex'), { session: 1, decision: 8, approval: 2 })
  assert.deepEqual(await kindsOf(world, FLEET_TREE), { control: 3 })
  await assertVerifies(world)
})

test('what monitors refuse is not recorded: forged answers and changes, other keys, no JSON', async (t) => {
  const world = await createProofWorld(t)
  const { log } = world
  const asked = sampleDecision('acme~a', 1, { verdict: 'confirm', expiresAt: 9 })
  const approval = approvalOf(asked, {}, 'another key, which is no key of ours')
  const [control] = sampleControl('stop-1')
  await log.produce(topics.events, [
    { key: 'acme~a', value: JSON.stringify(approval) },
    { key: 'acme~b', value: JSON.stringify(approvalOf(asked)) },
    { key: 'acme~a', value: 'no JSON' },
    { key: 'acme~a', value: null },
    { key: control?.key ?? '', value: String(control?.value).replace('omar', 'eve') },
  ])
  await log.produce(topics.decisions, [
    { key: 'acme~b', value: JSON.stringify(asked) },
    { key: 'acme~a', value: JSON.stringify({ ...asked, tenant: 'globex' }) },
    { key: 'acme~a', value: '[]' },
    { key: 'acme~a', value: JSON.stringify({ ...asked, laterMember: 1 }) },
  ])
  await world.record()
  assert.deepEqual(await treesIn(world.folder), ['acme'])
  const [only, ...others] = await world.entries('acme')
  assert.deepEqual([only?.body?.['laterMember'], others], [1, []])
})

test('a decision that does not fit is entered by its hash, and stops nothing', async (t) => {
  const world = await createProofWorld(t)
  const { log } = world
  const decision = sampleDecision('acme~a', 1)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const values = [
    JSON.stringify(decision).replace('{', `{"more":${deep},`),
    JSON.stringify({ ...decision, more: 'x'.repeat(2_000_000) }),
    JSON.stringify({ ...decision, eventId: 'e-2', id: 'acme~a#e-2#step' }),
  ]
  await log.produce(
    topics.decisions,
    values.map((value) => ({ key: 'acme~a', value })),
  )
  await world.record()
  const entries = await world.entries('acme')
  assert.deepEqual(
    entries.map(({ kind, body }) => [kind, body?.['type'], body?.['sessionId']]),
    [
      ['decision', 'decision.oversize', 'acme~a'],
      ['decision', 'decision.oversize', 'acme~a'],
      ['decision', undefined, 'acme~a'],
    ],
  )
  assert.deepEqual(
    entries.slice(0, 2).map(({ body }) => body?.['sha256']),
    values.slice(0, 2).map((value) => createHash('sha256').update(value).digest('hex')),
  )
  await assertVerifies(world)
})

test('a recorder goes on where it ended, also without its progress, and enters nothing twice', async (t) => {
  const world = await createProofWorld(t)
  const { log, folder } = world
  await writeSessions(log, topics, ['acme~a'], 3)
  await world.record()
  const before = await world.lines('acme')
  await writeSessions(log, topics, ['acme~b'], 3)
  await rm(path.join(folder, 'progress.json'))
  await world.record()
  const after = await world.lines('acme')
  assert.deepEqual(after.slice(0, before.length), before)
  assert.deepEqual(await kindsOf(world, 'acme'), { session: 2, decision: 8, approval: 2 })
  await assertVerifies(world)
  await world.record()
  assert.deepEqual(await world.lines('acme'), after)
})

test('what cannot be written is entered once it can', async (t) => {
  const world = await createProofWorld(t)
  const { log, folder } = world
  // Where the file of a tenant should be.
  const place = fileOf(folder, 'initech')
  let freed: Promise<void> | undefined
  const warn = () => void (freed ??= rmdir(place))
  const recorder = await world.start({ logger: { ...silentLogger, warn } })
  await mkdir(place)
  await writeSessions(log, topics, ['acme~a', 'initech~a', 'acme~b'], 3)
  assert.ok(await recorder.drain())
  await recorder.close()
  await freed
  assert.ok(freed)
  assert.deepEqual(await kindsOf(world, 'acme'), { session: 2, decision: 8, approval: 2 })
  assert.deepEqual(await kindsOf(world, 'initech'), { session: 1, decision: 4, approval: 1 })
  await assertVerifies(world)
})

test('records that were deleted before they were read are a gap in the proof of the fleet', async (t) => {
  const world = await createProofWorld(t)
  const log = createEmbeddedLog({ retentionRecordsMax: 5 })
  t.after(() => log.close())
  await makeTopics(log, topics)
  await writeSessions(log, topics, ['acme~a'], 1)
  await world.record({ log })
  const { decisions } = sampleSession('acme~a', 30)
  await log.produce(topics.decisions, decisions)
  await world.record({ log })
  const [gap, ...others] = await world.entries(FLEET_TREE)
  assert.deepEqual([gap?.kind, gap?.body?.['from'], others], ['gap', '1', []])
  await assertVerifies(world)
})

test('topics that were created again, and another key, need a new folder', async (t) => {
  const world = await createProofWorld(t)
  await writeSessions(world.log, topics, ['acme~a'], 3)
  await world.record()
  const log = createEmbeddedLog()
  t.after(() => log.close())
  await makeTopics(log, topics)
  await assert.rejects(world.start({ log }), { code: 'log_changed', message: /new folder/ })
  await rm(path.join(world.folder, 'progress.json'))
  await assert.rejects(world.start({ log }), { code: 'log_changed' })
  const { key } = await createProofWorld(t)
  await assert.rejects(world.start({ key }), { code: 'record_invalid', message: /signed by another key/ })
})

test('nothing is added to a file that was cut, changed or replaced', async (t) => {
  const world = await createProofWorld(t)
  const { log, folder } = world
  const recorder = await world.start()
  for (const id of ['acme~a', 'acme~b']) {
    await writeSessions(log, topics, [id], 3)
    assert.ok(await recorder.drain())
    await recorder.sign()
  }
  await recorder.close()
  const file = fileOf(folder, 'acme')
  const whole = await readFile(file, 'utf8')
  const lines = await world.lines('acme')
  const first = lines.findIndex((line) => line.includes('"checkpoint"'))
  for (const damaged of [
    `${lines.slice(0, first + 1).join('\n')}\n`,
    '',
    whole.replace('send_email', 'send_emails'),
    `${lines.toSpliced(1, 1).join('\n')}\n`,
  ]) {
    await writeFile(file, damaged)
    await assert.rejects(world.start(), { code: 'record_invalid' }, damaged.slice(0, 40))
  }
  await writeFile(file, whole)
  await world.record()
})

test('two recorders cannot write in one folder, nor can an erasure meanwhile', async (t) => {
  const world = await createProofWorld(t)
  const recorder = await world.start()
  await assert.rejects(world.start(), { code: 'contended' })
  const { folder, key } = world
  const erase = () => eraseEntries({ folder, key, whose: { session: 'acme~a' }, by: 'ines', nowMs: 1 })
  await assert.rejects(erase(), { code: 'contended', message: /stop it first/ })
  await recorder.close()
  assert.deepEqual(await erase(), { sessions: 0, entries: 0 })
})
