import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@plimsoll/contracts'
import type { Session } from './session.js'
import { type Rig, type RigOptions, createRig } from './testing/two-modes.js'
import type { ClientSettings, StepWithoutVerdict } from './transport/link.js'

/** A gate that lets nothing be decided until it is opened. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, gate: () => opened }
}

/** A rig whose monitor decides nothing until `open`; steps proposed are given up after two seconds. */
async function createSilentRig(
  t: Parameters<typeof createRig>[0],
  settings: ClientSettings = {},
  options: RigOptions = {},
) {
  const { open, gate } = createGate()
  t.after(async () => open())
  const rig = await createRig(t, { ...options, settings, gate })
  const session = await rig.client.startSession({ id: 'one' })
  return { ...rig, session, open }
}

/** Proposes and lets the proposal's time pass. */
function giveUp({ time }: Pick<Rig, 'time'>, session: Session, step: Parameters<Session['propose']>[0]) {
  const answer = session.propose(step)
  time.pass(2_000)
  return answer
}

const unansweredOf = (event: Event) =>
  event.type === 'step.proposed' ? event.withoutVerdict?.map(({ callId }) => callId) : undefined

const FAIL_MODES = [
  { name: 'a read may run', step: { tool: 'read_file' }, by: 'fail_open' },
  { name: 'a write may not', step: { tool: 'write_file' }, by: 'fail_closed' },
  { name: 'code may not', step: { tool: 'bash' }, by: 'fail_closed' },
  { name: 'what goes out may not', step: { tool: 'send_email' }, by: 'fail_closed' },
  { name: 'an unknown tool may not', step: { tool: 'some_new_tool' }, by: 'fail_closed' },
  {
    name: 'a read that claims to be more may not',
    step: { tool: 'read_file', labels: { capability: 'network' } },
    by: 'fail_closed',
  },
  {
    name: 'a mail that claims to be less may not',
    step: { tool: 'send_email', labels: { capability: 'read' } },
    by: 'fail_closed',
  },
  {
    name: 'settings decide: reads closed',
    step: { tool: 'read_file' },
    by: 'fail_closed',
    failModes: { read: 'closed' },
  },
  {
    name: 'settings decide: writes open',
    step: { tool: 'write_file' },
    by: 'fail_open',
    failModes: { write: 'open' },
  },
] as const

for (const { name, step, by, ...settings } of FAIL_MODES)
  test(`no verdict in time: ${name}`, async (t) => {
    const reported: StepWithoutVerdict[] = []
    const onStepWithoutVerdict = (withoutVerdict: StepWithoutVerdict) => {
      reported.push(withoutVerdict)
      throw new Error('a callback of the host that fails')
    }
    const rig = await createSilentRig(t, { onStepWithoutVerdict, ...settings })
    const answer = await giveUp(rig, rig.session, { callId: 'call-1', ...step })
    const isOpen = by === 'fail_open'
    assert.deepEqual([answer.by, answer.mayRun, answer.verdict], [by, isOpen, isOpen ? 'allow' : 'block'])
    const mode = isOpen ? 'open' : 'closed'
    assert.deepEqual(reported, [
      { sessionId: 'one', callId: 'call-1', tool: step.tool, mode, cause: 'timeout' },
    ])
    const { failedOpen, failedClosed } = rig.client.stats()
    assert.deepEqual([failedOpen, failedClosed], isOpen ? [1, 0] : [0, 1])
  })

test('a proposal may set its own timeout', async (t) => {
  const { session, time } = await createSilentRig(t)
  const answer = session.propose({ tool: 'read_file' }, { timeoutMs: 10 })
  time.pass(10)
  assert.equal((await answer).by, 'fail_open')
})

test('reports steps without a verdict with the next proposals, sixteen at a time', async (t) => {
  const rig = await createSilentRig(t)
  const { session, open, loop } = rig
  for (let i = 0; i < 18; i++) await giveUp(rig, session, { tool: 'read_file', callId: `unreported-${i}` })
  const closed = await giveUp(rig, session, { tool: 'send_email' })
  assert.equal(closed.by, 'fail_closed')
  const [first, second, third] = [1, 2, 3].map((i) =>
    session.propose({ tool: 'read_file', callId: `step-${i}` }),
  )
  open()
  assert.deepEqual((await Promise.all([first, second, third])).map((answer) => answer?.by).length, 3)
  const proposals = loop.events.filter(({ type }) => type === 'step.proposed')
  const reported = proposals.map((event) => unansweredOf(event) ?? [])
  assert.deepEqual(
    reported.flat(),
    Array.from({ length: 18 }, (_, i) => `unreported-${i}`),
  )
  assert.ok(reported.every((steps) => steps.length <= 16))
  assert.deepEqual(loop.faults, [])
})

test('a step that ran and completed counts once, whatever the late decision', async (t) => {
  const settings = { failModes: { execute: 'open' } } as const
  const rig = await createSilentRig(t, settings)
  const { session, open, loop, client } = rig
  const allowed = await giveUp(rig, session, { tool: 'read_file' })
  await session.complete(allowed, { labels: { confidentiality: 'sensitive' } })
  const blocked = await giveUp(rig, session, { tool: 'wipe_disk' })
  await session.complete(blocked)
  open()
  const next = await session.propose({ tool: 'read_file' })
  const risk = next.decision?.risk
  assert.deepEqual([risk?.withoutVerdict, risk?.violations, risk?.exposure], [0, 1, 'sensitive'])
  assert.equal(next.decision?.step, 3)
  assert.equal(client.stats().late, 2)
  assert.deepEqual(loop.faults, [])
})

