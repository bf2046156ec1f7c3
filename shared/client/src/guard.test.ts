import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Catalogue, type Decision, PlimsollError } from '@plimsoll/contracts'
import { type GuardOptions, createGuard } from './guard.js'
import type { OnConfirm } from './session.js'
import { createManualTime, testDocuments } from './testing/two-modes.js'

const withCode = (code: string) => (error: unknown) => error instanceof PlimsollError && error.code === code

async function createTestGuard(options: GuardOptions = {}) {
  const time = createManualTime()
  const documents = await testDocuments()
  const guard = await createGuard({ documents, clock: time.clock, timers: time.timers, ...options })
  return { guard, time }
}

const VERDICTS = [
  { tool: 'read_file', verdict: 'allow', mayRun: true },
  { tool: 'some_new_tool', verdict: 'warn', mayRun: true },
  { tool: 'refund', verdict: 'confirm', mayRun: false },
  { tool: 'wipe_disk', verdict: 'block', mayRun: false },
] as const

for (const { tool, verdict, mayRun } of VERDICTS)
  test(`\`${tool}\` gets ${verdict}`, async () => {
    const { guard } = await createTestGuard()
    const session = await guard.startSession()
    const answer = await session.propose({ tool, callId: 'call-1', arguments: { amount: 3 } })
    assert.deepEqual([answer.verdict, answer.mayRun, answer.by], [verdict, mayRun, 'decision'])
    assert.deepEqual([answer.callId, answer.tool], ['call-1', tool])
    assert.equal(answer.decision?.sessionId, session.id)
    await guard.close()
  })

test('a blocked step names an alternative', async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const { decision } = await session.propose({ tool: 'wipe_disk' })
  assert.equal(decision?.alternative, 'delete single files')
  assert.deepEqual(
    decision.reasons.map(({ code }) => code),
    ['no-wipe', 'irreversible_not_asked'],
  )
})

test('what a session has read counts for later steps, and a result can raise it', async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession({ category: 'communication' })
  const read = await session.propose({ tool: 'read_file' })
  await session.complete(read, { labels: { confidentiality: 'sensitive' }, taint: 'instructions' })
  const sent = await session.propose({ tool: 'send_email', evidence: 'present' })
  assert.equal(sent.verdict, 'block')
  assert.ok(sent.decision?.reasons.some(({ source }) => source === 'line'))
  assert.equal(sent.decision?.risk?.taint, 'instructions')
})

test('an approval lets the step run; `approve` and `resolution` return the same', async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund', arguments: { amount: 3 } })
  const waiting = session.resolution(asked)
  const approved = await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.equal(approved.mayRun, true)
  assert.deepEqual(await waiting, approved)
  assert.deepEqual(await session.resolution(asked), approved)
  assert.deepEqual(await session.resolution(approved), approved)
  await assert.rejects(
    guard.approve(asked, { by: 'ann', resolution: 'approved' }),
    withCode('approval_unknown'),
  )
  await session.complete(approved)
})

test('alerts when a session ends with an open obligation, and only then', async () => {
  const documents = await testDocuments()
  const owing = {
    id: 'tell',
    tier: 'mustlist' as const,
    tools: ['write_file'],
    followedBy: { step: { tools: ['read_file'] }, within: 'session' as const },
  }
  const policy = { ...documents.policy, specs: [...documents.policy.specs, owing] }
  const alerts: Decision[] = []
  const { guard } = await createTestGuard({
    documents: { ...documents, policy },
    onDecision: (decision) => void (decision.kind === 'alert' && alerts.push(decision)),
  })
  for (const tools of [['write_file'], ['write_file', 'read_file']]) {
    const session = await guard.startSession()
    for (const tool of tools) await session.complete(await session.propose({ tool }))
    await session.end()
  }
  assert.deepEqual(
    alerts.map(({ kind, reasons }) => [kind, reasons.map(({ code }) => code)]),
    [['alert', ['tell']]],
  )
  await guard.close()
})

test("a denial blocks; approvals use none of the agent's numbers", async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const denied = await guard.approve(asked, { by: 'ann', resolution: 'denied', reason: 'too much' })
  assert.deepEqual([denied.verdict, (await session.resolution(asked)).verdict], ['block', 'block'])
  assert.equal((await session.propose({ tool: 'read_file' })).verdict, 'allow')
})

