import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Catalogue, type Decision, PlimsollError } from '@plimsoll/contracts'
import { createGuard } from './guard.js'
import { testDocuments, withCode } from './testing/two-modes.js'
import { createTestGuard } from './testing/test-guard.js'

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

test('arguments and results under the names of other libraries are refused', async () => {
  const { guard } = await createTestGuard()
  const session = await guard.startSession()
  const step = { tool: 'read_file', args: { path: 'notes.txt' } }
  await assert.rejects(session.propose(step), {
    code: 'schema_invalid',
    message: '`propose` has no member `args`: use `arguments`',
  })
  const answer = await session.propose({ ...step, arguments: step.args })
  const reported = { outcome: 'ok', output: 'a note' } as const
  await assert.rejects(session.complete(answer, reported), {
    code: 'schema_invalid',
    message: '`complete` has no member `output`: use `result`',
  })
  await session.complete(answer, { ...reported, result: reported.output })
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

test('an option that there is not is refused, with the right form', async () => {
  const wrong = (options: object) => createGuard(options).then(() => assert.fail('it was ignored'))
  const refusal = (message: string) => new PlimsollError('config_invalid', message)
  await assert.rejects(
    wrong({ catalogue: 'catalogue.yaml' }),
    refusal('`createGuard` has no option `catalogue`: use `{ documents: { catalogue } }`'),
  )
  await assert.rejects(
    wrong({ mode: 'obs' }),
    refusal('`createGuard` has no mode `obs`: use enforce or observe'),
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
