import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, PlimsollError, logged } from '@plimsoll/contracts'
import { step } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { createRig, passUntil, testDocuments, withCode } from './testing/two-modes.js'
import { missingFrom } from './transport/history.js'
import type { StepWithoutVerdict } from './transport/link.js'

const unavailable = () => new PlimsollError('log_unavailable', 'no broker answers')

/** A promise with its handle outside. */
function createSwitch() {
  let turn = () => {}
  const turned = new Promise<void>((resolve) => {
    turn = resolve
  })
  return { turn, turned }
}

test('retries a failed produce with the same records, in order', async (t) => {
  let failures = 3
  const failed = createSwitch()
  const errors: unknown[] = []
  const rig = await createRig(t, {
    settings: { onRetry: (error) => void errors.push(error) },
    produce: async (_, next) => {
      if (failures === 0) return next()
      failures--
      if (failures === 2) failed.turn()
      throw unavailable()
    },
  })
  const { client, time, produced, loop } = rig
  const session = await client.startSession()
  const answer = session.propose({ tool: 'read_file' }, { timeoutMs: 60_000 })
  await failed.turned
  const later = session.propose({ tool: 'refund' }, { timeoutMs: 60_000 })
  const answers = await passUntil(time, Promise.all([answer, later]))
  assert.deepEqual(
    answers.map(({ verdict }) => verdict),
    ['allow', 'confirm'],
  )
  const [first, ...again] = produced
  for (const records of again.slice(0, 3)) assert.deepEqual(records, first)
  assert.deepEqual(
    loop.events.map(({ seq }) => seq),
    [0, 1, 2],
  )
  assert.deepEqual([client.stats().retried, errors.length], [3, 3])
})

test('a produce that fails after it arrived does no harm', async (t) => {
  let isFirst = true
  const rig = await createRig(t, {
    produce: async (records, next) => {
      await next()
      if (!isFirst || records.length < 5) return
      isFirst = false
      throw unavailable()
    },
  })
  const { client, time, loop } = rig
  const session = await client.startSession({ id: 'one' })
  const answers = Array.from({ length: 6 }, () => session.propose({ tool: 'read_file' }))
  const decided = await passUntil(time, Promise.all(answers))
  assert.deepEqual(
    decided.map(({ decision }) => [decision?.kind, decision?.step]),
    [1, 2, 3, 4, 5, 6].map((number) => ['step', number]),
  )
  const last = await passUntil(time, session.propose({ tool: 'read_file' }))
  assert.equal(last.decision?.step, 7)
  const sent = loop.events.length
  assert.ok(
    sent === 14 || sent === 15,
    `${sent}: all but the start and the last are there twice, the start perhaps`,
  )
  assert.deepEqual(loop.faults, [])
})

/** Loses each event that `matches` the first `times` times that it is sent. */
function losing(matches: (event: Event) => boolean, times = 1) {
  const lost = new Map<number, number>()
  return (event: Event) => {
    if (!matches(event)) return false
    const count = lost.get(event.seq) ?? 0
    lost.set(event.seq, count + 1)
    return count < times
  }
}

test('fills a gap by sending the missing event and all later ones', async (t) => {
  const isLost = losing(({ type }) => type === 'step.completed')
  const { client, loop } = await createRig(t, { isLost })
  const session = await client.startSession({ id: 'one' })
  const read = await session.propose({ tool: 'read_file' })
  await session.complete(read, { labels: { confidentiality: 'sensitive' } })
  const [next, other] = await Promise.all([
    session.propose({ tool: 'read_file', callId: 'next' }),
    session.propose({ tool: 'refund', callId: 'other' }),
  ])
  assert.deepEqual([next.verdict, other.verdict], ['allow', 'confirm'])
  assert.deepEqual([next.decision?.kind, next.decision?.risk?.exposure], ['step', 'sensitive'])
  assert.equal(client.stats().resent, 3)
  const proposals = loop.events.filter((event) => event.type === 'step.proposed' && event.callId === 'next')
  assert.equal(new Set(proposals.map(({ id }) => id)).size, 2, 'sent again under a new id')
  assert.equal(new Set(proposals.map(({ seq }) => seq)).size, 1, 'and under its number')
})

test('recovers a lost start, and a lost proposal with the next one', async (t) => {
  const isLost = losing((event) => event.type === 'session.started' || isOfCall(event, 'lost'))
  const { client, loop } = await createRig(t, { isLost })
  const session = await client.startSession({ id: 'one' })
  const first = session.propose({ tool: 'read_file', callId: 'lost' })
  const second = await session.propose({ tool: 'read_file' })
  assert.deepEqual([(await first).decision?.step, second.decision?.step], [1, 2])
  assert.deepEqual(loop.faults, ['session_state_lost'])
})

test('blocks a session whose record was lost after a decision', async (t) => {
  const rig = await createRig(t)
  const session = await rig.client.startSession({ id: 'one' })
  await session.propose({ tool: 'read_file' })
  rig.loop.forget('one')
  const refused = await session.propose({ tool: 'read_file' })
  assert.deepEqual([refused.verdict, refused.decision?.reasons[0]?.code], ['block', 'session_state_lost'])
  assert.equal(rig.client.stats().resent, 0)
})

test('releases the place of an abandoned proposal that is sent again', async (t) => {
  const isLost = losing((event) => isOfCall(event, 'given-up'))
  const { client, loop, time } = await createRig(t, { isLost })
  const session = await client.startSession({ id: 'one' })
  const closed = session.propose({ tool: 'write_file', callId: 'given-up' })
  await loop.whenEvent((event) => isOfCall(event, 'given-up'))
  time.pass(2_000)
  assert.equal((await closed).by, 'fail_closed')
  assert.equal((await session.propose({ tool: 'read_file' })).verdict, 'allow')
  const released = await loop.whenEvent(({ type }) => type === 'step.completed')
  assert.ok(isOfCall(released, 'given-up'))
})