test('an unanswered approval request ends as a block', async () => {
  const { guard, time } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const waiting = session.resolution(asked)
  time.pass(900_000)
  const expired = await waiting
  assert.deepEqual([expired.verdict, expired.by, expired.mayRun], ['block', 'fail_closed', false])
  assert.equal(guard.stats().expired, 1)
  const late = await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.deepEqual(
    late.decision?.reasons.map(({ code }) => code),
    ['approval_expired'],
  )
  assert.equal((await session.resolution(asked)).verdict, 'block')
  assert.equal(time.pending(), 0)
})

test('`resolution` returns the `confirm` after its timeout, and can be called again', async () => {
  const { guard, time } = await createTestGuard()
  const session = await guard.startSession()
  const asked = await session.propose({ tool: 'refund' })
  const waiting = session.resolution(asked, { timeoutMs: 1_000 })
  time.pass(1_000)
  assert.equal((await waiting).verdict, 'confirm')
  const again = session.resolution(asked)
  await guard.approve(asked, { by: 'ann', resolution: 'approved' })
  assert.equal((await again).verdict, 'allow')
})

test('an abort rejects with its reason', async () => {
  const { guard, time } = await createTestGuard()
  const session = await guard.startSession()
  const reason = new Error('the user pressed stop')
  await assert.rejects(session.propose({ tool: 'read_file' }, { signal: AbortSignal.abort(reason) }), reason)
  const asked = await session.propose({ tool: 'refund' })
  const controller = new AbortController()
  const waiting = session.resolution(asked, { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(waiting, reason)
  assert.equal(time.pending(), 0)
  assert.equal(guard.stats().proposed, 1)
})

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const INVALID_STEPS = [
  { name: 'a name with spaces', step: { tool: 'send mail' } },
  { name: 'an empty name', step: { tool: '' } },
  { name: 'arguments that go in a circle', step: { tool: 'read_file', arguments: cyclic } },
  { name: 'a BigInt', step: { tool: 'read_file', arguments: { amount: 1n } } },
  { name: 'a call id with a space', step: { tool: 'read_file', callId: 'call 1' } },
  { name: 'too many tags', step: { tool: 'read_file', labels: { tags: Array<string>(17).fill('pii') } } },
]

for (const { name, step } of INVALID_STEPS)
  test(`${name} is refused and does not change the session`, async () => {
    const { guard } = await createTestGuard()
    const session = await guard.startSession()
    await assert.rejects(session.propose(step), withCode('schema_invalid'))
    const next = await session.propose({ tool: 'read_file' })
    assert.deepEqual([next.verdict, next.decision?.step], ['allow', 1])
  })

test('caps sessions, drops ended ones, refuses a used id', async () => {
  const { guard } = await createTestGuard({ sessionsMax: 2 })
  const first = await guard.startSession({ id: 'one' })
  await assert.rejects(guard.startSession({ id: 'one' }), withCode('session_already_started'))
  await guard.startSession()
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  await first.end('completed')
  await first.end('completed')
  await assert.rejects(first.propose({ tool: 'read_file' }), withCode('session_ended'))
  await guard.startSession()
  await assert.rejects(guard.startSession({ category: '' }), withCode('queue_full'))
})

test('the id of a session that has ended or was dropped is refused: it must not start again at safe', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 1, idleMs: 60_000 })
  const again = (id: string) =>
    assert.rejects(
      guard.startSession({ id }),
      new PlimsollError(
        'session_already_started',
        `session \`${id}\` was started before and has ended: use a new id`,
      ),
    )
  const ended = await guard.startSession({ id: 'ended' })
  await ended.end()
  await again('ended')
  await guard.startSession({ id: 'idle' })
  time.pass(60_001)
  const last = await guard.startSession({ id: 'last' })
  await again('idle')
  await last.end()
  await assert.rejects(guard.startSession({ id: 'refused', category: '' }), withCode('schema_invalid'))
  await guard.startSession({ id: 'refused' })
})