test('a late `allow` for a step that did not run releases its place', async (t) => {
  const settings = { failModes: { read: 'closed' } } as const
  const rig = await createSilentRig(t, settings)
  const { session, open, loop } = rig
  const closed = await giveUp(rig, session, { tool: 'read_file', callId: 'given-up' })
  assert.equal(closed.mayRun, false)
  open()
  const completed = await loop.whenEvent(({ type }) => type === 'step.completed')
  assert.deepEqual(completed.type === 'step.completed' && [completed.callId, completed.outcome], [
    'given-up',
    'error',
  ])
  assert.equal((await session.propose({ tool: 'read_file' })).decision?.risk?.withoutVerdict, 0)
  assert.deepEqual(
    loop.stateOf('one')?.calls.map(({ callId }) => callId === 'given-up'),
    [false],
  )
})

test('a late `confirm` that is approved releases its place too', async (t) => {
  const rig = await createSilentRig(t)
  const { session, open, loop, approve, client } = rig
  const closed = await giveUp(rig, session, { tool: 'refund', callId: 'given-up' })
  assert.equal(closed.by, 'fail_closed')
  open()
  await session.propose({ tool: 'read_file' })
  const asked = loop.stateOf('one')?.calls.find(({ callId }) => callId === 'given-up')
  assert.equal(asked?.status, 'pending')
  const shown = await session.propose({ tool: 'refund', callId: 'given-up' })
  assert.equal(shown.verdict, 'block', 'the first still waits')
  const { decisionId, argumentsDigest, expiresAt } = asked
  const first = shown.decision && { ...shown.decision, id: decisionId, argumentsDigest, expiresAt }
  await approve(first)
  await loop.whenEvent(({ type }) => type === 'step.completed')
  assert.ok(client.stats().late >= 2)
})

test('a late decision does not repeat a journalled step', async (t) => {
  const rig = await createSilentRig(t)
  const { session, open, loop, time } = rig
  await giveUp(rig, session, { tool: 'read_file', callId: 'ran' })
  const next = session.propose({ tool: 'read_file' })
  open()
  const { decision } = await next
  assert.deepEqual([decision?.risk?.withoutVerdict, decision?.risk?.violations], [0, 0])
  assert.deepEqual(loop.events.map(unansweredOf).filter(Boolean), [['ran']])
  assert.equal(time.pending(), 0)
})

test('with a full journal, no more steps run without a verdict', async (t) => {
  const rig = await createSilentRig(t)
  const { session } = rig
  for (let i = 0; i < 400; i++) void session.propose({ tool: 'read_file' })
  rig.time.pass(2_000)
  const { failedOpen, failedClosed } = rig.client.stats()
  assert.deepEqual([failedOpen, failedClosed], [256, 144])
})

test('an abort rejects with its reason; the late decision releases the place', async (t) => {
  const { session, open, loop, time, client } = await createSilentRig(t)
  const controller = new AbortController()
  const reason = new Error('the user pressed stop')
  const aborted = session.propose({ tool: 'read_file', callId: 'aborted' }, { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(aborted, reason)
  assert.equal(time.pending(), 0)
  open()
  const completed = await loop.whenEvent(({ type }) => type === 'step.completed')
  assert.equal(completed.type === 'step.completed' && completed.callId, 'aborted')
  const { proposed, decided, failedOpen, failedClosed, late } = client.stats()
  assert.deepEqual([proposed, decided, failedOpen, failedClosed, late], [1, 0, 0, 0, 1])
})

test('`close` fails open proposals and reports those that may run', async (t) => {
  const reported: StepWithoutVerdict[] = []
  const onStepWithoutVerdict = (step: StepWithoutVerdict) => void reported.push(step)
  const { session, client, produced, time } = await createSilentRig(t, { onStepWithoutVerdict })
  const open = session.propose({ tool: 'read_file', callId: 'may-run' })
  const closed = session.propose({ tool: 'send_email' })
  await client.close()
  assert.deepEqual([(await open).by, (await closed).by], ['fail_open', 'fail_closed'])
  assert.deepEqual(
    reported.map(({ cause }) => cause),
    ['closed', 'closed'],
  )
  const last: unknown = JSON.parse(produced.flat().at(-1) ?? '')
  assert.deepEqual(last, { ...(last as object), type: 'step.completed', callId: 'may-run' })
  assert.equal(time.pending(), 0)
})

test('the end of a session reports steps without a verdict', async (t) => {
  const rig = await createSilentRig(t)
  const { session, open, loop } = rig
  await giveUp(rig, session, { tool: 'read_file', callId: 'unreported' })
  await session.end('completed')
  open()
  await loop.whenEvent(({ type }) => type === 'session.ended')
  const types = loop.events.map((event) => event.type)
  assert.deepEqual(types, ['session.started', 'step.proposed', 'step.completed', 'session.ended'])
})