const isOfCall = (event: Event, callId: string) => 'callId' in event && event.callId === callId

test('answers a gap that cannot be filled with its refusal', async (t) => {
  const isLost = losing(({ type }) => type === 'step.completed', Infinity)
  const { client, loop } = await createRig(t, { isLost })
  const session = await client.startSession()
  await session.complete(await session.propose({ tool: 'read_file' }))
  const answer = await session.propose({ tool: 'read_file' })
  assert.deepEqual([answer.verdict, answer.decision?.kind], ['block', 'refusal'])
  assert.equal(answer.decision?.reasons[0]?.code, 'sequence_gap')
  assert.equal(client.stats().resent, 6, 'three times two events')
  assert.equal(loop.faults.length, 4)
})

test('does not send again events that lie too far back', async (t) => {
  const isLost = losing(({ type, seq }) => type === 'step.completed' && seq === 2)
  const { client } = await createRig(t, { isLost })
  const session = await client.startSession()
  const answer = await session.propose({ tool: 'read_file' })
  for (let i = 0; i < 65; i++) await session.complete(answer)
  const refused = await session.propose({ tool: 'read_file' })
  assert.equal(refused.decision?.reasons[0]?.code, 'sequence_gap')
  assert.equal(client.stats().resent, 0)
})

test('reads the expected number of a refusal as the engine writes it', async () => {
  const envelope = { schema: 1, sessionId: 'one', producer: 'p', time: 0 } as const
  const call = {
    type: 'step.proposed',
    callId: 'c',
    tool: 'read_file',
    argumentsDigest: '0'.repeat(64),
  } as const
  const started = logged({ ...envelope, id: 'e0', seq: 0, type: 'session.started' }, 0)
  const rules = compileRules(await testDocuments())
  const { state } = step(undefined, started, rules)
  const refusalOf = (seq: number) =>
    step(state, logged({ ...envelope, ...call, id: `e${seq}`, seq }, 0), rules).decision
  assert.equal(missingFrom(present(refusalOf(7))), 1)
  assert.equal(missingFrom(present(refusalOf(0))), undefined, 'stale, no gap')
  assert.equal(missingFrom(present(refusalOf(1))), undefined)
})

function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined)
  return value
}

test('a full queue refuses starts, fails proposals, and accepts completions', async (t) => {
  const held = createSwitch()
  const reported: StepWithoutVerdict[] = []
  const settings = {
    limits: { queueEventsMax: 3 },
    onStepWithoutVerdict: (step: StepWithoutVerdict) => void reported.push(step),
  }
  let isHeld = false
  const produce = async (_: unknown, next: () => Promise<void>) => {
    if (isHeld) await held.turned
    return next()
  }
  const { client, loop } = await createRig(t, { settings, produce })
  const session = await client.startSession({ id: 'one' })
  const first = await session.propose({ tool: 'read_file' })
  isHeld = true
  const waiting = [1, 2, 3].map(() => session.propose({ tool: 'read_file' }, { timeoutMs: 60_000 }))
  await assert.rejects(client.startSession(), withCode('queue_full'))
  const [read, sent] = await Promise.all([
    session.propose({ tool: 'read_file', callId: 'unreported', labels: { confidentiality: 'credentials' } }),
    session.propose({ tool: 'send_email' }),
  ])
  assert.deepEqual([read.by, sent.by], ['fail_open', 'fail_closed'])
  assert.deepEqual(
    reported.map(({ cause }) => cause),
    ['queue_full', 'queue_full'],
  )
  await session.complete(first)
  await session.complete(read, { outcome: 'ok', labels: { trust: 'untrusted' } })
  await session.complete(first)
  await assert.rejects(session.complete(first), withCode('queue_full'))
  assert.equal(client.stats().queued, 6)
  held.turn()
  await Promise.all(waiting)
  const next = await session.propose({ tool: 'read_file' })
  assert.equal(next.decision?.risk?.exposure, 'credentials', 'the claim of the step that was never proposed')
  assert.deepEqual(
    loop.events.map(({ seq }) => seq),
    loop.events.map((_, i) => i),
  )
})

test('answers too many open proposals by the fail mode', async (t) => {
  const never = createSwitch()
  t.after(() => never.turn())
  const settings = { limits: { openProposalsMax: 2 } }
  const { client, time } = await createRig(t, { settings, gate: () => never.turned })
  const session = await client.startSession()
  const waiting = [1, 2].map(() => session.propose({ tool: 'send_email' }))
  assert.equal((await session.propose({ tool: 'send_email' })).by, 'fail_closed')
  time.pass(2_000)
  await Promise.all(waiting)
})

test('`close` waits for an unresponsive log no longer than its limit', async (t) => {
  const reached = createSwitch()
  const produce = () => {
    reached.turn()
    return new Promise<void>(() => {})
  }
  const { client, time } = await createRig(t, { produce })
  await client.startSession()
  await reached.turned
  const closed = client.close()
  time.pass(5_000)
  await closed
  assert.equal(client.stats().queued, 1)
})

test('puts no more events of a session into a produce than the monitor recognises', async (t) => {
  const { client, produced, time } = await createRig(t)
  const session = await client.startSession()
  const other = await client.startSession()
  const answers = Array.from({ length: 20 }, () => session.propose({ tool: 'wipe_disk' }))
  answers.push(other.propose({ tool: 'wipe_disk' }))
  await Promise.all(answers)
  assert.ok(produced.every((records) => records.length <= 18))
  assert.equal(produced.flat().length, 23)
  assert.equal(time.pending(), 0)
})