test('an option that there is not is refused, with the right form', async () => {
  const wrong = (options: object) => createGuard(options).then(() => assert.fail('it was ignored'))
  const refusal = (message: string) => new PlimsollError('config_invalid', message)
  await assert.rejects(
    wrong({ catalogue: 'catalogue.yaml' }),
    refusal('`createGuard` has no option `catalogue`: use `{ documents: { catalogue } }`'),
  )
  await assert.rejects(
    wrong({ onDecisions: () => undefined, sessionMax: 3 }),
    refusal(
      '`createGuard` has no option `onDecisions`: did you mean `onDecision`?; `createGuard` has no option `sessionMax`: did you mean `sessionsMax`?',
    ),
  )
  await assert.rejects(
    wrong({ documents: { rules: 'policy.yaml' } }),
    refusal('`createGuard({ documents })` has no option `rules`: it has `bundle`, `policy`, `catalogue`'),
  )
  const { guard } = await createTestGuard()
  const started: object = { categry: 'communication', user: undefined, other: undefined }
  await assert.rejects(
    guard.startSession(started),
    new PlimsollError('schema_invalid', '`startSession` has no option `categry`: did you mean `category`?'),
  )
})

test('an idle session makes room, and is refused from then on', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 2, idleMs: 60_000 })
  const [first, second] = [await guard.startSession({ id: 'one' }), await guard.startSession()]
  const asked = await second.propose({ tool: 'refund' })
  time.pass(60_000)
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  const read = await first.propose({ tool: 'read_file' })
  time.pass(1)
  const third = await guard.startSession()
  await assert.rejects(guard.startSession(), withCode('queue_full'))
  await first.complete(read)
  await third.propose({ tool: 'read_file' })
  for (const refused of [second.propose({ tool: 'read_file' }), second.complete(asked)])
    await assert.rejects(refused, withCode('session_ended'))
  const approval = { by: 'ann', resolution: 'approved' } as const
  await assert.rejects(guard.approve(asked, approval), withCode('approval_unknown'))
  assert.equal((await second.resolution(asked)).verdict, 'block')
  await second.end()
  await guard.close()
  await assert.rejects(second.propose({ tool: 'read_file' }), withCode('session_ended'))
})

test('abandoned sessions hold their place for at most a day', async () => {
  const { guard, time } = await createTestGuard({ sessionsMax: 3 })
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 3; i++) await guard.startSession({ id: `session-${day}-${i}` })
    await assert.rejects(guard.startSession(), withCode('queue_full'))
    time.pass(24 * 3_600_000 + 1)
  }
})

test('a session whose start is refused takes no place', async () => {
  const { guard } = await createTestGuard({ sessionsMax: 1 })
  await assert.rejects(guard.startSession({ category: '' }), withCode('schema_invalid'))
  await guard.startSession()
})

test('`close` and `end` answer pending approvals and are final', async () => {
  const { guard, time } = await createTestGuard()
  const [one, two] = [await guard.startSession(), await guard.startSession()]
  const waits = [one, two].map(async (session) => {
    const asked = await session.propose({ tool: 'refund' })
    return (await session.resolution(asked)).verdict
  })
  await new Promise(setImmediate)
  await one.end()
  await guard.close()
  await guard.close()
  assert.deepEqual(await Promise.all(waits), ['block', 'block'])
  await assert.rejects(guard.startSession(), withCode('closed'))
  await assert.rejects(two.propose({ tool: 'read_file' }), withCode('closed'))
  assert.equal(time.pending(), 0)
})

test('refuses to approve an answer of another guard', async () => {
  const [here, there] = [await createTestGuard(), await createTestGuard()]
  const asked = await (await there.guard.startSession()).propose({ tool: 'refund' })
  const session = await here.guard.startSession()
  await assert.rejects(session.resolution(asked), withCode('approval_unknown'))
  await assert.rejects(
    here.guard.approve(asked, { by: 'ann', resolution: 'approved' }),
    withCode('approval_unknown'),
  )
})

