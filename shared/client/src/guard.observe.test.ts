import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, TENANT_HEADER } from '@plimsoll/contracts'
import type { Facts } from '@plimsoll/engine'
import { createGuard } from './guard.js'
import { createRig, testDocuments } from './testing/two-modes.js'

const OBSERVE: Facts = { mode: 'observe' }
const TOOLS = [
  ['read_file', 'allow'],
  ['some_new_tool', 'warn'],
  ['refund', 'confirm'],
  ['wipe_disk', 'block'],
] as const

test('an observed session gets its verdicts and runs whatever they are', async (t) => {
  const { client, loop } = await createRig(t, { facts: () => OBSERVE })
  const session = await client.startSession({ id: 'one' })
  for (const [tool, verdict] of TOOLS) {
    const answer = await session.propose({ tool })
    assert.deepEqual([answer.verdict, answer.mayRun, answer.by], [verdict, true, 'decision'])
    assert.equal(await session.resolution(answer), answer, 'no approval is requested')
    await session.complete(answer)
  }
  const last = await session.propose({ tool: 'read_file' })
  assert.deepEqual(
    [last.decision?.risk?.violations, last.decision?.risk?.withoutVerdict, last.decision?.step],
    [1, 0, 5],
  )
  assert.deepEqual(loop.faults, [])
})

test('a stop holds in observe mode too', async (t) => {
  const { client } = await createRig(t, { facts: () => ({ mode: 'observe', stop: { by: 'ann' } }) })
  const session = await client.startSession()
  const answer = await session.propose({ tool: 'read_file' })
  assert.deepEqual([answer.verdict, answer.mayRun], ['block', false])
  assert.equal(answer.decision?.reasons[0]?.code, 'fleet_stopped')
})

test('in observe mode a missing event is sent again without delay', async (t) => {
  let isLost = true
  const { client, loop } = await createRig(t, {
    facts: () => OBSERVE,
    isLost: ({ type }) => {
      const lost = isLost && type === 'step.completed'
      if (lost) isLost = false
      return lost
    },
  })
  const session = await client.startSession({ id: 'one' })
  await session.complete(await session.propose({ tool: 'read_file' }))
  const refused = await session.propose({ tool: 'wipe_disk', callId: 'wipe' })
  assert.deepEqual([refused.mayRun, refused.decision?.kind], [true, 'refusal'])
  await session.complete(refused)
  const next = await session.propose({ tool: 'read_file' })
  assert.deepEqual([next.mayRun, next.by], [true, 'decision'])
  await session.end()
  await loop.whenEvent(({ type, seq }) => type === 'session.ended' && seq === 6)
  const { steps, violations, withoutVerdict, ended } = loop.stateOf('one') ?? {}
  assert.deepEqual([steps, violations, withoutVerdict, ended], [3, 1, 0, true])
  assert.deepEqual([client.stats().late, client.stats().resent > 0], [0, true])
})

test('an approval request from before the mode change still waits; a new one does not', async (t) => {
  let facts: Facts = { mode: 'enforce' }
  const rig = await createRig(t, { facts: () => facts })
  const session = await rig.client.startSession()
  const [first, second] = [
    await session.propose({ tool: 'refund' }),
    await session.propose({ tool: 'refund' }),
  ]
  assert.equal(first.mayRun, false)
  facts = OBSERVE
  const waiting = session.resolution(first)
  await rig.approve(first.decision, 'denied')
  assert.equal((await waiting).mayRun, false)
  await rig.approve(second.decision)
  assert.equal((await session.resolution(second)).mayRun, true)
  assert.equal((await session.propose({ tool: 'refund' })).mayRun, true)
})

test('the decision of a deadline ends the wait for an approval as a block', async (t) => {
  const { client, log, topics, time } = await createRig(t)
  const session = await client.startSession({ id: 'one' })
  const asked = await session.propose({ tool: 'refund' })
  const waiting = session.resolution(asked)
  const { decision } = asked
  assert.ok(decision)
  const { expiresAt, ...rest } = decision
  const denied: Decision = {
    ...rest,
    id: 'one#deadline:approval:x#approval',
    kind: 'approval',
    eventId: 'deadline:approval:x',
    verdict: 'block',
    reasons: [
      { source: 'approval', code: 'approval_expired', verdict: 'block', message: 'no answer came in time' },
    ],
    time: expiresAt ?? 0,
  }
  await log.produce(topics.decisions, [{ key: 'one', value: JSON.stringify(denied) }])
  const answer = await waiting
  assert.deepEqual([answer.verdict, answer.mayRun, answer.by], ['block', false, 'decision'])
  assert.deepEqual([client.stats().expired, client.stats().late, time.pending()], [1, 0, 0])
})

