import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { StepBlocked, explain } from '../answer.js'
import { TWO_MODES, createRig, passUntil } from '../testing/two-modes.js'

const withCode = (code: string) => (error: unknown) => error instanceof PlimsollError && error.code === code

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise that is resolved from outside. */
function latch<T = void>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

for (const [mode, create] of TWO_MODES) {
  test(`${mode}: runs an allowed step with the proposed arguments and returns its result`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const given = { path: '/a', lines: [1, 2], at: new Date(0) }
    const reading = session.run({ tool: 'read_file', arguments: given }, async (values, { answer }) => {
      assert.equal(answer.verdict, 'allow')
      return values
    })
    given.path = '/etc/passwd'
    given.lines.push(3)
    const ran = await reading
    assert.deepEqual(ran, { path: '/a', lines: [1, 2], at: '1970-01-01T00:00:00.000Z' })
    assert.ok(Object.isFrozen(ran) && Object.isFrozen(ran['lines']))
    assert.equal(client.stats().unreported, 0)
  })

  test(`${mode}: does not run a refused step; the error gives reason and alternative`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const wiping = session.run({ tool: 'wipe_disk' }, () => assert.fail('ran'))
    const error = await wiping.then(assert.fail, (reason: unknown) => reason)
    assert.ok(error instanceof StepBlocked && withCode('step_blocked')(error))
    assert.match(error.message, /^`wipe_disk` was blocked: .*; instead: delete single files$/)
    assert.deepEqual([error.answer.verdict, error.details['answer']], ['block', error.answer])
  })

  test(`${mode}: passes on what the step throws, and reports a failure`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const failure = new Error('no such file')
    const fail = () => {
      throw failure
    }
    await assert.rejects(session.run({ tool: 'read_file', callId: 'again' }, fail), failure)
    await session.run({ tool: 'read_file', callId: 'again' }, () => 'there it is')
    assert.equal(client.stats().decided, 2)
  })

  test(`${mode}: waits for a step that must be over first, and proposes again`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const order: string[] = []
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, async () => {
      await opened
      order.push('checked')
    })
    const paying = session.run({ tool: 'pay' }, () => void order.push('paid'))
    await turn()
    await turn()
    assert.deepEqual(order, [])
    open()
    await passUntil(time, Promise.all([checking, paying]))
    assert.deepEqual(order, ['checked', 'paid'])
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: does not wait forever, nor for calls that are not open`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const alone = session.run({ tool: 'pay' }, () => assert.fail('ran'))
    await assert.rejects(alone, withCode('step_blocked'))
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, () => opened)
    const paying = session.run({ tool: 'pay' }, () => assert.fail('ran'), { prerequisitesMs: 500 })
    const error = await passUntil(
      time,
      paying.then(assert.fail, (reason: unknown) => reason),
    )
    assert.ok(error instanceof StepBlocked)
    assert.equal(error.answer.decision?.waitFor?.length, 1)
    open()
    await checking
  })

  test(`${mode}: proposes again after a pause if the call is open elsewhere`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const checked = await session.propose({ tool: 'check_payee' })
    const paying = session.run({ tool: 'pay' }, () => 'paid')
    await turn()
    await session.complete(checked)
    assert.equal(await passUntil(time, paying), 'paid')
  })

  test(`${mode}: calls beyond the cap of open calls wait for room`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await turn()
      running--
    }
    const runs = Array.from({ length: 100 }, () => session.run({ tool: 'read_file' }, work))
    await passUntil(time, Promise.all(runs))
    assert.deepEqual([most, client.stats().unreported], [32, 0])
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: waits for a human; a denial blocks`, async (t) => {
    const { client, resolve } = await create(t)
    const session = await client.startSession()
    const refund = (resolution: 'approved' | 'denied') =>
      session.run({ tool: 'refund', arguments: { amount: 3 } }, ({ amount }) => amount, {
        onConfirm: (asked) => void resolve(asked, resolution),
      })
    assert.equal(await refund('approved'), 3)
    await assert.rejects(refund('denied'), withCode('step_blocked'))
    const asked = await session.ask({ tool: 'refund' }, { approvalMs: 0 })
    assert.deepEqual([asked.verdict, asked.mayRun], ['confirm', false])
  })

  test(`${mode}: with resume, a call that is made again gets the answer to its question`, async (t) => {
    const { client, resolve, time } = await create(t)
    const session = await client.startSession()
    const now = { approvalMs: 0, resume: true }
    const refund = (amount: number) => session.ask({ tool: 'refund', arguments: { amount } }, now)
    const asked = await refund(3)
    assert.equal(asked.verdict, 'confirm')
    assert.equal((await refund(3)).decision?.id, asked.decision?.id, 'it is no new question')
    const other = await refund(4)
    assert.notEqual(other.decision?.id, asked.decision?.id)
    await resolve(asked, 'approved')
    await resolve(other, 'denied')
    for (let i = 0; i < 10; i++) await turn()
    const again = await refund(3)
    assert.deepEqual([again.mayRun, again.callId], [true, asked.callId])
    assert.equal((await refund(3)).verdict, 'confirm', 'an approval is for one call')
    const denied = await refund(4)
    assert.match(explain(denied), /was blocked: .*denied/)
    const late = await refund(5)
    time.pass(900_001)
    const anew = await refund(5)
    assert.equal(anew.verdict, 'confirm')
    assert.notEqual(anew.decision?.id, late.decision?.id)
  })

  test(`${mode}: gives up after approvalMs`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const refunding = session.run({ tool: 'refund' }, () => assert.fail('ran'), { approvalMs: 100 })
    const error = await passUntil(
      time,
      refunding.then(assert.fail, (reason: unknown) => reason),
    )
    assert.ok(error instanceof StepBlocked)
    assert.equal(error.answer.verdict, 'confirm')
    const { callId } = error.answer
    assert.equal((await session.resolution(error.answer)).verdict, 'block', `${callId} is given up`)
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: an abort ends every wait with its reason`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const reason = new Error('the user pressed stop')
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, () => opened)
    for (const tool of ['refund', 'pay']) {
      const controller = new AbortController()
      const { signal } = controller
      const running = session.run({ tool }, () => assert.fail('ran'), { signal })
      await turn()
      await turn()
      controller.abort(reason)
      await assert.rejects(running, reason)
    }
    open()
    await checking
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: a step that ran after the session's end keeps its result and is counted`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const value = await session.run({ tool: 'read_file' }, async () => {
      await session.end('completed')
      return 'read'
    })
    await turn()
    assert.deepEqual([value, client.stats().unreported], ['read', 1])
  })

  test(`${mode}: refuses arguments that JSON cannot hold before any proposal`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const bad = session.run({ tool: 'read_file', arguments: { amount: 1n } }, () => assert.fail('ran'))
    await assert.rejects(bad, withCode('schema_invalid'))
    assert.equal(client.stats().proposed, 0)
  })
}

test('an approval after the step was given up releases its place', async (t) => {
  const { client, time, loop, approve } = await createRig(t)
  const session = await client.startSession()
  const refunding = session.run({ tool: 'refund' }, () => assert.fail('ran'), { approvalMs: 100 })
  const error = await passUntil(
    time,
    refunding.then(assert.fail, (reason: unknown) => reason),
  )
  assert.ok(error instanceof StepBlocked)
  await approve(error.answer.decision)
  const reported = await loop.whenEvent(({ type }) => type === 'step.completed')
  assert.equal(reported.type === 'step.completed' && reported.outcome, 'error')
})

test('parallel runs are proposed in call order', async (t) => {
  const { client, loop } = await createRig(t)
  const session = await client.startSession()
  const names = Array.from({ length: 20 }, (_, i) => `call-${i}`)
  await Promise.all(names.map((callId) => session.run({ tool: 'read_file', callId }, () => callId)))
  const asked = loop.events.flatMap((event) => (event.type === 'step.proposed' ? [event.callId] : []))
  assert.deepEqual(asked, names)
  assert.deepEqual(loop.faults, [])
})