test('library mode loads no Kafka client', () => {
  const script = `
    const { createRequire } = await import('node:module')
    const { createGuard } = await import(process.argv[1])
    await createGuard()
    const loaded = Object.keys(createRequire(process.argv[1]).cache)
    console.log(loaded.filter((file) => /kafkajs|ioredis|prom-client/.test(file)).length)`
  const index = new URL('./index.js', import.meta.url).href
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, index])
  assert.equal(String(stdout).trim(), '0', String(stderr))
})

test('a catalogue adds to the shipped one, which decides with the shipped policy; `extends: none` stands alone', async (t) => {
  const own: Catalogue = {
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'own',
    tools: [{ tools: ['our_look'], labels: { capability: 'read', reversibility: 'reversible' } }],
  }
  const alone: Catalogue = { ...own, extends: 'none' }
  const isLabelled = async (catalogue: Catalogue | string | URL, tool: string) => {
    const guard = await createGuard({ documents: { catalogue } })
    t.after(() => guard.close())
    const { decision } = await (await guard.startSession()).propose({ tool, arguments: {} })
    return decision?.reasons.every(({ source }) => source !== 'unlabelled')
  }
  assert.equal(await isLabelled(own, 'our_look'), true)
  assert.equal(await isLabelled(own, 'send_email'), true)
  assert.equal(await isLabelled(own, 'nobody_knows_it'), false)
  assert.equal(await isLabelled(alone, 'our_look'), true)
  assert.equal(await isLabelled(alone, 'send_email'), false)

  const file = path.join(mkdtempSync(path.join(tmpdir(), 'plimsoll-guard-')), 'catalogue.yaml')
  t.after(() => rmSync(path.dirname(file), { recursive: true }))
  writeFileSync(file, JSON.stringify(own))
  assert.equal(await isLabelled(file, 'our_look'), true)
  assert.equal(await isLabelled(pathToFileURL(file), 'send_email'), true)
  await assert.rejects(isLabelled(`${file}.none`, 'x'), withCode('document_invalid'))
})

const REPLIES: readonly (readonly [string, OnConfirm, string])[] = [
  ['a word', () => 'approved', 'ran'],
  ['a promise of a word', async () => 'denied' as const, 'onConfirm` denied'],
  ['an approval', async () => ({ resolution: 'denied', by: 'ada', reason: 'no' }), 'ada` denied'],
  ['nothing', async () => undefined, 'waits for approval'],
  ['an error', async () => Promise.reject(new Error('the chat is down')), 'waits for approval'],
]

for (const [what, onConfirm, expected] of REPLIES)
  test(`onConfirm gives ${what}`, async () => {
    const guard = await createGuard({ documents: await testDocuments(), onConfirm })
    const session = await guard.startSession()
    const outcome = await session.run({ tool: 'refund' }, () => 'ran').catch(String)
    assert.ok(outcome.includes(expected), outcome)
    await guard.close()
  })

test('onConfirm of a call goes before that of the guard', async () => {
  const guard = await createGuard({ documents: await testDocuments(), onConfirm: () => 'denied' })
  const session = await guard.startSession()
  assert.equal(await session.run({ tool: 'refund' }, () => 'ran', { onConfirm: () => 'approved' }), 'ran')
  await guard.close()
})

test('a request that expires while onConfirm asks is blocked', async () => {
  const { clock, timers, pass } = createManualTime()
  const guard = await createGuard({
    documents: await testDocuments(),
    clock,
    timers,
    onConfirm: () => new Promise(() => {}),
  })
  const session = await guard.startSession()
  const refunding = session.run({ tool: 'refund' }, () => 'ran')
  await new Promise(setImmediate)
  pass(901_000)
  await assert.rejects(refunding, /was not approved in time/)
  await guard.close()
})

test('mode observe stops nothing, and onDecision gets what enforcement would have answered', async () => {
  const verdicts: string[] = []
  const guard = await createGuard({
    documents: await testDocuments(),
    mode: 'observe',
    onConfirm: () => assert.fail('asked'),
    onDecision: ({ tool, verdict }) => void verdicts.push(`${tool} ${verdict}`),
  })
  const session = await guard.startSession()
  for (const tool of ['refund', 'wipe_disk']) assert.equal(await session.run({ tool }, () => 'ran'), 'ran')
  assert.deepEqual(verdicts, ['refund confirm', 'wipe_disk block'])
  await guard.close()
})