test('a client that only observes publishes and waits for nothing', async (t) => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const { client, loop, time } = await createRig(t, { settings: { mode: 'observe' }, gate: () => opened })
  const session = await client.startSession({ id: 'one' })
  for (const [tool] of TOOLS) {
    const answer = await session.propose({ tool, callId: tool })
    assert.deepEqual([answer.verdict, answer.mayRun, answer.by], ['allow', true, 'observe'])
    assert.equal(await session.resolution(answer), answer)
    await session.complete(answer)
  }
  assert.equal(time.pending(), 0, 'nothing is timed')
  open()
  await session.end()
  await loop.whenEvent(({ type }) => type === 'session.ended')
  const { steps, violations, withoutVerdict } = loop.stateOf('one') ?? {}
  assert.deepEqual(
    [steps, violations, withoutVerdict],
    [4, 2, 0],
    'what an enforcing monitor would have held ran all the same',
  )
  const { proposed, observed, decided, failedOpen, late } = client.stats()
  assert.deepEqual([proposed, observed, decided, failedOpen, late], [4, 4, 0, 0, 0])
})

test('a step that does not fit the queue runs, and is reported when there is room', async (t) => {
  const reported: string[] = []
  const rig = await createRig(t, {
    settings: {
      mode: 'observe',
      limits: { queueEventsMax: 1 },
      onStepWithoutVerdict: ({ tool, mode }) => void reported.push(`${tool} ${mode}`),
    },
  })
  const { client, loop } = rig
  const session = await client.startSession({ id: 'one' })
  const unreported = await session.propose({ tool: 'wipe_disk', callId: 'unreported' })
  assert.deepEqual([unreported.mayRun, unreported.by, reported], [true, 'fail_open', ['wipe_disk open']])
  await loop.whenEvent(({ type }) => type === 'session.started')
  await new Promise(setImmediate)
  assert.equal((await session.propose({ tool: 'read_file' })).by, 'observe')
  const event = await loop.whenEvent(({ type }) => type === 'step.proposed')
  assert.deepEqual(event.type === 'step.proposed' && event.withoutVerdict?.map(({ callId }) => callId), [
    'unreported',
  ])
})

test('a client that only observes fills gaps', async (t) => {
  let isLost = true
  const { client, loop } = await createRig(t, {
    settings: { mode: 'observe' },
    isLost: ({ type }) => {
      const lost = isLost && type === 'step.completed'
      if (lost) isLost = false
      return lost
    },
  })
  const session = await client.startSession({ id: 'one' })
  await session.complete(await session.propose({ tool: 'read_file' }))
  await session.propose({ tool: 'read_file' })
  await loop.whenEvent(() => loop.events.filter(({ seq }) => seq === 3).length === 2)
  assert.deepEqual(loop.faults, ['sequence_gap'])
  await session.end()
  await loop.whenEvent(({ type }) => type === 'session.ended')
  const { steps, withoutVerdict, ended } = loop.stateOf('one') ?? {}
  assert.deepEqual([steps, withoutVerdict, ended], [2, 0, true])
  assert.equal(client.stats().late, 0)
  assert.equal(client.stats().resent, 2)
})

test('library mode: every step runs, no approval is requested, violations are counted', async () => {
  const guard = await createGuard({ documents: await testDocuments(), mode: 'observe' })
  const session = await guard.startSession()
  for (const [tool, verdict] of TOOLS) {
    const answer = await session.propose({ tool })
    assert.deepEqual([answer.verdict, answer.mayRun, answer.decision?.mode], [verdict, true, 'observe'])
    assert.equal(await session.resolution(answer), answer)
    await session.complete(answer)
  }
  const { decision } = await session.propose({ tool: 'read_file' })
  assert.deepEqual([decision?.risk?.violations, decision?.step], [1, 5])
  await guard.close()
})

test('events carry their tenant in a header', async (t) => {
  const tenants: (string | undefined)[] = []
  const { client, loop } = await createRig(t, {
    produce: (records, next) => {
      tenants.push(...records.map(({ headers }) => headers?.[TENANT_HEADER]))
      return next()
    },
  })
  for (const id of ['acme~run-1', 'run-1']) await (await client.startSession({ id })).end()
  await loop.whenEvent(({ type, sessionId }) => type === 'session.ended' && sessionId === 'run-1')
  assert.deepEqual(tenants, ['acme', 'acme', 'default', 'default'])
})
